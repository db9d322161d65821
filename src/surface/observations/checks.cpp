#include "surface/observations/checks.h"

#include <algorithm>
#include <array>

#include "base/digest.h"
#include "base/utf8.h"
#include "http/steps.h"
#include "model/json_text.h"
#include "service/observation/failure.h"
#include "surface/observations/dialect.h"
#include "surface/observations/encode.h"

namespace holdfast::surface::observations {
namespace {

namespace reason = service::observation::reason;
using http::Exchange;
using http::Reply;
using service::observation::Receipt;
using service::observation::StoredAnswer;

constexpr size_t kLongestKey = 255;
constexpr std::array<std::string_view, 2> kWithoutKey = {"/api/v2/auth/token",
                                                         "/api/v2/_test/clock"};
constexpr std::array<std::string_view, 2> kEmptyBody = {"/complete", "/archive"};

Error key_error(std::string_view why, std::string message) {
  Error error = invalid_argument(
      std::move(message),
      {{.location = "header", .path = {{.name = "idempotency-key"}}, .rule = "INVALID_FORMAT"}});
  if (why == reason::kKeyMissing) error.issues.front().rule = "REQUIRED";
  error.reason = why;
  return error;
}

bool may_be_empty(const Exchange& exchange) {
  return std::ranges::any_of(kEmptyBody, [&](std::string_view end) {
    return std::string_view(exchange.route->path).ends_with(end);
  });
}

// The two spellings of a path are one.
std::string_view without_base(std::string_view path) {
  if (path.starts_with(kBase)) path.remove_prefix(kBase.size());
  return path;
}

std::string fingerprint_of(const http::Request& request, const CanonicalMember* part) {
  std::string text = request.method + '\n' + std::string(without_base(request.path)) + '\n';
  for (const auto& parameter : request.query.all())
    text += parameter.name + '\0' + parameter.value + '\0';
  text += '\n';
  if (request.json && part == nullptr) append_canonical_json(text, *request.json);
  if (request.json && part != nullptr) append_canonical_json(text, *request.json, *part);
  return sha256(text);
}

}  // namespace

http::Step need(std::vector<std::string> any_scope, int tier) {
  return [any_scope = std::move(any_scope), tier](Exchange& exchange) -> std::optional<Reply> {
    const CallContext& call = exchange.call;
    const bool scoped = std::ranges::any_of(
        any_scope, [&](const std::string& scope) { return call.has_scope(scope); });
    if (!scoped) return refuse(exchange, service::observation::scope_required(any_scope.front()));
    if (call.trust_tier < tier)
      return refuse(exchange, service::observation::tier_required(tier, call.trust_tier));
    return std::nullopt;
  };
}

std::optional<Reply> check_media_type(Exchange& exchange) {
  return may_be_empty(exchange) ? http::step::check_media_type(exchange)
                                : http::step::require_media_type(exchange);
}

std::optional<Reply> check_key(Exchange& exchange) {
  const std::string& method = exchange.request.method;
  const bool mutating = method == "POST" || method == "PATCH" || method == "DELETE";
  if (!mutating || std::ranges::find(kWithoutKey, exchange.route->path) != kWithoutKey.end())
    return std::nullopt;
  const auto keys = exchange.request.headers.all("Idempotency-Key");
  const bool none = std::ranges::all_of(keys, [](const std::string& key) { return key.empty(); });
  if (none) {
    return refuse(exchange, key_error(reason::kKeyMissing,
                                      "Send an Idempotency-Key, so that repeating is safe."));
  }
  const std::string& key = keys.front();
  const bool good = keys.size() == 1 && key.size() <= kLongestKey &&
                    std::ranges::all_of(key, [](char c) { return c > 0x20 && c < 0x7f; });
  if (!good) {
    return refuse(exchange,
                  key_error(reason::kKeyInvalid,
                            "An Idempotency-Key is 1 to 255 visible ASCII characters, sent once."));
  }
  exchange.call.idempotency_key = key;
  return std::nullopt;
}

wire::RouteDescription keyed(wire::RouteDescription description) {
  description.parameters.push_back(
      {.source = wire::Source::kHeader,
       .name = "Idempotency-Key",
       .required = true,
       .description = "Repeating a call with its key is safe.",
       .schema =
           Value::object({{"type", "string"}, {"minLength", 1}, {"maxLength", kLongestKey}})});
  return description;
}

std::optional<Reply> check_object(Exchange& exchange) {
  if (!exchange.route->options.json_body.value_or(false)) return std::nullopt;
  http::Request& request = exchange.request;
  if (request.json && request.json->is_object()) return std::nullopt;
  if (!request.json && may_be_empty(exchange)) {
    request.json = Value::object();
    return std::nullopt;
  }
  Error error = invalid_argument("The body must be one JSON object.");
  error.reason = json_reason::kSyntax;
  return refuse(exchange, error);
}

Status check_query(const Exchange& exchange, std::initializer_list<std::string_view> known) {
  std::vector<Issue> issues;
  const auto add = [&](const std::string& name, std::string_view why) {
    issues.push_back({.location = "query", .path = {{.name = name}}, .rule = std::string(why)});
  };
  for (const auto& parameter : exchange.request.query.all()) {
    if (std::ranges::find(known, parameter.name) == known.end())
      add(parameter.name, wire::rule::kUnknown);
  }
  for (const std::string& name : exchange.request.query.broken()) add(name, wire::rule::kEncoding);
  if (issues.empty()) return {};
  Error error = invalid_argument("The query is not valid.", std::move(issues));
  error.reason = wire::reason::kValidation;
  return error;
}

void show_budget(const service::observation::BudgetState& state, wire::Headers& headers) {
  headers.set("X-RateLimit-Limit", std::to_string(state.limit));
  headers.set("X-RateLimit-Remaining", std::to_string(state.remaining));
  headers.set("X-RateLimit-Reset", std::to_string(state.reset_second));
  headers.set("X-RateLimit-Bucket", state.bucket);
}

Reply refuse(Exchange& exchange, const Error& error) {
  if (error.code == ErrorCode::kRateLimited && !error.issues.empty()) {
    const Issue& facts = error.issues.front();
    const auto show = [&](const char* header, std::string_view name) {
      exchange.reply_headers.set(header, std::string(facts.param(name)));
    };
    show("X-RateLimit-Limit", "limit");
    show("X-RateLimit-Remaining", "remaining");
    show("X-RateLimit-Reset", "reset");
    show("X-RateLimit-Bucket", "bucket");
  }
  return exchange.refuse(error);
}

Reply reply_of(const Exchange& exchange, const StoredAnswer& answer) {
  Reply reply = exchange.answer(answer.status == 204 ? 204 : answer.status, Value());
  reply.body = answer.body;
  if (!answer.location.empty()) reply.headers.set("Location", answer.location);
  if (answer.replayed) reply.headers.set("X-Idempotency-Replayed", "true");
  return reply;
}

std::string id_of(const Exchange& exchange) {
  return std::string(exchange.request.path_parameter("id"));
}

service::observation::TitleOf titles_in(const http::Request& request) {
  return [&request](size_t item) {
    std::string out;
    const Value* items = request.json->find(kItems);
    const Value& title = *items->if_array()->at(item).find("title");
    append_json_string(out, trim_space(*title.if_string()));  // as they are stored
    return out;
  };
}

Reply mutate(Exchange& exchange, service::observation::Receipts& receipts, const Prepare& prepare,
             const CanonicalMember* part) {
  const Receipt receipt{.key = exchange.call.idempotency_key,
                        .fingerprint = fingerprint_of(exchange.request, part),
                        .at = exchange.context.now,
                        .title_of = titles_in(exchange.request)};
  const auto earlier = [&]() -> std::optional<Reply> {
    const auto known = receipts.find(exchange.call, receipt);
    if (!known) return refuse(exchange, known.error());
    return *known ? std::optional(reply_of(exchange, **known)) : std::nullopt;
  };
  if (auto reply = earlier()) return std::move(*reply);
  const auto act = prepare();
  if (!act) {
    // The same request may have been done meanwhile, and changed what this one was judged by.
    if (auto reply = earlier()) return std::move(*reply);
    return refuse(exchange, act.error());
  }
  const auto answer = receipts.perform(exchange.call, receipt, *act);
  if (!answer) return refuse(exchange, answer.error());
  return reply_of(exchange, *answer);
}

Reply mutate_away(Exchange& exchange, service::observation::Receipts& receipts,
                  const Remove& remove) {
  return mutate(exchange, receipts, [&]() -> Result<service::observation::Receipts::Act> {
    return service::observation::Receipts::Act(
        [&](service::observation::Mutation& mutation) -> Result<StoredAnswer> {
          const Status removed = remove(mutation);
          const bool out_of_reach =
              !removed && (removed.error().code == ErrorCode::kNotFound ||
                           removed.error().code == ErrorCode::kPermissionDenied);
          // An error takes back what was removed.
          if (!out_of_reach) HOLDFAST_CHECK_OK(check_query(exchange));
          HOLDFAST_CHECK_OK(removed);
          return StoredAnswer{.status = 204};
        });
  });
}

StoredAnswer answer_of(const Exchange& exchange, int status, const Value& data,
                       const std::vector<service::observation::ContentWarning>& warnings) {
  return answer_of_text(exchange, status, to_json(data), warnings);
}

StoredAnswer answer_of_text(const Exchange& exchange, int status, std::string_view data,
                            const std::vector<service::observation::ContentWarning>& warnings) {
  Value meta = meta_of(exchange.context.request_id, exchange.context.now);
  if (!warnings.empty()) meta.set("content_warnings", warnings_value(warnings));
  std::string body = R"({"data":)";
  body.append(data).append(R"(,"meta":)");
  append_json(body, meta);
  body += '}';
  return {.status = status, .body = std::move(body)};
}

}  // namespace holdfast::surface::observations
