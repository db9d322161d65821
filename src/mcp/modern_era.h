// Requests of revision 2026-07-28: stateless, everything about the client in the request itself.
#pragma once

#include <memory>

#include "mcp/answer.h"
#include "mcp/cancellation.h"
#include "mcp/encode.h"
#include "mcp/methods.h"
#include "mcp/outlet.h"
#include "wire/headers.h"

namespace holdfast::mcp {

// Whether a message is of this era. `version_header` is empty where there are no headers.
bool is_modern_message(const Message& message, std::string_view version_header);

struct ModernRequest {
  const CallContext& call;
  const Message& message;
  const wire::Headers* headers = nullptr;  // nullptr on stdio, where nothing is mirrored
  Outlet& outlet;
  std::shared_ptr<Cancellation> cancellation;
  bool takes_stream = true;  // the answer may be an event stream
};

// Thread-safe. Everything outlives it.
class ModernEra {
 public:
  ModernEra(const Registry& registry, const Methods& methods, Changes& changes,
            const Identity& identity)
      : registry_(registry), methods_(methods), changes_(changes), identity_(identity) {}

  // The checks of the contract's section 3, from the metadata on, then the method.
  Answer answer(const ModernRequest& request) const;

 private:
  Outcome<Answer> run(const ModernRequest& request) const;
  Outcome<Value> dispatch(const ModernRequest& request) const;
  std::optional<RpcError> check_metadata(const ModernRequest& request) const;
  std::optional<RpcError> check_names(const ModernRequest& request) const;
  Outcome<Answer> listen(const ModernRequest& request) const;
  bool knows(const std::string& method) const;
  Value discover() const;
  // Adds what every result of this era has.
  Value dressed(MethodResult result) const;

  const Registry& registry_;
  const Methods& methods_;
  Changes& changes_;
  const Identity& identity_;
};

}  // namespace holdfast::mcp
