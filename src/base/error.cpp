#include "base/error.h"

#include <fmt/format.h>

namespace holdfast {

std::string_view error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument: return "invalid_argument";
    case ErrorCode::kUnauthenticated: return "unauthenticated";
    case ErrorCode::kPermissionDenied: return "permission_denied";
    case ErrorCode::kNotFound: return "not_found";
    case ErrorCode::kAlreadyExists: return "already_exists";
    case ErrorCode::kConflict: return "conflict";
    case ErrorCode::kGone: return "gone";
    case ErrorCode::kTooLarge: return "too_large";
    case ErrorCode::kRateLimited: return "rate_limited";
    case ErrorCode::kUnavailable: return "unavailable";
    case ErrorCode::kDeadlineExceeded: return "deadline_exceeded";
    case ErrorCode::kStorageFull: return "storage_full";
    case ErrorCode::kCorrupted: return "corrupted";
    case ErrorCode::kInternal: return "internal";
  }
  return "internal";
}

std::string Issue::path_text() const {
  std::string text;
  for (const Step& step : path) {
    if (step.is_index) {
      text += '[' + step.name + ']';
    } else {
      if (!text.empty()) text += '.';
      text += step.name;
    }
  }
  return text;
}

std::string_view Issue::param(std::string_view name) const {
  for (const Param& param : params) {
    if (param.name == name) return param.value;
  }
  return {};
}

Error invalid_argument(std::string message, std::vector<Issue> issues) {
  return Error{.code = ErrorCode::kInvalidArgument,
               .message = std::move(message),
               .issues = std::move(issues)};
}

Error not_found(std::string_view what, std::string_view id) {
  return Error{.code = ErrorCode::kNotFound,
               .message = fmt::format("There is no {} '{}'.", what, id)};
}

Error conflict(std::string_view reason, std::string message) {
  return Error{
      .code = ErrorCode::kConflict, .reason = std::string(reason), .message = std::move(message)};
}

Error internal_error(std::string detail) {
  return Error{.code = ErrorCode::kInternal,
               .message = "Something went wrong on our side; the log has the details.",
               .detail = std::move(detail)};
}

Error unavailable(std::string message) {
  return Error{
      .code = ErrorCode::kUnavailable, .message = std::move(message), .retry_after_seconds = 1};
}

}  // namespace holdfast
