#include "surface/recall/dialect.h"

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "model/json_text.h"
#include "service/recall/ingest_service.h"
#include "service/recall/policy.h"
#include "service/recall/usage_service.h"
#include "surface/recall/requests.h"
#include "wire/reading.h"
#include "wire/schema.h"
#include "wire/transport.h"

namespace holdfast::surface::recall {
namespace {

struct RuleText {
  std::string_view rule;
  std::string_view type;
  std::string_view message;
};
constexpr std::array<RuleText, 10> kRules = {{
    {wire::rule::kRequired, "missing", "Field required"},
    {wire::rule::kType, "type_error", "Input has the wrong type"},
    {wire::rule::kLengthMin, "string_too_short", "Text is too short"},
    {wire::rule::kLengthMax, "string_too_long", "Text is too long"},
    {wire::rule::kRangeMin, "greater_than_equal", "Number is too small"},
    {wire::rule::kRangeMax, "less_than_equal", "Number is too large"},
    {wire::rule::kItemsMin, "too_short", "List is too short"},
    {wire::rule::kItemsMax, "too_long", "List is too long"},
    {wire::rule::kOneOf, "enum", "Input is none of the allowed values"},
    {wire::rule::kFormat, "format", "Input has the wrong format"},
}};

Value step_value(const Issue::Step& step) {
  int64_t index = 0;
  if (!step.is_index) return Value(step.name);
  std::from_chars(step.name.data(), step.name.data() + step.name.size(), index);
  return Value(index);
}

Value shown(const Issue& issue) {
  Value place = Value::array({issue.location});
  for (const Issue::Step& step : issue.path) place.push(step_value(step));
  std::string_view type = "value_error";
  std::string message = fmt::format("Input breaks the rule '{}'", issue.rule);
  for (const RuleText& text : kRules) {
    if (text.rule != issue.rule) continue;
    type = text.type;
    message = std::string(text.message);
  }
  return Value::object({{"type", type}, {"loc", std::move(place)}, {"msg", message}});
}

int status_of(const Error& error) {
  // A body that does not say it is JSON is none.
  if (const int status = wire::transport_status(error); status != 0)
    return status == 415 ? 422 : status;
  if (error.reason == service::recall::reason::kUnknownTrigger) return 400;
  switch (error.code) {
    case ErrorCode::kInvalidArgument: return 422;
    case ErrorCode::kUnauthenticated: return 401;
    case ErrorCode::kPermissionDenied: return 403;
    case ErrorCode::kNotFound: return 404;
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kConflict: return 409;
    case ErrorCode::kGone: return 410;
    case ErrorCode::kTooLarge: return 413;
    case ErrorCode::kRateLimited: return 429;
    case ErrorCode::kUnavailable:
    case ErrorCode::kDeadlineExceeded: return 503;
    case ErrorCode::kStorageFull: return 507;
    case ErrorCode::kCorrupted:
    case ErrorCode::kInternal: break;
  }
  return 500;
}

Value detail_of(const wire::AnswerContext& context, const Error& error, int status) {
  if (status == 405) return "Method Not Allowed";
  if (status >= 500 && status != 503 && status != 507) return "Internal Server Error";
  if (status == 404 && error.reason == wire::reason::kUnknownPath) return "Not Found";
  if (status == 404 && error.reason == service::recall::reason::kUnknownRow)
    return "usage audit row not found";
  if (status == 404)
    return context.route.starts_with("/memory") ? "memory object not found"
                                                : "source item not found";
  if (status != 422 || error.reason == kTooManyItems ||
      error.reason == service::recall::reason::kUnknownUseCase)
    return Value(error.message);
  Value issues = Value::array();
  for (const Issue& issue : error.issues) issues.push(shown(issue));
  if (error.issues.empty())
    issues.push(Value::object(
        {{"type", "json_invalid"}, {"loc", Value::array({"body"})}, {"msg", error.message}}));
  return issues;
}

}  // namespace

wire::Answer RecallDialect::failure(const wire::AnswerContext& context, const Error& error) const {
  wire::Answer answer;
  answer.status = status_of(error);
  if (answer.status == 401) answer.headers.push_back({"WWW-Authenticate", "Bearer"});
  answer.body = to_json(Value::object({{"detail", detail_of(context, error, answer.status)}}));
  return answer;
}

}  // namespace holdfast::surface::recall
