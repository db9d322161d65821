#include "surface/chat/surface.h"

#include <algorithm>

#include "base/ids.h"
#include "base/time_text.h"
#include "base/utf8.h"
#include "http/route_table.h"
#include "http/steps.h"
#include "model/json_text.h"
#include "service/chat/failure.h"
#include "service/chat/sentences.h"
#include "service/chat/trimming.h"
#include "surface/chat/dialect.h"
#include "surface/chat/identity.h"
#include "surface/chat/operations.h"
#include "surface/chat/render.h"
#include "wire/reading.h"

namespace holdfast::surface::chat {
namespace {

using http::Exchange;
using http::Reply;
using service::chat::ChatFailure;
using service::chat::ChatReply;
using service::chat::Dialect;

bool header_has(const wire::Headers& headers, const char* name, std::string_view word) {
  return fold_case(headers.get(name)).find(word) != std::string::npos;
}

bool is_true(std::string_view text) { return fold_case(text) == "true"; }

// An answer sentence by sentence, and at the end as a whole.
Reply as_events(const Value& body, std::string_view text) {
  auto queue = std::make_shared<http::EventQueue>();
  for (const std::string& sentence : service::chat::sentences_of(text))
    queue->push({.event = "delta", .data = to_json(Value::object({{"text", sentence}}))});
  queue->push({.event = "done", .data = to_json(body)});
  queue->finish();
  return http::event_reply(std::move(queue));
}

// Clients may name their requests more freely here than elsewhere, and the names made here look
// like all other ids of this surface.
std::optional<Reply> name_request(Exchange& exchange) {
  constexpr size_t kLongest = 128;
  const std::string_view sent = exchange.request.headers.get("X-Request-ID");
  const auto is_visible = [](char c) { return c > ' ' && c < '\x7f'; };
  const bool good =
      !sent.empty() && sent.size() <= kLongest && std::ranges::all_of(sent, is_visible);
  exchange.context.request_id = good ? std::string(sent) : make_uuid();
  return std::nullopt;
}

// An empty body is no JSON.
std::optional<Reply> need_body(Exchange& exchange) {
  const bool sends = exchange.context.method == "POST" || exchange.context.method == "PATCH";
  if (!sends || exchange.request.json) return std::nullopt;
  return exchange.refuse(Error{.code = ErrorCode::kInvalidArgument,
                               .reason = std::string(json_reason::kSyntax),
                               .message = "The body is empty; send a JSON object."});
}

class ChatSurface : public Surface {
 public:
  ChatSurface(http::Router& router, const Services& services, Face face)
      : services_(services), face_(std::move(face)) {
    mount_.name = "chat";
    mount_.prefixes = {"/v1"};
    mount_.dialect = &dialect_;
    mount_.strictness = {.reject_unknown_parameters = false,
                         .null_is_absent = false,
                         .bare_dates = false,
                         .unknown_first = true};
    mount_.json_limits = {.max_depth = 32};
    mount_.authenticator = face_.authenticator;
    mount_.time_limit = std::chrono::minutes(5);
    // The order of the contract: key, user, rate, media type, size, syntax.
    mount_.steps = {name_request,
                    http::step::authenticate,
                    http::step::run_route_checks,
                    http::step::check_rate,
                    http::step::set_deadline,
                    http::step::require_media_type,
                    http::step::check_body_size,
                    http::step::read_json,
                    need_body};
    if (face_.rate_limit)
      mount_.rate_limit = [this](Exchange& exchange) { return check_rate(exchange); };
    add_routes(router);
  }

  Result<service::chat::CreatedMemory> create(const CallContext& call, const CreateBody& body) {
    return services_.memories.create(call, {.user = call.user_id,
                                            .request_id = body.request_id,
                                            .domain = body.memory.domain,
                                            .title = body.memory.title,
                                            .content = body.memory.content,
                                            .tags = body.memory.tags,
                                            .importance = body.memory.importance,
                                            .mood_anchor = body.memory.mood_anchor,
                                            .rigor = body.memory.rigor,
                                            .source = body.source});
  }

