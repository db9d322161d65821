// How a rule of the published continuity API is refused. The texts are the contract's: clients
// match on them.
#pragma once

#include <string>

#include "base/error.h"
#include "model/json_text.h"
#include "model/value.h"

namespace holdfast::service::continuity {

namespace reason {
// The message is the JSON text of a structured detail; kInvalidArgument then means a request that
// cannot be processed (422), not a bad one (400).
inline constexpr std::string_view kStructured = "continuity_structured";
}  // namespace reason

inline Error refuse(ErrorCode code, std::string text) {
  return Error{.code = code, .reason = "continuity", .message = std::move(text)};
}
inline Error bad_request(std::string text) {
  return refuse(ErrorCode::kInvalidArgument, std::move(text));
}
inline Error absent(std::string text) { return refuse(ErrorCode::kNotFound, std::move(text)); }
inline Error clash(std::string text) { return refuse(ErrorCode::kConflict, std::move(text)); }
inline Error denied(std::string text) {
  return refuse(ErrorCode::kPermissionDenied, std::move(text));
}
inline Error structured(ErrorCode code, const Value& detail) {
  return Error{
      .code = code, .reason = std::string(reason::kStructured), .message = to_json(detail)};
}

}  // namespace holdfast::service::continuity
