// One MCP request to the owner of a data folder: through its socket as a modern request, or, where
// this process is the owner, straight to the engine.
#pragma once

#include <string>

#include "app/caller.h"
#include "mcp/registry.h"
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
  RelayLink(Caller& caller, std::string space);

  // The result, or the owner's error: kNotFound where the resource does not exist, kInternal for a
  // defect, else kInvalidArgument with its message.
  Result<Value> request(RelayCall call) const;
  // Of a tool, which may be called very often: with values and no HTTP between where this process
  // is the owner. Errors as above; `call` must be that of the folder's owner.
  Result<mcp::ToolResult> call_tool(const std::string& name, const mcp::ToolCall& call) const;

 private:
  Caller& caller_;
  const std::string space_;
  const std::string folder_;  // where relative paths begin; empty: not known
};

}  // namespace holdfast::app