  Result<PageAnswer> list(const CallContext& call, const ListQuery& query) {
    PageAnswer answer{.request_id = call.request_id};
    // Nothing is ever archived or pinned here, and kinds are not kept.
    if (!query.lifecycle_state.empty() || !query.memory_kind.empty()) return answer;
    service::chat::ListMemories wanted{.user = call.user_id,
                                       .domain = query.domain,
                                       .thread_id = query.thread_id,
                                       .type = query.type,
                                       .limit = query.limit,
                                       .cursor = query.cursor};
    for (const std::string& tag : query.tags_any) {
      if (!trim_space(tag).empty()) wanted.tags_any.emplace_back(trim_space(tag));
    }
    HOLDFAST_TRY(answer.page, services_.memories.list(call, wanted));
    return answer;
  }

  Result<ShownAnswer> get(const CallContext& call, const MemoryPath& path) {
    ShownAnswer answer{.request_id = call.request_id};
    HOLDFAST_TRY(answer.shown, services_.memories.get(call, call.user_id, path.memory_id));
    return answer;
  }

  Result<service::chat::PatchedMemory> patch(const CallContext& call, const PatchBody& body) {
    return services_.memories.patch(call, {.user = call.user_id,
                                           .memory_id = body.memory_id,
                                           .request_id = body.request_id,
                                           .snippet = body.patch.snippet,
                                           .tags = body.patch.tags,
                                           .mood_anchor = body.patch.mood_anchor,
                                           .summary = body.patch.summary,
                                           .title = body.patch.title});
  }

  Result<wire::Nothing> remove(const CallContext& call, const MemoryPath& path) {
    HOLDFAST_CHECK_OK(services_.memories.remove(
        call,
        {.user = call.user_id, .memory_id = path.memory_id, .confirmed = is_true(path.confirm)}));
    return wire::Nothing{};
  }

  Result<service::chat::DeletedMany> batch(const CallContext& call, const BatchDeleteBody& body) {
    return services_.memories.remove_many(call, {.user = call.user_id,
                                                 .request_id = body.request_id,
                                                 .operation = "batch_delete",
                                                 .thread_id = body.filter.thread_id,
                                                 .domain = body.filter.domain,
                                                 .tags_any = body.filter.tags_any,
                                                 .created_before = body.filter.created_before});
  }

  Result<service::chat::DeletedMany> clear(const CallContext& call, const ClearBody& body) {
    return services_.memories.remove_many(call, {.user = call.user_id,
                                                 .request_id = body.request_id,
                                                 .operation = "clear_all",
                                                 .everything = true});
  }

  Result<service::chat::DistillAccepted> distill(const CallContext& call, const DistillBody& body) {
    return services_.distill.accept(call, {.user = call.user_id,
                                           .request_id = body.request_id,
                                           .thread_id = body.thread_id,
                                           .trigger_message_id = body.trigger_message_id,
                                           .window = body.window,
                                           .reaffirm_count = body.reaffirm_count});
  }

  Result<service::chat::ShownTransmission> transmission(const CallContext& call,
                                                        const TransmissionPath& path) {
    return services_.transmissions.show(call, {.user = call.user_id, .id = path.id});
  }

  Result<service::chat::DayUsage> usage(const CallContext& call, const UsageQuery& query) {
    return services_.usage.day(
        call,
        {.user = call.user_id, .date = query.date.empty() ? format_date(face_.now()) : query.date});
  }

