#include "surface/observations/errors.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include <fmt/format.h>

#include "base/utf8.h"
#include "model/json_text.h"
#include "service/observation/failure.h"
#include "wire/cursor.h"
#include "wire/issue_text.h"
#include "wire/reading.h"
#include "wire/schema.h"
#include "wire/transport.h"

namespace holdfast::surface::observations {
namespace {

namespace reason = service::observation::reason;
namespace detail = service::observation::detail;

struct Row {
  std::string_view reason;
  Published as;
};
constexpr std::array<Row, 32> kReasons = {
    {{reason::kTokenMissing, {401, "AUTH_MISSING_TOKEN"}},
     {reason::kTokenExpired, {401, "AUTH_EXPIRED_TOKEN"}},
     {reason::kTokenRevoked, {401, "AUTH_REVOKED_TOKEN"}},
     {reason::kLinkSignature, {401, "AUTH_INVALID_TOKEN"}},
     {reason::kLinkExpired, {401, "AUTH_EXPIRED_TOKEN"}},
     {reason::kAgentKey, {401, "AUTH_AGENT_KEY_INVALID"}},
     {reason::kInsufficientScope, {403, "AUTH_INSUFFICIENT_SCOPE"}},
     {reason::kTierRequired, {403, "AUTHZ_TRUST_TIER_REQUIRED"}},
     {reason::kSubcortexDenied, {403, "AUTHZ_SUBCORTEX_ACCESS_DENIED"}},
     {reason::kClearance, {403, "AUTHZ_SENSITIVITY_CLEARANCE"}},
     {reason::kOwnership, {403, "AUTHZ_OWNERSHIP_REQUIRED"}},
     {reason::kForbidden, {403, "AUTHZ_FORBIDDEN"}},
     {reason::kReference, {400, "REF_INVALID_REFERENCE"}},
     {reason::kKeyMissing, {400, "IDEMPOTENCY_KEY_MISSING"}},
     {reason::kKeyInvalid, {400, "IDEMPOTENCY_KEY_INVALID"}},
     {reason::kKeyConflict, {409, "IDEMPOTENCY_CONFLICT"}},
     {wire::reason::kCursorInvalid, {400, "PAGINATION_INVALID_CURSOR"}},
     {reason::kCursorExpired, {400, "PAGINATION_CURSOR_EXPIRED"}},
     {wire::reason::kMethodNotAllowed, {405, "METHOD_NOT_ALLOWED"}},
     {reason::kStateTransition, {409, "CONFLICT_STATE_TRANSITION"}},
     {reason::kLocked, {409, "RESOURCE_LOCKED"}},
     {reason::kDuplicate, {409, "CONFLICT_DUPLICATE"}},
     {reason::kArchived, {410, "RESOURCE_ARCHIVED"}},
     {reason::kTooLarge, {413, "CONTENT_TOO_LARGE"}},
     {wire::reason::kBodyTooLarge, {413, "CONTENT_TOO_LARGE"}},
     {wire::reason::kUnsupportedMediaType, {415, "UNSUPPORTED_MEDIA_TYPE"}},
     {reason::kContentType, {415, "UNSUPPORTED_MEDIA_TYPE"}},
     {reason::kSensitiveContent, {422, "CONTENT_SENSITIVE_DETECTED"}},
     {reason::kSubcortexInactive, {422, "BIZ_SUBCORTEX_NOT_ACTIVE"}},
     {wire::reason::kHeadersTooLarge, {431, "VALIDATION_ERROR"}},
     {wire::reason::kRequestTimeout, {408, "VALIDATION_ERROR"}},
     {wire::reason::kNotAcceptable, {406, "VALIDATION_ERROR"}}}};

struct RuleRow {
  std::string_view rule;
  std::string_view code;
};
constexpr std::array<RuleRow, 16> kRules = {{{wire::rule::kRequired, "REQUIRED"},
                                             {wire::rule::kType, "INVALID_TYPE"},
                                             {wire::rule::kLengthMin, "STRING_TOO_SHORT"},
                                             {wire::rule::kLengthMax, "STRING_TOO_LONG"},
                                             {wire::rule::kRangeMin, "NUMBER_OUT_OF_RANGE"},
                                             {wire::rule::kRangeMax, "NUMBER_OUT_OF_RANGE"},
                                             {wire::rule::kItemsMin, "ARRAY_TOO_SMALL"},
                                             {wire::rule::kItemsMax, "ARRAY_TOO_LARGE"},
                                             {wire::rule::kOneOf, "INVALID_ENUM"},
                                             {wire::rule::kPattern, "INVALID_FORMAT"},
                                             {wire::rule::kFormat, "INVALID_FORMAT"},
                                             {wire::rule::kEncoding, "INVALID_FORMAT"},
                                             {wire::rule::kDuplicate, "DUPLICATE"},
                                             {wire::rule::kUnknown, "UNKNOWN_FIELD"},
                                             {wire::rule::kReadOnly, "READ_ONLY"},
                                             {wire::rule::kAliasConflict, "DUPLICATE"}}};

// Members of an observation in the order in which faults are told.
constexpr std::array<std::string_view, 28> kMembers = {"id",
                                                       "workspace_id",
                                                       "type",
                                                       "title",
                                                       "summary_md",
                                                       "summary_html",
                                                       "sensitivity",
                                                       "tags",
                                                       "created_by_id",
                                                       "created_by",
                                                       "created_at",
                                                       "updated_at",
                                                       "source",
                                                       "linked_subcortex_id",
                                                       "linked_thread_id",
                                                       "linked_task_id",
                                                       "attachments",
                                                       "attachment_ids",
                                                       "code_links",
                                                       "metadata",
                                                       "stats",
                                                       "cited_by",
                                                       "linked_subcortex",
                                                       "linked_thread",
                                                       "linked_task",
                                                       "commit_id",
                                                       "observations",
                                                       "fail_on_error"};
constexpr std::array<std::string_view, 5> kFixed = {"workspace_id", "type", "source",
                                                    "attachment_ids", "code_links"};

constexpr std::array<std::string_view, 6> kLinkMembers = {"repo",       "path",     "symbol",
                                                          "line_start", "line_end", "commit_sha"};

template <size_t N>
size_t rank_in(const std::array<std::string_view, N>& names, const std::string& name) {
  return static_cast<size_t>(std::ranges::find(names, name) - names.begin());
}

// Counted from one: what is about the whole comes before its elements.
size_t index_of(const Issue::Step& step) {
  size_t index = 0;
  std::from_chars(step.name.data(), step.name.data() + step.name.size(), index);
  return index + 1;
}

// nullptr if there is none.
const Value* value_at(const Value& body, const std::vector<Issue::Step>& path) {
  const Value* at = &body;
  for (const Issue::Step& step : path) {
    const auto* list = at->if_array();
    const size_t index = step.is_index ? index_of(step) - 1 : 0;
    if (list == nullptr) {
      at = at->find(step.name);
    } else {
      at = step.is_index && index < list->size() ? &(*list)[index] : nullptr;
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

// The body first: items of a batch by their index, then members by their rank, their elements, and
// theirs. Parameters are behind it, in the order in which they were judged.
std::array<size_t, 5> place_of(const Issue& issue) {
  std::span<const Issue::Step> path = issue.path;
  std::array<size_t, 5> place = {issue.location == "query" ? size_t{1} : size_t{0}};
  if (place[0] > 0) return place;
  if (path.size() > 1 && path[0].name == "observations" && path[1].is_index) {
    place[1] = index_of(path[1]);
    path = path.subspan(2);
  }
  if (path.empty()) return place;
  place[2] = rank_in(kMembers, path[0].name);
  if (path.size() > 1 && path[1].is_index) place[3] = index_of(path[1]);
  if (path.size() > 2 && path[0].name == "code_links")
    place[4] = rank_in(kLinkMembers, path[2].name);
  return place;
}

std::string code_of(const Issue& issue, const Error& error, bool patching) {
  if (issue.rule.empty()) return std::string(published(error).code);
  const bool fixed = patching && issue.rule == wire::rule::kReadOnly && issue.path.size() == 1 &&
                     std::ranges::find(kFixed, issue.path[0].name) != kFixed.end();
  if (fixed) return "NOT_PATCHABLE";
  const auto row = std::ranges::find(kRules, std::string_view(issue.rule), &RuleRow::rule);
  if (row != kRules.end()) return std::string(row->code);
  // Items of a batch may fail each for a reason of its own.
  const auto why = std::ranges::find(kReasons, std::string_view(issue.rule), &Row::reason);
  return why != kReasons.end() ? std::string(why->as.code) : issue.rule;
}

std::string field_of(const Issue& issue) {
  const std::string path = issue.path_text();
  return path.empty() ? issue.location : issue.location + "." + path;
}

// Numbers that are told as numbers.
Value param_value(const Issue::Param& param) {
  static constexpr std::array<std::string_view, 2> kNumbers = {"position", "length"};
  if (std::ranges::find(kNumbers, param.name) == kNumbers.end()) return param.value;
  int64_t number = 0;
  std::from_chars(param.value.data(), param.value.data() + param.value.size(), number);
  return number;
}

Value echoed(const Issue& issue) {
  auto value = parse_json(issue.value);
  if (!value) return {};
  const auto* text = value->if_string();
  return text != nullptr ? Value(prefix_code_points(*text, 100)) : std::move(*value);
}

Value facts_of(const Issue& issue) {
  Value facts = Value::object();
  for (const Issue::Param& param : issue.params) facts.set(param.name, param_value(param));
  return facts;
}

Value entry_of(const Issue& issue, const Error& error, bool patching) {
  if (issue.rule == detail::kFacts) return facts_of(issue);
  const std::string code = code_of(issue, error, patching);
  std::string message(issue.param("message"));
  // A demand without its parameters would be half a sentence.
  const bool whole = !issue.params.empty() || issue.rule == wire::rule::kRequired ||
                     issue.rule == wire::rule::kUnknown || issue.rule == wire::rule::kReadOnly ||
                     issue.rule == wire::rule::kDuplicate;
  if (message.empty() && whole) message = wire::issue_demand(issue);
  if (message.empty()) message = fmt::format("is not acceptable here ({})", code);
  Value entry =
      Value::object({{"field", field_of(issue)}, {"code", code}, {"message", std::move(message)}});
  if (!issue.value.empty()) entry.set("value", echoed(issue));
  if (!issue.param("severity").empty()) {
    for (const Issue::Param& param : issue.params) entry.set(param.name, param_value(param));
  }
  return entry;
}

bool is_json_fault(const Error& error) { return error.reason.starts_with("json_"); }

}  // namespace

Published published(const Error& error) {
  const auto row = std::ranges::find(kReasons, std::string_view(error.reason), &Row::reason);
  if (row != kReasons.end()) return row->as;
  switch (error.code) {
    case ErrorCode::kInvalidArgument: return {400, "VALIDATION_ERROR"};
    case ErrorCode::kUnauthenticated: return {401, "AUTH_INVALID_TOKEN"};
    case ErrorCode::kPermissionDenied: return {403, "AUTHZ_FORBIDDEN"};
    case ErrorCode::kNotFound: return {404, "RESOURCE_NOT_FOUND"};
    case ErrorCode::kAlreadyExists: return {409, "CONFLICT_DUPLICATE"};
    case ErrorCode::kConflict: return {409, "CONFLICT_STATE_TRANSITION"};
    case ErrorCode::kGone: return {410, "RESOURCE_ARCHIVED"};
    case ErrorCode::kTooLarge: return {413, "CONTENT_TOO_LARGE"};
    case ErrorCode::kRateLimited: return {429, "RATE_LIMIT_EXCEEDED"};
    case ErrorCode::kUnavailable:
    case ErrorCode::kDeadlineExceeded:
    case ErrorCode::kStorageFull: return {503, "SERVER_UNAVAILABLE"};
    case ErrorCode::kCorrupted:
    case ErrorCode::kInternal: return {500, "SERVER_INTERNAL_ERROR"};
  }
  return {500, "SERVER_INTERNAL_ERROR"};
}

Value details_of(const Error& error, std::string_view method, std::string_view route) {
  if (error.reason == reason::kKeyConflict && !error.issues.empty())
    return facts_of(error.issues.front());
  if (is_json_fault(error)) {
    return Value::array({Value::object(
        {{"field", "body"}, {"code", "INVALID_JSON"}, {"message", message_of(error)}})});
  }
  const Published as = published(error);
  Value details = Value::array();
  if (as.status >= 500 || as.status == 429) return details;
  std::vector<Issue> issues = error.issues;
  if (route.find("/observations") != std::string_view::npos)
    std::ranges::stable_sort(issues, {}, place_of);
  for (const Issue& issue : issues) details.push(entry_of(issue, error, method == "PATCH"));
  return details;
}

void tell_zero_characters(Error& error, const Value& body) {
  for (Issue& issue : error.issues) {
    if (issue.rule != wire::rule::kOneOf) continue;
    const Value* word = value_at(body, issue.path);
    const auto* text = word != nullptr ? word->if_string() : nullptr;
    if (text == nullptr || text->find('\0') == std::string::npos) continue;
    issue.rule = wire::rule::kFormat;
    issue.params = {{"expected", "without U+0000"}};
  }
}

std::string message_of(const Error& error) {
  if (published(error).status >= 500) return "The server could not do this; try again later.";
  if (error.reason == wire::reason::kValidation)
    return "The request is not valid; 'details' lists what is wrong.";
  return error.message.empty() ? "The request was refused." : error.message;
}

}  // namespace holdfast::surface::observations
