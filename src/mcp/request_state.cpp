#include "mcp/request_state.h"

#include "base/digest.h"
#include "mcp/protocol.h"
#include "model/json_text.h"

namespace holdfast::mcp {
namespace {

// Everything the state is bound to, in one digest.
std::string digest_of(const StateScope& scope) {
  const Value bound = Value::array({scope.method, scope.item, to_canonical_json(scope.arguments),
                                    scope.principal.value});
  return base64url_encode(sha256(to_json(bound)));
}

}  // namespace

RequestStates::RequestStates(const Clock& clock) : clock_(clock), key_(random_bytes(32)) {}

std::string RequestStates::seal(const StateScope& scope, const Value& state) const {
  const Value payload =
      Value::object({{"scope", digest_of(scope)},
                     {"until", to_micros(clock_.now() + kRequestStateLife)},
                     {"round", base64url_encode(random_bytes(9))},
                     {"state", state}});
  const std::string text = base64url_encode(to_json(payload));
  return text + "." + base64url_encode(hmac_sha256(key_, text));
}

std::optional<Value> RequestStates::open(const StateScope& scope, std::string_view text) const {
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view payload_text = text.substr(0, dot);
  const std::string signature = base64url_encode(hmac_sha256(key_, payload_text));
  if (!constant_time_equal(signature, text.substr(dot + 1))) return std::nullopt;
  const auto bytes = base64_decode(payload_text);
  const auto payload = bytes ? parse_json(*bytes, {.max_depth = kMaxDepth})
                             : Result<Value>(invalid_argument("no Base64"));
  if (!payload) return std::nullopt;
  const Value* bound = payload->find("scope");
  const Value* until = payload->find("until");
  const Value* state = payload->find("state");
  if (bound == nullptr || until == nullptr || until->if_int() == nullptr || state == nullptr)
    return std::nullopt;
  if (*bound != Value(digest_of(scope))) return std::nullopt;
  if (from_micros(*until->if_int()) <= clock_.now()) return std::nullopt;
  return *state;
}

}  // namespace holdfast::mcp
