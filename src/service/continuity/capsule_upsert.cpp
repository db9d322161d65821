#include <fmt/format.h>

#include "base/digest.h"
#include "model/json_text.h"
#include "service/continuity/capsule.h"
#include "service/continuity/capsule_service.h"
#include "service/continuity/descriptor.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/normalise.h"
#include "service/continuity/rules.h"
#include "service/continuity/utc_time.h"

namespace holdfast::service::continuity {
namespace {

constexpr std::chrono::hours kReplayLifetime{48};

Status check_transition(const Request& request) {
  const std::string name = request.text("lifecycle_transition");
  const std::string kind = request.text("subject_kind");
  const bool successor = present(request.args, "superseded_by") != nullptr;
  if (successor && name != "supersede")
    return bad_request("superseded_by is only allowed when lifecycle_transition is 'supersede'");
  if (!name.empty() && kind != "thread" && kind != "task")
    return bad_request("lifecycle_transition is only allowed for thread and task capsules");
  if (name == "supersede" && !successor)
    return bad_request("superseded_by is required when lifecycle_transition is 'supersede'");
  return {};
}

bool documents_are_null(const Request& request) {
  const Value* documents = find_path(request.raw, "capsule.continuity.related_documents");
  return documents != nullptr && documents->is_null();
}

// lifecycle of the new capsule: carried on from the stored one, then the transition.
Status move_lifecycle(Value& capsule, const Value* stored, const Transition& transition) {
  const bool had = stored != nullptr && present(*stored, "thread_descriptor") != nullptr;
  carry_lifecycle(capsule, stored);
  if (transition.name.empty()) return {};
  Value* descriptor = capsule.find("thread_descriptor");
  if (descriptor == nullptr || !had)
    return bad_request("no thread_descriptor to transition; create one first");
  return apply_transition(*descriptor, transition);
}

Result<std::optional<Value>> replayed(storage::ReadTxn& txn, const Access& access,
                                      const Request& request, const storage::IdempotencyKey& key) {
  if (key.key.empty()) return std::optional<Value>();
  HOLDFAST_TRY(const auto record, txn.find_idempotency(access, key));
  if (!record) return std::optional<Value>();
  if (record->fingerprint != sha256(to_canonical_json(request.raw)))
    return clash("Idempotency key was already used with a different request");
  HOLDFAST_TRY(Value body, parse_json(record->body));
  return std::optional<Value>(std::move(body));
}

}  // namespace

Status check_newer(const Value& incoming, const Value& stored) {
  const auto now = parse_iso(text_of(incoming, "updated_at"));
  const auto before = parse_iso(text_of(stored, "updated_at"));
  if (now && before && *now < *before) return clash(std::string(kOlder));
  if (now && before && *now == *before) return clash(std::string(kSameTime));
  return {};
}

std::string capsule_hash(const Value& capsule) { return to_hex(sha256(canonical_text(capsule))); }

Result<Value> CapsuleService::upsert(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  if (documents_are_null(request))
    return bad_request("Invalid value type in continuity.related_documents[]");
  Value incoming = tidy(*request.args.find("capsule"));
  remove_member(incoming, "verification_state");
  remove_member(incoming, "capsule_health");
  if (text_of(incoming, "subject_kind") != request.text("subject_kind") ||
      text_of(incoming, "subject_id") != request.text("subject_id"))
    return bad_request("Capsule subject does not match request subject");
  if (const Value* snapshot = present(request.args, "session_end_snapshot")) {
    apply_snapshot(incoming, *snapshot);
    incoming = tidy(std::move(incoming));
  }
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  const storage::IdempotencyKey key{.caller = peer_of(request.call),
                                    .operation = "continuity_upsert",
                                    .key = request.text("idempotency_key")};
  return storage::write_returning<Value>(
      store_, request.call, [&](storage::WriteTxn& txn) -> Result<Value> {
        HOLDFAST_TRY(auto again, replayed(txn, access, request, key));
        if (again) return std::move(*again);
        HOLDFAST_TRY(Value answer, upsert_in(txn, access, request, incoming));
        if (key.key.empty()) return answer;
        HOLDFAST_CHECK_OK(txn.put_idempotency(
            access, {.key = key,
                     .fingerprint = sha256(to_canonical_json(request.raw)),
                     .body = to_json(answer),
                     .created_at = txn.now(),
                     .expires_at = txn.now() + kReplayLifetime,
                     .about = {{.kind = capsule_noun().kind, .id = request.subject().name()}}}));
        return answer;
      });
}

Result<Value> CapsuleService::upsert_in(storage::WriteTxn& txn, const Access& access,
                                        const Request& request, const Value& incoming) const {
  const Subject subject = request.subject();
  HOLDFAST_TRY(const std::string stem, find_stem(txn, access, subject));
  HOLDFAST_CHECK_OK(require_write(request.call, active_path(stem)));
  HOLDFAST_CHECK_OK(check_transition(request));
  Value capsule = incoming;
  forget_lifecycle(capsule);
  HOLDFAST_CHECK_OK(check_capsule(capsule));

  HOLDFAST_TRY(const auto before, load_active(txn, access, subject));
  const Value* stored = before && before->valid() ? &before->stored.capsule : nullptr;
  const Status newer = stored != nullptr ? check_newer(capsule, *stored) : Status();
  if (!newer && newer.error().message == kOlder) return newer.error();
  if (stored != nullptr && request.text("merge_mode") == "preserve")
    preserve(capsule, *request.raw.find("capsule"), *stored,
             present(request.args, "session_end_snapshot"));
  const std::vector<std::string> applied = normalise(capsule);
  stamp_entries(capsule, stored);
  HOLDFAST_CHECK_OK(check_capsule(capsule));
  HOLDFAST_CHECK_OK(move_lifecycle(capsule, stored,
                                   {.name = request.text("lifecycle_transition"),
                                    .superseded_by = request.text("superseded_by")}));
  HOLDFAST_CHECK_OK(check_size(capsule));
  std::vector<ShapeIssue> none;
  capsule = tidy(take(capsule_shape(), capsule, none));

  const bool changed =
      stored == nullptr || canonical_text(capsule) != canonical_text(before->as_stored);
  if (changed && !newer) return newer.error();
  std::string commit;
  if (changed) {
    HOLDFAST_TRY(commit, put_active(txn, access,
                                    {.subject_kind = subject.kind,
                                     .subject_id = subject.id,
                                     .stem = stem,
                                     .capsule = capsule},
                                    request.message_or(fmt::format("continuity: upsert {} {}",
                                                                   subject.kind, subject.id))));
  } else {
    HOLDFAST_TRY(commit, position_text(txn));
  }
  Value answer = Value::object({{"ok", true},
                                {"path", active_path(stem)},
                                {"created", !before},
                                {"updated", changed && before},
                                {"durable", true},
                                {"latest_commit", commit},
                                {"capsule_sha256", capsule_hash(capsule)},
                                {"normalizations_applied", Value::array_of(applied)},
                                {"warnings", Value::array()},
                                {"recovery_warnings", Value::array()},
                                {"fallback_warning_detail", Value()}});
  if (present(request.args, "session_end_snapshot") != nullptr) {
    answer.set("session_end_snapshot_applied", true);
    answer.set("resume_quality", Value::object({{"adequate", is_adequate(capsule)}}));
  }
  if (const Value* descriptor = present(capsule, "thread_descriptor"))
    answer.set("lifecycle", lifecycle_of(*descriptor));
  return answer;
}

}  // namespace holdfast::service::continuity
