// Rounds of input: asking a modern client, and reading what it answered.
#include <algorithm>

#include <fmt/format.h>

#include "mcp/methods.h"
#include "mcp/protocol.h"

namespace holdfast::mcp {
namespace {

bool is_object_of_objects(const Value& value) {
  const auto* members = value.if_object();
  return members != nullptr &&
         std::ranges::all_of(*members, [](const Value::Member& m) { return m.value.is_object(); });
}

std::vector<std::string> needed_by(const Value& requests) {
  std::vector<std::string> needed;
  if (!requests.is_object()) return needed;
  for (const Value::Member& request : *requests.if_object()) {
    const Value* method = request.value.find("method");
    if (method == nullptr || !method->is_string()) continue;
    needed.emplace_back(capability_of(*method->if_string()));
  }
  return needed;
}

}  // namespace

std::optional<RpcError> missing_capabilities(const std::vector<std::string>& needed,
                                             const Client& client) {
  Value missing = Value::object();
  std::string names;
  for (const std::string& capability : needed) {
    if (client.can(capability) || missing.find(capability) != nullptr) continue;
    missing.set(capability, Value::object());
    names += (names.empty() ? "" : ", ") + capability;
  }
  if (names.empty()) return std::nullopt;
  return RpcError{
      .code = code::kMissingCapability,
      .message = fmt::format("This needs a client that declares the capability {}.", names),
      .data = Value::object({{"requiredCapabilities", std::move(missing)}}),
      .status = 400};
}

std::optional<RpcError> Methods::take_round(const StateScope& scope, Turn& turn) const {
  if (!turn.client.is_modern()) return std::nullopt;
  const Value* responses = turn.request.param("inputResponses");
  const Value* sealed = turn.request.param("requestState");
  if (responses != nullptr && !is_object_of_objects(*responses))
    return invalid_params("inputResponses must be an object of objects.");
  Value state;
  if (sealed != nullptr) {
    const std::string* text = sealed->if_string();
    auto opened = text != nullptr ? states_.open(scope, *text) : std::nullopt;
    if (!opened) {
      return invalid_params(
          "requestState was not given for this request or is too old; begin again without it.");
    }
    state = std::move(*opened);
  }
  turn.client.set_round(responses != nullptr ? *responses : Value(), std::move(state));
  return std::nullopt;
}

Outcome<MethodResult> Methods::ask_round(const StateScope& scope, const InputRound& round,
                                         Turn& turn) const {
  if (!turn.client.is_modern()) return fail(invalid_params(std::string(kNeedsModern)));
  if (auto error = missing_capabilities(needed_by(round.requests), turn.client))
    return fail(std::move(*error));
  Value result = Value::object({{"resultType", "input_required"}});
  if (!round.requests.is_null()) result.set("inputRequests", round.requests);
  if (!round.state.is_null()) result.set("requestState", states_.seal(scope, round.state));
  return MethodResult{.result = std::move(result), .complete = false};
}

}  // namespace holdfast::mcp
