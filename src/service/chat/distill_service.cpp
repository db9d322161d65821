#include "service/chat/distill_service.h"

#include <algorithm>

#include "base/digest.h"
#include "base/ids.h"
#include "base/log.h"
#include "base/utf8.h"
#include "service/chat/as_user.h"
#include "service/chat/failure.h"
#include "service/chat/gates.h"
#include "service/chat/replay.h"
#include "service/chat/validators.h"
#include "storage/typed.h"
#include "text/sentences.h"

namespace holdfast::service::chat {
namespace {

using access::Permission;
using access::SpaceAccess;
using storage::WriteTxn;

constexpr std::string_view kDistill = "POST /v1/memories/distill";

std::string_view role_name(Role role) {
  switch (role) {
    case Role::kUser: return "user";
    case Role::kAssistant: return "assistant";
    case Role::kSystem: return "system";
  }
  return {};
}

std::string hash_of(const DistillRequest& request) {
  Value window = Value::array();
  for (const WindowEntry& entry : request.window) {
    window.push(Value::array(
        {entry.message_id, role_name(entry.role), entry.content, to_micros(entry.created_at)}));
  }
  return to_hex(sha256(
      to_json(Value::array({request.thread_id, request.trigger_message_id, std::move(window)}))));
}

Memory memory_of(const DistillRequest& request, const std::string& fact, Timestamp now) {
  const Sentinel sentinel = judge_risk(fact);
  const Timestamp at = from_micros(to_micros(now) / 1000 * 1000);
  return {.id = make_uuid(),
          .user = request.user,
          .snippet = fact,
          .summary = fact,
          .mood_anchor = mood_of(fact),
          .rigor = sentinel.risk == Risk::kHigh ? Rigor::kHigh : Rigor::kNormal,
          .rigor_reason = sentinel.reasons.empty() ? std::string() : sentinel.reasons.front(),
          .thread_id = request.thread_id,
          .trigger_message_id = request.trigger_message_id,
          .created_at = at,
          .updated_at = at,
          .anchor_at = at};
}

}  // namespace

Result<DistillAccepted> DistillService::accept(const CallContext& call,
                                               const DistillRequest& request) {
  HOLDFAST_TRY(const Admission admission, admit(call, request, make_uuid()));
  DistillAccepted accepted{.request_id = request.request_id,
                           .transmission_id = admission.transmission_id,
                           .replayed = admission.replayed};
  if (!admission.work) return accepted;
  const std::string key =
      to_json(Value::array({"distill", call.viewer.space.value, request.user, request.request_id}));
  if (flights_.enter(key, {.transmission_id = admission.transmission_id})) return accepted;
  CallContext later = call;
  later.deadline = kNoDeadline;
  const bool posted = background_.post([this, later, request, admission, key] {
    work(later, request, admission.transmission_id);
    flights_.leave(key, admission.transmission_id);
  });
  if (posted) return accepted;
  flights_.leave(key, admission.transmission_id);
  return Error{.code = ErrorCode::kUnavailable,
               .reason = std::string(reason::kServerBusy),
               .message = "Too many distillations wait already; try again in a moment.",
               .retry_after_seconds = 1};
}

// A repetition gets the same transmission. If the process that had the window is gone, the window
// sent again takes its place.
Result<DistillService::Admission> DistillService::admit(const CallContext& call,
                                                        const DistillRequest& request,
                                                        const std::string& fresh_id) {
  HOLDFAST_TRY(const SpaceAccess access,
               gatekeeper_.require(as_user(call, request.user), Permission::kWrite));
  const auto key = replay_key(request.user, kDistill, request.request_id);
  const std::string hash = hash_of(request);
  return storage::write_returning<Admission>(store_, call, [&](WriteTxn& txn) -> Result<Admission> {
    Admission admission{.transmission_id = fresh_id};
    Transmission transmission{.user = request.user,
                              .packet_type = "memory_distill",
                              .thread_id = request.thread_id,
                              .created_at = clock_.now(),
                              .trigger_message_id = request.trigger_message_id,
                              .reaffirmed = request.reaffirm_count};
    HOLDFAST_TRY(const auto replay, find_replay(txn, access, key, hash, "transmission_id"));
    if (replay) {
      admission = {.transmission_id = replay->print.id, .replayed = true};
      HOLDFAST_TRY(const Object object,
                   txn.get(access, transmission_key(admission.transmission_id)));
      HOLDFAST_TRY(transmission, storage::value_of(transmission_noun(), object));
      transmission.reaffirmed = std::max(transmission.reaffirmed + 1, request.reaffirm_count);
      admission.work = transmission.status == TransmissionStatus::kProcessing &&
                       !flights_.has(admission.transmission_id);
    }
    HOLDFAST_CHECK_OK(
        txn.put(access, storage::put_of(transmission_noun(), admission.transmission_id,
                                        transmission, memory_label(request.user))));
    if (replay) return admission;
    HOLDFAST_CHECK_OK(
        keep_replay(txn, access, settings_,
                    {.key = key, .print = {.hash = hash, .id = fresh_id, .at = txn.now()}}));
    return admission;
  });
}

void DistillService::work(const CallContext& call, const DistillRequest& request,
                          const std::string& transmission_id) {
  const std::optional<std::string> fact =
      completer_ != nullptr
          ? distill_with(*completer_, request.window, request.trigger_message_id,
                         std::chrono::steady_clock::now() + settings_.openai_timeout)
          : distill(request.window, request.trigger_message_id);
  const Status done = conclude(call, request, transmission_id, fact);
  if (!done) {
    log::warn("distillation_failed",
              {{"transmission", transmission_id}, {"detail", done.error().detail}});
  }
}

Status DistillService::conclude(const CallContext& call, const DistillRequest& request,
                                const std::string& transmission_id,
                                const std::optional<std::string>& fact) {
  HOLDFAST_TRY(const SpaceAccess access,
               gatekeeper_.require(as_user(call, request.user), Permission::kWrite));
  return store_.write(call, [&](WriteTxn& txn) -> Status {
    HOLDFAST_TRY(const Object object, txn.get(access, transmission_key(transmission_id)));
    HOLDFAST_TRY(Transmission transmission, storage::value_of(transmission_noun(), object));
    // Everything may have been cleared in the meantime.
    if (transmission.status != TransmissionStatus::kProcessing) return {};
    transmission.status = TransmissionStatus::kCompleted;
    transmission.status_code = 200;
    if (fact) {
      const Memory made = memory_of(request, *fact, clock_.now());
      transmission.mood_anchor = made.mood_anchor;
      transmission.rigor = std::string(enum_name(made.rigor));
      HOLDFAST_TRY(transmission.memory_id, keep_fact(txn, access, request, *fact, made));
    }
    return txn.add(
        access, storage::put_of(transmission_noun(), transmission_id, transmission, object.label));
  });
}

// A fact that the same message gave before is kept once; saying it again makes it fresh.
Result<std::string> DistillService::keep_fact(WriteTxn& txn, const SpaceAccess& access,
                                              const DistillRequest& request,
                                              const std::string& fact, const Memory& made) {
  search::ListRequest wanted{.filter = {.kinds = {memory_noun().kind}}, .limit = 100};
  wanted.filter.facets = {
      {.name = std::string(facet::kUser), .any_of = {request.user}},
      {.name = std::string(facet::kTrigger), .any_of = {request.trigger_message_id}}};
  HOLDFAST_TRY(const auto listed, index_.list(access, wanted));
  std::vector<ObjectNumber> numbers;
  for (const auto& hit : listed.hits) numbers.push_back(hit.number);
  HOLDFAST_TRY(const auto objects, txn.get_many(access, numbers));
  for (const Object& object : objects) {
    HOLDFAST_TRY(Memory memory, storage::value_of(memory_noun(), object));
    if (comparable(memory.snippet) != comparable(fact)) continue;
    memory.anchor_at = made.anchor_at;
    ++memory.reaffirmed;
    HOLDFAST_CHECK_OK(
        txn.put(access, storage::put_of(memory_noun(), object.key.id, memory, object.label)));
    return object.key.id;
  }
  HOLDFAST_CHECK_OK(
      txn.put(access, storage::put_of(memory_noun(), made.id, made, memory_label(request.user))));
  return made.id;
}

}  // namespace holdfast::service::chat
