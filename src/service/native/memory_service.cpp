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
  Label label{.sensitivity = request.sensitivity, .container = request.scope.container};
  const std::string& name = call.viewer.actor;
  label.owner = name.empty() ? call.principal.value : name;
  switch (request.visibility) {
    case Audience::kPublic: label.visibility = Visibility::kPublic; break;
    case Audience::kContainer: label.visibility = Visibility::kContainer; break;
    case Audience::kPrivate: label.visibility = Visibility::kOwner; break;
  }
  return label;
}

template <typename T>
void add_once(std::vector<T>& list, T item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(std::move(item));
}

// Work references in one spelling; they and the tags each once. The time is filled in when it is
// stored.
Record record_of(const RememberRequest& request) {
  Record record{.text = request.text,
                .title = request.title,
                .scope = request.scope,
                .speaker = request.speaker,
                .source = request.source,
                .valid_from = request.valid_from,
                .valid_until = request.valid_until,
                .due_at = request.due_at,
                .work_state = request.work_state,
                .links = request.links,
                .metadata = request.metadata};
  record.scope.work_refs.clear();
  for (const auto& given : request.scope.work_refs) {
    if (auto ref = text::normalise_work_ref(given))
      add_once(record.scope.work_refs, std::move(*ref));
  }
  for (const auto& tag : request.tags) add_once(record.tags, tag);
  return record;
}

// Two requests are the same if they would store the same.
std::string fingerprint(const RememberRequest& request, const Record& record) {
  std::string text = fmt::format("{}\n{}\n{}\n{}\n{}\n", enum_name(request.kind), request.id,
                                 enum_name(request.visibility), enum_name(request.sensitivity),
                                 request.expected_revision.value_or(-1));
  if (request.occurred_at) text += format_micros(*request.occurred_at);
  return sha256(text + noun_of(request.kind).codec.encode_text(record));
}

// What is remembered of an answered call: enough to give the same answer.
struct Replay {
  std::string kind = {};
  std::string id = {};
  int64_t revision = 0;
  JournalPosition position = 0;  // 0 in answers of earlier versions
};

const Codec<Replay>& replay_codec() {
  static const Codec<Replay> codec = Codec<Replay>()
                                         .field("kind", &Replay::kind)
                                         .field("id", &Replay::id)
                                         .field("revision", &Replay::revision)
                                         .field("position", &Replay::position);
  return codec;
}

Result<std::optional<RememberResponse>> find_replay(WriteTxn& txn, const SpaceAccess& access,
                                                    const IdempotencyKey& key,
                                                    const std::string& wanted) {
  HOLDFAST_TRY(const auto record, txn.find_idempotency(access, key));
  if (!record || (record->expires_at && *record->expires_at <= txn.now()))
    return std::optional<RememberResponse>();
  if (record->state == "erased") {
    return Error{.code = ErrorCode::kGone,
                 .reason = std::string(reason::kForgotten),
                 .message = "What this key stored has been forgotten since."};
  }
  if (record->fingerprint != wanted) {
    return conflict(reason::kKeyReused,
                    "This idempotency key was used for another request. Use a new key.");
  }
  HOLDFAST_TRY(const Replay replay, replay_codec().decode_text(record->extra));
  const ObjectKey stored{.kind = replay.kind, .id = replay.id};
  HOLDFAST_TRY(auto object, replay.position > 0 ? txn.get_as_of(access, stored, replay.position)
                                                : txn.get(access, stored));
  return std::optional(RememberResponse{.space = access.space(),
                                        .object = std::move(object),
                                        .created = replay.revision == 1,
                                        .replayed = true});
}

Status keep_replay(WriteTxn& txn, const SpaceAccess& access, const IdempotencyKey& key,
                   const std::string& print, const Object& object) {
  return txn.put_idempotency(
      access, IdempotencyRecord{.key = key,
                                .fingerprint = print,
                                .extra = replay_codec().encode_text({.kind = object.key.kind,
                                                                     .id = object.key.id,
                                                                     .revision = object.revision,
                                                                     .position = object.position}),
                                .created_at = txn.now(),
                                .expires_at = txn.now() + kKeyLifetime,
                                .about = {object.key}});
}

// When it happened: as said, as it was said before, or now.
Result<Timestamp> time_of(const RememberRequest& request, const std::optional<Object>& existing,
                          Timestamp now) {
  if (request.occurred_at) return *request.occurred_at;
  if (!existing) return now;
  HOLDFAST_TRY(const Record before, storage::value_of(noun_of(request.kind), *existing));
  return before.occurred_at;
}

Error evidence_changed() {
  return conflict(reason::kEvidenceNeverChanges,
                  "Evidence never changes. Store new evidence, or forget this one if it is wrong.");
}

}  // namespace

Result<RememberResponse> MemoryService::remember(const CallContext& call,
                                                 const RememberRequest& request) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  const Noun<Record>& noun = noun_of(request.kind);
  Record record = record_of(request);
  const IdempotencyKey key{
      .caller = call.principal.value, .operation = "native.remember", .key = call.idempotency_key};
  const std::string print = key.key.empty() ? "" : fingerprint(request, record);
  const std::string id = request.id.empty() ? ids_.next() : request.id;
  const Label label = label_of(call, request);

  return storage::write_returning<RememberResponse>(
      store_, call, [&](WriteTxn& txn) -> Result<RememberResponse> {
        if (!key.key.empty()) {
          HOLDFAST_TRY(auto replay, find_replay(txn, access, key, print));
          if (replay) return std::move(*replay);
        }
        std::optional<Object> existing;
        if (!request.id.empty()) {
          if (auto found = txn.get(access, {.kind = noun.kind, .id = id}))
            existing = std::move(*found);
        }
        HOLDFAST_TRY(record.occurred_at, time_of(request, existing, txn.now()));
        storage::Put put = storage::put_of(noun, id, record, label);
        put.expected = request.id.empty() ? std::optional<Revision>(0) : request.expected_revision;
        put.message = request.reason;
        if (request.kind == RecordKind::kEvidence && existing && existing->body != put.body)
          return evidence_changed();
        HOLDFAST_TRY(Object object, txn.put(access, put));
        if (!key.key.empty()) HOLDFAST_CHECK_OK(keep_replay(txn, access, key, print, object));
        return RememberResponse{
            .space = access.space(), .object = std::move(object), .created = !existing};
      });
}

}  // namespace holdfast::service
