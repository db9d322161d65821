#include "surface/chat/dialect.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/json_text.h"
#include "service/chat/failure.h"
#include "service/chat/provider.h"
#include "service/chat/trimming.h"
#include "wire/issue_text.h"
#include "wire/reading.h"
#include "wire/schema.h"
#include "wire/transport.h"

namespace holdfast::surface::chat {
namespace {

using service::chat::Failure;

struct JsonProblem {
  std::string_view reason;
  std::string_view name;
};
constexpr std::array<JsonProblem, 4> kJsonProblems = {{{json_reason::kSyntax, "malformed_json"},
                                                       {json_reason::kUtf8, "malformed_json"},
                                                       {json_reason::kDuplicate, "duplicate_key"},
                                                       {json_reason::kDepth, "too_deep"}}};

Failure published(const Error& error) {
  if (error.reason == wire::reason::kUnsupportedMediaType)
    return {"unsupported_media_type", 415, false};
  if (error.reason == wire::reason::kRequestTimeout) return {"invalid_request", 408, true};
  if (error.reason == wire::reason::kHeadersTooLarge) return {"invalid_request", 431, false};
  return service::chat::failure_of(error);
}

std::string sentence(const Issue& issue) {
  if (!issue.param("says").empty()) return std::string(issue.param("says"));
  const std::string common = wire::issue_demand(issue);
  return common.empty() ? fmt::format("breaks the rule '{}'", issue.rule) : common;
}

std::string field_name(const Issue& issue) {
  const std::string path = issue.path_text();
  return path.empty() ? issue.location : path;
}

Value field_details(const std::vector<Issue>& issues) {
  Value fields = Value::object();
  Value form = Value::array();
  Value reason;
  for (const Issue& issue : issues) {
    if (!issue.param("reason").empty()) reason = issue.param("reason");
    const std::string name = field_name(issue);
    Value* known = fields.find(name);
    if (known == nullptr) {
      fields.set(name, Value::array({sentence(issue)}));
    } else {
      known->push(sentence(issue));
    }
  }
  Value details =
      Value::object({{"fieldErrors", std::move(fields)}, {"formErrors", std::move(form)}});
  if (!reason.is_null()) details.set("reason", std::move(reason));
  return details;
}

Value whole_number(const std::string& text) {
  return Value(static_cast<int64_t>(std::strtoll(text.c_str(), nullptr, 10)));
}

// What else is said about a failure; an empty object if nothing.
Value details_of(const Error& error, const FailureExtras& extras) {
  Value details = Value::object();
  for (const JsonProblem& problem : kJsonProblems) {
    if (error.reason == problem.reason) details.set("reason", problem.name);
  }
  const bool about_fields = error.code == ErrorCode::kInvalidArgument && !error.issues.empty() &&
                            error.reason != service::chat::reason::kBudgetExceeded;
  const bool whole_body = about_fields && error.issues.size() == 1 &&
                          error.issues.front().path.empty() &&
                          error.issues.front().rule == wire::rule::kType;
  if (whole_body) {
    details.set("reason", "not_an_object");
  } else if (about_fields) {
    details = field_details(error.issues);
  } else {
    for (const Issue& issue : error.issues) {
      for (const Issue::Param& param : issue.params) {
        const bool number = param.name == "limit" || param.name == "required";
        details.set(param.name, number ? whole_number(param.value) : Value(param.value));
      }
    }
  }
  if (error.code == ErrorCode::kRateLimited && error.retry_after_seconds > 0)
    details.set("retry_after_ms", error.retry_after_seconds * 1000);
  if (!extras.linter_flags.empty())
    details.set("linter_flags", Value::array_of(extras.linter_flags));
  return details;
}

std::string message_of(const wire::AnswerContext& context, const Error& error,
                       const Failure& failure) {
  if (failure.status >= 500 && error.code == ErrorCode::kInternal &&
      error.reason != service::chat::reason::kNotConfigured)
    return "Something went wrong on the server.";
  // Not with the id: it may be anything, and what is there is called otherwise inside.
  if (error.code == ErrorCode::kNotFound && context.route.find('{') != std::string::npos)
    return "There is nothing with this id.";
  if (error.reason == wire::reason::kValidation || error.message.empty()) {
    return error.issues.empty() ? "The request was refused."
                                : "The request is not valid; 'details' lists what is wrong.";
  }
  return error.message;
}

// The keys of a document that nobody declared, in the order of the document.
std::vector<std::string> unknown_keys(const Error& error) {
  std::vector<std::string> keys;
  for (const Issue& issue : error.issues) {
    if (issue.rule != wire::rule::kUnknown || issue.location != "body" || issue.path.empty())
      continue;
    const std::string& key = issue.path.back().name;
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  }
  return keys;
}

bool has_flat_body(const wire::AnswerContext& context) {
  return context.path == "/v1/chat" && context.body != nullptr && is_flat(*context.body);
}

bool wants_flat(const wire::AnswerContext& context) {
  const std::string_view forced =
      context.headers != nullptr ? context.headers->get("x-sol-error-format") : std::string_view();
  if (forced == "flat") return true;
  if (forced == "structured") return false;
  return has_flat_body(context);
}

// What the older dialect calls too much evidence; empty if the error is another one.
std::string_view evidence_code(const Error& error) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kCodes = {
      {{"evidence.captures", "capture_count_overflow"},
       {"evidence.supports", "support_count_overflow"},
       {"evidence.claims", "claim_count_overflow"}}};
  for (const Issue& issue : error.issues) {
    const auto* code = std::ranges::find(kCodes, issue.path_text(),
                                         [](const auto& row) { return std::string(row.first); });
    if (code != kCodes.end() && issue.rule == wire::rule::kItemsMax) return code->second;
  }
  return {};
}

// A bad request is told apart by its details, a conflict by the transmission of the earlier call.
Value flat_body(const Failure& failure, const Error& error, Value details,
                const FailureExtras& extras) {
  Value body = Value::object({{"error", failure.code}});
  if (const std::string_view code = evidence_code(error); !code.empty()) body.set("code", code);
  const Value* earlier = details.find("transmission_id");
  if (earlier != nullptr) body.set("transmissionId", *earlier);
  if (!extras.transmission_id.empty()) body.set("transmissionId", extras.transmission_id);
  if (!extras.trace_run_id.empty()) body.set("traceRunId", extras.trace_run_id);
  if (failure.status != 400 && earlier == nullptr) body.set("retryable", failure.retryable);
  if (!extras.fallback_text.empty()) body.set("assistant", extras.fallback_text);
  if (!extras.notification_policy.empty())
    body.set("notification_policy", extras.notification_policy);
  if (!details.if_object()->empty() && earlier == nullptr) body.set("details", std::move(details));
  return body;
}

// What the client calls its request, by the name that the dialect of the body has for it.
const Value* request_id_in(const wire::AnswerContext& context) {
  const std::string_view name = has_flat_body(context) ? "clientRequestId" : "request_id";
  return context.body != nullptr ? context.body->find(name) : nullptr;
}

Value structured_body(const wire::AnswerContext& context, const Failure& failure,
                      const Error& error, Value details, const FailureExtras& extras) {
  Value body = Value::object();
  if (!extras.fallback_text.empty()) details.set("fallback_text", extras.fallback_text);
  const Value* id = request_id_in(context);
  if (id != nullptr && id->is_string()) body.set("request_id", *id);
  Value inner = Value::object({{"code", failure.code},
                               {"message", message_of(context, error, failure)},
                               {"retryable", failure.retryable}});
  if (!details.if_object()->empty()) inner.set("details", std::move(details));
  body.set("error", std::move(inner));
  return body;
}

}  // namespace