 private:
  void add_routes(http::Router& router) {
    http::RouteTable routes(router, mount_);
    const http::RouteOptions mine{.checks = {need_user(face_.settings.default_user)}};
    http::RouteOptions distilling = mine;
    distilling.checks.push_back(
        [this](Exchange& exchange) { return check_distill_rate(exchange); });
    routes.exchange(
        "POST", "/v1/chat", {.json_body = true},
        [this](Exchange& exchange) { return answer_chat(exchange); },
        wire::describe(chat::chat(), mount_.strictness));
    routes.post("/v1/memories", create_memory(), *this, &ChatSurface::create, mine);
    routes.get("/v1/memories", list_memories(), *this, &ChatSurface::list, mine);
    routes.get("/v1/memories/{memory_id}", get_memory(), *this, &ChatSurface::get, mine);
    routes.patch("/v1/memories/{memory_id}", patch_memory(), *this, &ChatSurface::patch, mine);
    routes.del("/v1/memories/{memory_id}", delete_memory(), *this, &ChatSurface::remove, mine);
    routes.post("/v1/memories/batch_delete", batch_delete(), *this, &ChatSurface::batch, mine);
    routes.post("/v1/memories/clear_all", clear_all(), *this, &ChatSurface::clear, mine);
    routes.post("/v1/memories/distill", chat::distill(), *this, &ChatSurface::distill, distilling);
    routes.get("/v1/transmissions/{id}", show_transmission(), *this, &ChatSurface::transmission,
               mine);
    routes.get("/v1/usage/daily", daily_usage(), *this, &ChatSurface::usage, mine);
  }

  // By user, or by address where nobody is named.
  std::string bucket(const Exchange& exchange) const {
    const auto named = named_user(exchange.call, exchange.request.headers);
    const std::string user =
        !exchange.call.user_id.empty() ? exchange.call.user_id : named.value_or("");
    return user.empty() ? "address/" + exchange.request.peer_address : "user/" + user;
  }

  std::optional<Error> check_rate(Exchange& exchange) const {
    if (face_.requests_per_minute == 0) return std::nullopt;
    return face_.rate_limit("chat/" + bucket(exchange), face_.requests_per_minute);
  }

  std::optional<Reply> check_distill_rate(Exchange& exchange) const {
    if (!face_.rate_limit || face_.distills_per_minute == 0) return std::nullopt;
    const auto error = face_.rate_limit("distill/" + bucket(exchange), face_.distills_per_minute);
    return error ? std::optional(exchange.refuse(*error)) : std::nullopt;
  }

  Reply answer_chat(Exchange& exchange) const {
    auto run = is_flat(*exchange.request.json) ? read_flat(exchange) : read_canonical(exchange);
    if (!run) return exchange.refuse(run.error());
    const wire::Headers& headers = exchange.request.headers;
    run->audit = headers.get("x-sol-audit") == "1";
    const bool flat = run->dialect == Dialect::kFlat;
    run->deferred = header_has(headers, "Prefer", "respond-async") ||
                    (flat && !face_.settings.inline_processing);
    const RenderOptions options{.audit_always = face_.settings.audit_always};
    ChatFailure failed;
    const auto reply = services_.chat.chat(
        exchange.call, *run,
        [flat, options](const service::chat::ChatOutcome& outcome) {
          return flat ? flat_answer(outcome) : canonical_answer(outcome, options);
        },
        failed);
    if (!reply) return refuse_chat(exchange, *run, reply.error(), failed);
    return send_chat(exchange, *run, *reply);
  }

  Reply send_chat(Exchange& exchange, const ChatRun& run, const ChatReply& reply) const {
    const bool flat = run.dialect == Dialect::kFlat;
    exchange.reply_headers.set(kTransmissionHeader, reply.transmission_id);
    exchange.reply_headers.set(kTraceHeader, reply.trace_run_id);
    if (reply.status == 202)
      return exchange.answer(202, flat ? flat_pending(run, reply) : canonical_pending(run, reply));
    Value body = reply.body;
    if (reply.replayed) {
      exchange.reply_headers.set(kReplayHeader, "true");
      if (flat) body.set("idempotentReplay", true);
    }
    if (header_has(exchange.request.headers, "Accept", "text/event-stream")) {
      const Value* message = body.find("assistant_message");
      const Value* text =
          message != nullptr ? message->find("output_text") : body.find("assistant");
      const std::string* words = text != nullptr ? text->if_string() : nullptr;
      return as_events(body, words != nullptr ? *words : std::string_view());
    }
    return exchange.answer(200, std::move(body));
  }

