// One modern MCP request to the owner of a data folder.
#pragma once

#include <functional>
#include <string>

#include "app/caller.h"
#include "mcp/client.h"
#include "model/value.h"

namespace holdfast::app {

struct RelayCall {
  std::string method;
  Value params = Value::object();  // without _meta
  std::string item = {};           // what Mcp-Name repeats; empty: the method names nothing
  mcp::Client* client = nullptr;   // gets the progress and may cancel; nullptr: nobody
};

// Thread-safe.
class RelayLink {
 public:
  RelayLink(Caller& caller, std::string space) : caller_(caller), space_(std::move(space)) {}

  // The result, or the owner's error: kNotFound where the resource does not exist, kInternal for a
  // defect, else kInvalidArgument with its message.
  Result<Value> request(RelayCall call) const;

 private:
  Caller& caller_;
  const std::string space_;
};

}  // namespace holdfast::app