bool is_flat(const Value& body) {
  static constexpr std::array<std::string_view, 3> kFlat = {"threadId", "message",
                                                            "clientRequestId"};
  static constexpr std::array<std::string_view, 4> kCanonical = {"request_id", "thread_id",
                                                                 "input_text", "packet"};
  const auto has = [&](std::string_view name) { return body.find(name) != nullptr; };
  return std::ranges::any_of(kFlat, has) && std::ranges::none_of(kCanonical, has);
}

wire::Answer failure_answer(const wire::AnswerContext& context, const Error& error,
                            const FailureExtras& extras) {
  wire::Answer answer;
  const std::vector<std::string> unknown = unknown_keys(error);
  if (!unknown.empty()) {
    answer.status = 400;
    answer.body = to_json(Value::object({{"error", "invalid_request"},
                                         {"message", "Unrecognized keys in request"},
                                         {"unrecognizedKeys", Value::array_of(unknown)}}));
    return answer;
  }
  const Failure failure = published(error);
  answer.status = failure.status;
  if (failure.status == 401) answer.headers.push_back({"WWW-Authenticate", "Bearer"});
  Value details = details_of(error, extras);
  answer.body = to_json(wants_flat(context)
                            ? flat_body(failure, error, std::move(details), extras)
                            : structured_body(context, failure, error, std::move(details), extras));
  return answer;
}

wire::Answer ChatDialect::failure(const wire::AnswerContext& context, const Error& error) const {
  return failure_answer(context, error, {});
}

}  // namespace holdfast::surface::chat