  Reply refuse_chat(Exchange& exchange, const ChatRun& run, const Error& error,
                    const ChatFailure& failed) const {
    FailureExtras extras{.transmission_id = failed.transmission_id,
                         .trace_run_id = failed.trace_run_id,
                         .linter_flags = failed.linter_flags};
    if (run.dialect == Dialect::kFlat) extras.notification_policy = notification_policy(run);
    const bool unusable = error.reason == service::chat::reason::kOutputContract ||
                          error.reason == service::chat::reason::kEnforcement;
    if (unusable) extras.fallback_text = service::chat::kFallbackText;
    if (error.reason == service::chat::reason::kBudgetExceeded)
      extras.fallback_text = service::chat::kTooLongText;
    if (!failed.transmission_id.empty()) {
      exchange.reply_headers.set(kTransmissionHeader, failed.transmission_id);
      exchange.reply_headers.set(kTraceHeader, failed.trace_run_id);
    }
    Reply reply = http::reply_of(failure_answer(exchange.context, error, extras));
    if (error.retry_after_seconds > 0)
      reply.headers.set("Retry-After", std::to_string(error.retry_after_seconds));
    return reply;
  }

  Result<ChatRun> read_canonical(Exchange& exchange) const {
    auto decoded = exchange.decode(canonical_schema());
    const auto user = named_user(exchange.call, exchange.request.headers);
    if (!decoded) return also_nobody(*exchange.request.json, user.value_or("?"), decoded.error());
    HOLDFAST_TRY(const std::string named, user);
    const CanonicalRequest& request = *decoded;
    ChatRun run = run_of(request);
    if (!named.empty() && !request.user_id.empty() && named != request.user_id)
      return another_user();
    run.user = !named.empty()               ? named
               : !request.user_id.empty()   ? request.user_id
               : !request.device_id.empty() ? "device:" + request.device_id
                                            : face_.settings.default_user;
    if (run.user.empty()) return invalid_argument("", {user_is_required()});
    return run;
  }

  static Error another_user() {
    return {.code = ErrorCode::kPermissionDenied,
            .message = "The body names another user than the credential or the header."};
  }

  static Issue user_is_required() {
    return {.path = {{.name = "user_id"}}, .rule = std::string(wire::rule::kRequired)};
  }

  // Where nobody is named either, the refusal says that too.
  Error also_nobody(const Value& body, const std::string& named, Error error) const {
    const bool somebody = !named.empty() || body.find("user_id") != nullptr ||
                          body.find("device_id") != nullptr || !face_.settings.default_user.empty();
    if (body.is_object() && !somebody) error.issues.push_back(user_is_required());
    return error;
  }

  Result<ChatRun> read_flat(Exchange& exchange) const {
    HOLDFAST_TRY(const FlatRequest request, exchange.decode(flat_schema()));
    ChatRun run = run_of(request);
    HOLDFAST_TRY(run.user, named_user(exchange.call, exchange.request.headers));
    const Value* meta_user = request.meta.find("user_id");
    const std::string* said = meta_user != nullptr ? meta_user->if_string() : nullptr;
    if (said != nullptr && !said->empty()) {
      if (!run.user.empty() && *said != run.user) return another_user();
      run.user = *said;
    }
    if (run.user.empty()) run.user = face_.settings.default_user;
    return run;
  }

  const Services services_;
  const Face face_;
  const ChatDialect dialect_;
  http::SurfaceMount mount_;
};

}  // namespace

std::unique_ptr<Surface> mount(http::Router& router, const Services& services, Face face) {
  return std::make_unique<ChatSurface>(router, services, std::move(face));
}

}  // namespace holdfast::surface::chat
