// The methods that both eras know: lists, calls, reads, prompts, completion. What an era adds to
// their results (resultType, cache members) or does around them (rounds of input) is not here.
#pragma once

#include <string_view>

#include "mcp/active_client.h"
#include "mcp/encode.h"
#include "mcp/registry.h"
#include "mcp/request_state.h"
#include "mcp/rpc.h"
#include "model/call_context.h"

namespace holdfast::mcp {

// One request on its way through a method.
struct Turn {
  const CallContext& call;
  const Message& request;
  ActiveClient& client;
};

enum class Cache {
  kNone,     // not to be kept
  kPublic,   // the same for everyone
  kPrivate,  // shows stored data
};

struct MethodResult {
  Value result;
  Cache cache = Cache::kNone;
  bool complete = true;  // false: asks for input
};

// Thread-safe; the registry is complete before the first call.
class Methods {
 public:
  using Function = Outcome<MethodResult> (Methods::*)(Turn&) const;

  Methods(const Registry& registry, const Clock& clock) : registry_(registry), states_(clock) {}

  // nullptr if there is no such method, or its feature is not offered.
  Function find(std::string_view method) const;

 private:
  Outcome<MethodResult> list_tools(Turn& turn) const;
  Outcome<MethodResult> list_resources(Turn& turn) const;
  Outcome<MethodResult> list_templates(Turn& turn) const;
  Outcome<MethodResult> list_prompts(Turn& turn) const;
  Outcome<MethodResult> call_tool(Turn& turn) const;
  Outcome<MethodResult> read_resource(Turn& turn) const;
  Outcome<MethodResult> get_prompt(Turn& turn) const;
  Outcome<MethodResult> complete(Turn& turn) const;

  Outcome<ToolResult> run_tool(const Tool& tool, const Value& arguments, Turn& turn) const;
  // Reads inputResponses and requestState of a further round into the client.
  std::optional<RpcError> take_round(const StateScope& scope, Turn& turn) const;
  // The answer that asks for input.
  Outcome<MethodResult> ask_round(const StateScope& scope, const InputRound& round,
                                  Turn& turn) const;

  const Registry& registry_;
  const RequestStates states_;
};

// What a client of the session era is told where only rounds of input help.
inline constexpr std::string_view kNeedsModern =
    "This asks for input in a way that needs protocol revision 2026-07-28.";

// -32021 for the capabilities that the client lacks; nothing if it has all of them.
std::optional<RpcError> missing_capabilities(const std::vector<std::string>& needed,
                                             const Client& client);
// A string parameter, or -32602.
Outcome<std::string> string_param(const Message& request, std::string_view name);
// -32603, the cause into the log.
RpcError internal_failure(const CallContext& call, std::string_view where,
                          std::string_view detail);
RpcError resource_not_found(const std::string& uri, Revision revision);

}  // namespace holdfast::mcp
