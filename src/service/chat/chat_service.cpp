#include "service/chat/chat_service.h"

#include <algorithm>

#include "base/digest.h"
#include "base/ids.h"
#include "base/log.h"
#include "base/time_text.h"
#include "base/utf8.h"
#include "service/chat/as_user.h"
#include "service/chat/failure.h"
#include "service/chat/memory.h"
#include "service/chat/replay.h"
#include "service/chat/usage.h"
#include "storage/typed.h"

namespace holdfast::service::chat {
namespace {

using access::Permission;
using access::SpaceAccess;
using storage::WriteTxn;

std::string hash_of(const ChatRun& run) {
  return to_hex(sha256(
      to_json(Value::array({run.thread_id, to_hex(sha256(run.input_text)), run.message_id}))));
}

std::string flight_key(const SpaceId& space, const ChatRun& run) {
  return run.request_id.empty()
             ? std::string()
             : to_json(Value::array({"chat", space.value, run.user, run.request_id}));
}

std::string level_name(const ChatRun& run) {
  return run.level == TraceLevel::kDebug ? "debug" : "info";
}

Transmission pending_of(const ChatRun& run, const Trace& trace, Timestamp now) {
  return {.user = run.user,
          .canonical = run.dialect == Dialect::kCanonical,
          .thread_id = run.thread_id,
          .request_id = run.request_id,
          .created_at = now,
          .trace_run_id = trace.run_id(),
          .trace_level = level_name(run)};
}

Transmission transmission_of(const ChatOutcome& outcome, Timestamp now) {
  const Execution& execution = outcome.execution;
  Transmission out{
      .user = outcome.run.user,
      .canonical = outcome.run.dialect == Dialect::kCanonical,
      .thread_id = outcome.run.thread_id,
      .request_id = outcome.run.request_id,
      .status = execution.failure ? TransmissionStatus::kFailed : TransmissionStatus::kCompleted,
      .created_at = now,
      .status_code = 200,
      .attempts = execution.attempts,
      .trace_run_id = outcome.trace.run_id(),
      .trace_level = level_name(outcome.run),
      .event_count = static_cast<int64_t>(outcome.trace.count()),
      .phase_counts = outcome.trace.phase_counts()};
  out.usage.push_back(
      {.input_chars = static_cast<int64_t>(count_code_points(outcome.run.input_text)),
       .output_chars = static_cast<int64_t>(count_code_points(execution.output_text)),
       .created_at = now});
  if (execution.failure) {
    const Failure failure = failure_of(*execution.failure);
    out.status_code = failure.status;
    out.retryable = failure.retryable;
    out.error_code = std::string(failure.code);
  }
  return out;
}

ChatCall call_of(const ChatOutcome& outcome, Timestamp now) {
  const TokenUsage& usage = outcome.execution.usage;
  return {.user = outcome.run.user,
          .day = format_date(now),
          .request_id =
              outcome.run.request_id.empty() ? outcome.transmission_id : outcome.run.request_id,
          .thread_id = outcome.run.thread_id,
          .input_tokens = usage.input_tokens,
          .output_tokens = usage.output_tokens,
          .latency_ms = usage.latency_ms,
          .cost_micros = usage.cost_micros};
}

// Keeps what the record says already: since when it is there, and of which run.
Status keep_beginning(WriteTxn& txn, const SpaceAccess& access, const std::string& transmission_id,
                      Transmission& made) {
  const auto object = txn.get(access, transmission_key(transmission_id));
  if (!object) return {};
  HOLDFAST_TRY(Transmission before, storage::value_of(transmission_noun(), *object));
  made.created_at = before.created_at;
  made.call = std::move(before.call);
  return {};
}

// What an answer tells about, and goes with.
std::vector<ObjectKey> memories_in(const Execution& execution) {
  std::vector<ObjectKey> keys;
  for (const UsedMemory& memory : execution.memories) keys.push_back(memory_key(memory.memory_id));
  return keys;
}

// A memory that the answer used was forgotten while it was worded. First of a write: if nothing was
// written meanwhile, nobody has to look.
Result<bool> any_is_gone(WriteTxn& txn, const SpaceAccess& access, const Execution& execution) {
  HOLDFAST_TRY(const JournalPosition newest, txn.position());
  if (newest == execution.read_at) return false;
  for (const ObjectKey& key : memories_in(execution)) {
    const auto memory = txn.get(access, key);
    if (memory) continue;
    if (memory.error().code == ErrorCode::kNotFound) return true;
    return memory.error();
  }
  return false;
}

}  // namespace

storage::IdempotencyKey answer_key(const std::string& user, const std::string& request_id,
                                   const std::string& transmission_id) {
  return request_id.empty() ? replay_key(user, "chat.answer", transmission_id)
                            : replay_key(user, "POST /v1/chat", request_id);
}

TraceLevel ChatService::level_of(const ChatRun& run) const {
  return parts_.settings.trace_debug_allowed ? run.level : TraceLevel::kInfo;
}

Result<ChatReply> ChatService::chat(const CallContext& call, const ChatRun& given,
                                    const RenderOutcome& render, ChatFailure& failed) {
  ChatRun run = given;
  run.level = level_of(run);
  Ticket ticket{.key = flight_key(call.viewer.space, run),
                .hash = hash_of(run),
                .transmission_id = make_uuid(),
                .message_id = make_uuid()};
  const uint64_t landed = flights_.landed();
  HOLDFAST_TRY(auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(auto reply, earlier(call, *txn, run, ticket));
  if (reply) return std::move(*reply);
  auto trace = std::make_shared<Trace>(parts_.clock, run);
  const Flight flight{.hash = ticket.hash,
                      .transmission_id = ticket.transmission_id,
                      .trace_run_id = trace->run_id(),
                      .level = run.level,
                      .space = call.viewer.space,
                      .chat = pending_of(run, *trace, parts_.clock.now())};
  if (const auto other = flights_.enter(ticket.key, flight)) {
    if (other->hash != ticket.hash) return key_reused("transmission_id", other->transmission_id);
    return ChatReply{.status = 202,
                     .transmission_id = other->transmission_id,
                     .trace_run_id = other->trace_run_id,
                     .level = other->level};
  }
  // The first may have finished between the look at the store and the one at the flights.
  const auto look_again = [&]() -> Result<std::optional<ChatReply>> {
    if (flights_.landed() == landed) return std::optional<ChatReply>();
    txn.reset();  // readers are few: nobody holds one while waiting for another
    HOLDFAST_TRY(txn, store_.begin_read(call.deadline));
    return earlier(call, *txn, run, ticket);
  };
  auto finished = look_again();
  if (!finished || *finished) {
    flights_.leave(ticket.key, flight.transmission_id);
    if (!finished) return std::move(finished).error();
    return std::move(**finished);
  }
  if (run.deferred) {
    txn.reset();
    return defer(call, run, ticket, render, trace);
  }
  auto done = finish(call, std::move(txn), run, ticket, render, *trace, failed);
  flights_.leave(ticket.key, flight.transmission_id);
  return done;
}

// The answer that this request got before, if it did. A run that failed is made again under the
// same transmission id, and so is one whose answer went with a memory, or lies where an earlier
// version kept it.
Result<std::optional<ChatReply>> ChatService::earlier(const CallContext& call,
                                                      storage::ReadTxn& txn, const ChatRun& run,
                                                      Ticket& ticket) const {
  if (ticket.key.empty()) return std::optional<ChatReply>();
  HOLDFAST_TRY(const SpaceAccess access,
               gatekeeper_.require(as_user(call, run.user), Permission::kRead));
  HOLDFAST_TRY(const auto replay, find_replay(txn, access, answer_key(run.user, run.request_id, ""),
                                              ticket.hash, "transmission_id"));
  if (!replay) return std::optional<ChatReply>();
  if (replay->state != "done" || replay->body.empty()) {
    ticket.transmission_id = replay->print.id;
    ticket.known = true;
    return std::optional<ChatReply>();
  }
  HOLDFAST_TRY(Value body, parse_json(replay->body));
  return std::optional(ChatReply{.body = std::move(body),
                                 .transmission_id = replay->print.id,
                                 .trace_run_id = replay->extra,
                                 .level = run.level,
                                 .replayed = true});
}

Result<ChatReply> ChatService::finish(const CallContext& call,
                                      std::unique_ptr<storage::ReadTxn> txn, const ChatRun& run,
                                      const Ticket& ticket, const RenderOutcome& render,
                                      Trace& trace, ChatFailure& failed) {
  const Execution execution = execute(parts_, call, std::move(txn), run, trace);
  const ChatOutcome outcome{.run = run,
                            .execution = execution,
                            .trace = trace,
                            .transmission_id = ticket.transmission_id,
                            .message_id = ticket.message_id};
  Value body = execution.failure ? Value() : render(outcome);
  HOLDFAST_CHECK_OK(store(call, outcome, ticket, body));
  if (execution.failure) {
    const bool stored = execution.reached_provider || ticket.known;
    failed = {.error = *execution.failure,
              .transmission_id = stored ? ticket.transmission_id : std::string(),
              .trace_run_id = trace.run_id(),
              .linter_flags = execution.linter_flags};
    return *execution.failure;
  }
  return ChatReply{.body = std::move(body),
                   .transmission_id = ticket.transmission_id,
                   .trace_run_id = trace.run_id(),
                   .level = run.level};
}

Status ChatService::store(const CallContext& call, const ChatOutcome& outcome, const Ticket& ticket,
                          const Value& body) {
  const ChatRun& run = outcome.run;
  HOLDFAST_TRY(const SpaceAccess access,
               gatekeeper_.require(as_user(call, run.user), Permission::kWrite));
  const bool failed = outcome.execution.failure.has_value();
  const bool reached = outcome.execution.reached_provider;
  // A message that did not fit leaves nothing behind, unless its transmission is known already.
  if (failed && !reached && !ticket.known) return {};
  const Timestamp now = parts_.clock.now();
  return store_.write(call, [&](WriteTxn& txn) -> Status {
    HOLDFAST_TRY(const bool gone, any_is_gone(txn, access, outcome.execution));
    Transmission made = transmission_of(outcome, now);
    // Totals are those of the usage that answers told: one that failed otherwise told none.
    const bool told = reached && (!failed || failure_of(*outcome.execution.failure).status == 422);
    if (told && !run.user.empty()) made.call = call_of(outcome, now);
    if (ticket.known) {
      if (made.call) HOLDFAST_CHECK_OK(keep_call(txn, access, *made.call));
      made.call = std::nullopt;
      HOLDFAST_CHECK_OK(keep_beginning(txn, access, ticket.transmission_id, made));
    }
    storage::Put put =
        storage::put_of(transmission_noun(), ticket.transmission_id, made, memory_label(run.user));
    put.fresh = !ticket.known;
    HOLDFAST_CHECK_OK(txn.add(access, std::move(put)));
    if (failed && ticket.key.empty()) return {};
    KeepReplay answer{.key = answer_key(run.user, run.request_id, ticket.transmission_id),
                      .print = {.hash = ticket.hash, .id = ticket.transmission_id, .at = now},
                      .state = failed ? "failed" : "done",
                      .extra = outcome.trace.run_id(),
                      .about = memories_in(outcome.execution)};
    if (gone) answer.state = kErased;
    if (!failed && !gone) answer.body = to_json(body);
    return keep_replay(txn, access, parts_.settings, answer);
  });
}

Result<ChatReply> ChatService::defer(const CallContext& call, const ChatRun& run,
                                     const Ticket& ticket, const RenderOutcome& render,
                                     const std::shared_ptr<Trace>& trace) {
  const Transmission pending = pending_of(run, *trace, parts_.clock.now());
  const auto accepted = [&]() -> Status {
    HOLDFAST_TRY(const SpaceAccess access,
                 gatekeeper_.require(as_user(call, run.user), Permission::kWrite));
    return store_.write(call, [&](WriteTxn& txn) -> Status {
      HOLDFAST_CHECK_OK(txn.add(access, storage::put_of(transmission_noun(), ticket.transmission_id,
                                                        pending, memory_label(run.user))));
      if (ticket.key.empty()) return {};
      return keep_replay(
          txn, access, parts_.settings,
          {.key = answer_key(run.user, run.request_id, ticket.transmission_id),
           .print = {.hash = ticket.hash, .id = ticket.transmission_id, .at = txn.now()},
           .state = "pending"});
    });
  }();
  CallContext later = call;
  later.deadline = kNoDeadline;
  Ticket again = ticket;
  again.known = true;
  const bool posted = accepted && background_.post([this, later, run, again, render, trace] {
    ChatFailure unused;
    const auto done = finish(later, nullptr, run, again, render, *trace, unused);
    if (!done) log::info("chat_deferred_failed", {{"code", failure_of(done.error()).code}});
    flights_.leave(again.key, again.transmission_id);
  });
  if (!posted) {
    flights_.leave(ticket.key, ticket.transmission_id);
    if (!accepted) return accepted.error();
    return Error{.code = ErrorCode::kUnavailable,
                 .reason = std::string(reason::kServerBusy),
                 .message = "Too many chats wait already; try again in a moment.",
                 .retry_after_seconds = 1};
  }
  return ChatReply{.status = 202,
                   .transmission_id = ticket.transmission_id,
                   .trace_run_id = trace->run_id(),
                   .level = run.level};
}

}  // namespace holdfast::service::chat
