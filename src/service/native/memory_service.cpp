#include "service/native/memory_service.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/digest.h"
#include "storage/typed.h"
#include "text/work_ref.h"

namespace holdfast::service {
namespace {

using access::Permission;
using access::SpaceAccess;
using storage::IdempotencyKey;
using storage::IdempotencyRecord;
using storage::WriteTxn;

constexpr std::chrono::hours kKeyLifetime{24};

const Noun<Record>& noun_of(RecordKind kind) {
  return kind == RecordKind::kMemory ? memory_noun() : evidence_noun();
}

Label label_of(const CallContext& call, const RememberRequest& request) {
  Label label{.sensitivity = request.sensitivity, .container = request.record.scope.container};
  const std::string& name = call.viewer.actor;
  label.owner = name.empty() ? call.principal.value : name;
  switch (request.audience) {
    case Audience::kPublic: label.visibility = Visibility::kPublic; break;
    case Audience::kContainer: label.visibility = Visibility::kContainer; break;
    case Audience::kPrivate: label.visibility = Visibility::kOwner; break;
  }
  return label;
}

// Work references in one spelling, each once.
void normalise(Record& record) {
  std::vector<std::string> refs;
  for (const auto& given : record.scope.work_refs) {
    auto ref = text::normalise_work_ref(given);
    if (ref && std::ranges::find(refs, *ref) == refs.end()) refs.push_back(std::move(*ref));
  }
  record.scope.work_refs = std::move(refs);
  std::vector<std::string> tags;
  for (auto& tag : record.tags) {
    if (std::ranges::find(tags, tag) == tags.end()) tags.push_back(std::move(tag));
  }
  record.tags = std::move(tags);
}

// Two requests are the same if they would store the same. The time of storing is not part of it.
std::string fingerprint(const RememberRequest& request) {
  const Record& record = request.record;
  std::string text = fmt::format("{}\n{}\n{}\n{}\n{}\n", enum_name(request.kind), request.id, enum_name(request.audience),
                                 enum_name(request.sensitivity), request.expected_revision.value_or(-1));
  text += request.occurred_at ? format_micros(*request.occurred_at) : "";
  text += noun_of(request.kind).codec.encode_text(record);
  return sha256(text);
}

// What is remembered of an answered call: enough to give the same answer.
struct Replay {
  std::string kind = {};
  std::string id = {};
  int64_t revision = 0;
};

const Codec<Replay>& replay_codec() {
  static const Codec<Replay> codec =
      Codec<Replay>().field("kind", &Replay::kind).field("id", &Replay::id).field("revision", &Replay::revision);
  return codec;
}

Result<std::optional<RememberResponse>> find_replay(WriteTxn& txn, const SpaceAccess& access, const IdempotencyKey& key,
                                                    const std::string& wanted) {
  HOLDFAST_TRY(const auto record, txn.find_idempotency(access, key));
  if (!record || (record->expires_at && *record->expires_at <= txn.now())) return std::optional<RememberResponse>();
  if (record->state == "erased") {
    return Error{.code = ErrorCode::kGone,
                 .reason = std::string(reason::kForgotten),
                 .message = "What this key stored has been forgotten since."};
  }
  if (record->fingerprint != wanted) {
    return conflict(reason::kKeyReused, "This idempotency key was used for another request. Use a new key.");
  }
  HOLDFAST_TRY(const Replay replay, replay_codec().decode_text(record->extra));
  HOLDFAST_TRY(auto object, txn.get(access, {.kind = replay.kind, .id = replay.id}));
  return std::optional(RememberResponse{
      .space = access.space(), .object = std::move(object), .created = replay.revision == 1, .replayed = true});
}

Status keep_replay(WriteTxn& txn, const SpaceAccess& access, const IdempotencyKey& key, const std::string& print,
                   const Object& object) {
  return txn.put_idempotency(
      access, IdempotencyRecord{.key = key,
                                .fingerprint = print,
                                .extra = replay_codec().encode_text({.kind = object.key.kind, .id = object.key.id, .revision = object.revision}),
                                .created_at = txn.now(),
                                .expires_at = txn.now() + kKeyLifetime,
                                .about = {object.key}});
}

// Evidence may be sent again, but only as it is.
Status check_evidence(WriteTxn& txn, const SpaceAccess& access, const storage::Put& put) {
  const auto existing = txn.get(access, put.key);
  if (!existing || existing->body == put.body) return {};
  return conflict(reason::kEvidenceNeverChanges,
                  "Evidence never changes. Store new evidence, or forget this one if it is wrong.");
}

}  // namespace

Result<RememberResponse> MemoryService::remember(const CallContext& call, const RememberRequest& request) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  RememberRequest wanted = request;
  normalise(wanted.record);
  const IdempotencyKey key{.caller = call.principal.value, .operation = "native.remember", .key = call.idempotency_key};
  const std::string print = key.key.empty() ? "" : fingerprint(wanted);
  const std::string id = wanted.id.empty() ? ids_.next() : wanted.id;
  const Label label = label_of(call, wanted);

  return storage::write_returning<RememberResponse>(store_, call, [&](WriteTxn& txn) -> Result<RememberResponse> {
    if (!key.key.empty()) {
      HOLDFAST_TRY(auto replay, find_replay(txn, access, key, print));
      if (replay) return std::move(*replay);
    }
    Record record = wanted.record;
    const auto existing = txn.get(access, {.kind = noun_of(wanted.kind).kind, .id = id});
    record.occurred_at = wanted.occurred_at ? *wanted.occurred_at : existing ? existing->created_at : txn.now();
    storage::Put put = storage::put_of(noun_of(wanted.kind), id, record, label);
    put.expected = wanted.id.empty() ? std::optional<Revision>(0) : wanted.expected_revision;
    put.message = wanted.reason;
    if (wanted.kind == RecordKind::kEvidence) HOLDFAST_CHECK_OK(check_evidence(txn, access, put));
    HOLDFAST_TRY(Object object, txn.put(access, put));
    if (!key.key.empty()) HOLDFAST_CHECK_OK(keep_replay(txn, access, key, print, object));
    return RememberResponse{.space = access.space(), .object = std::move(object), .created = !existing};
  });
}

}  // namespace holdfast::service
