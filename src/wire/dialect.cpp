#include "wire/dialect.h"

#include "model/json_text.h"
#include "wire/transport.h"

namespace holdfast::wire {
namespace {

int plain_status(const Error& error) {
  if (const int status = transport_status(error); status != 0) return status;
  switch (error.code) {
    case ErrorCode::kInvalidArgument: return 400;
    case ErrorCode::kUnauthenticated: return 401;
    case ErrorCode::kPermissionDenied: return 403;
    case ErrorCode::kNotFound: return 404;
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kConflict: return 409;
    case ErrorCode::kGone: return 410;
    case ErrorCode::kTooLarge: return 413;
    case ErrorCode::kRateLimited: return 429;
    case ErrorCode::kUnavailable: return 503;
    case ErrorCode::kDeadlineExceeded: return 504;
    case ErrorCode::kStorageFull: return 507;
    case ErrorCode::kCorrupted:
    case ErrorCode::kInternal: return 500;
  }
  return 500;
}

}  // namespace

// Overrides put the payload into their envelopes, so it comes by value.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
Answer Dialect::success(const AnswerContext&, int status, Value payload) const {
  if (status == 204) return {.status = 204, .content_type = ""};
  return {.status = status, .body = to_json(payload)};
}

Value issues_value(const std::vector<Issue>& issues) {
  Value list = Value::array();
  for (const Issue& issue : issues) {
    Value params = Value::object();
    for (const Issue::Param& param : issue.params) {
      Value* present = params.find(param.name);
      if (present == nullptr) {
        params.set(param.name, param.value);
      } else {
        // A parameter given several times (the allowed words) is a list.
        if (!present->is_array()) *present = Value::array({*present});
        present->push(param.value);
      }
    }
    Value shown = Value::object(
        {{"location", issue.location}, {"path", issue.path_text()}, {"rule", issue.rule}});
    if (!issue.params.empty()) shown.set("params", std::move(params));
    if (!issue.value.empty()) {
      auto value = parse_json(issue.value);
      shown.set("value", value ? std::move(*value) : Value(issue.value));
    }
    list.push(std::move(shown));
  }
  return list;
}

Answer PlainDialect::failure(const AnswerContext& context, const Error& error) const {
  Value body = Value::object(
      {{"code", error.reason.empty() ? std::string(error_code_name(error.code)) : error.reason},
       {"message", error.message},
       {"request_id", context.request_id}});
  if (!error.issues.empty()) body.set("issues", issues_value(error.issues));
  Answer answer{.status = plain_status(error),
                .body = to_json(Value::object({{"error", std::move(body)}}))};
  if (answer.status == 401) answer.headers.push_back({"WWW-Authenticate", "Bearer"});
  return answer;
}

}  // namespace holdfast::wire
