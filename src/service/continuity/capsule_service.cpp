#include "service/continuity/capsule_service.h"

#include <fmt/format.h>

#include "base/time_text.h"
#include "base/utf8.h"
#include "service/continuity/capsule.h"
#include "service/continuity/descriptor.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/normalise.h"
#include "service/continuity/patch.h"
#include "service/continuity/rules.h"
#include "service/continuity/utc_time.h"
#include "storage/typed.h"

namespace holdfast::service::continuity {
namespace {

constexpr std::string_view kMissingLower = "continuity capsule not found";
constexpr std::string_view kStoredInvalid = "stored capsule is invalid: ";

Value in_order(const Value& capsule) {
  std::vector<ShapeIssue> none;
  return tidy(take(capsule_shape(), capsule, none));
}

std::string delete_message(const Request& request) {
  const Subject subject = request.subject();
  std::string text = fmt::format("continuity: delete {} {} - {}", subject.kind, subject.id,
                                 request.text("reason"));
  if (count_code_points(text) <= 120) return text;
  return std::string(prefix_code_points(text, 117)) + "...";
}

// The name of an archive made now: the next free second, if this one is taken.
Result<std::string> free_archive(storage::WriteTxn& txn, const Access& access,
                                 const std::string& stem, Timestamp& at) {
  for (;; at += std::chrono::seconds(1)) {
    const std::string name = stem + "-" + compact_time(format_seconds(at));
    const auto taken = txn.get(access, {.kind = archive_noun().kind, .id = name});
    if (taken) continue;
    if (taken.error().code != ErrorCode::kNotFound) return taken.error();
    return name;
  }
}

}  // namespace

template <typename Closure>
Result<Value> CapsuleService::write(const Request& request, Closure&& closure) {
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  return storage::write_returning<Value>(
      store_, request.call, [&](storage::WriteTxn& txn) { return closure(txn, access); });
}

Result<Value> CapsuleService::patch(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  const Subject subject = request.subject();
  return write(request, [&](storage::WriteTxn& txn, const Access& access) -> Result<Value> {
    HOLDFAST_TRY(const std::string stem, find_stem(txn, access, subject));
    HOLDFAST_CHECK_OK(require_write(request.call, active_path(stem)));
    const Value::Array& operations = list_of(request.args, "operations");
    for (const Value& operation : operations) HOLDFAST_CHECK_OK(check_operation(operation));
    HOLDFAST_TRY(StoredCapsule stored,
                 require_active(txn, access, subject, kMissingLower, kStoredInvalid));
    HOLDFAST_CHECK_OK(require_utc(request.text("updated_at"), "updated_at"));
    HOLDFAST_CHECK_OK(check_newer(request.args, stored.capsule));
    Value capsule = stored.capsule;
    for (const Value& operation : operations)
      HOLDFAST_CHECK_OK(apply_operation(capsule, operation));
    capsule.set("updated_at", request.text("updated_at"));
    const std::vector<std::string> applied = normalise(capsule);
    stamp_entries(capsule, &stored.capsule);
    HOLDFAST_CHECK_OK(check_capsule(capsule));
    stored.capsule = in_order(capsule);
    stored.has_fallback = true;
    HOLDFAST_TRY(const std::string commit,
                 put_active(txn, access, stored,
                            request.message_or(
                                fmt::format("continuity: patch {} {}", subject.kind, subject.id))));
    return Value::object({{"ok", true},
                          {"path", active_path(stem)},
                          {"updated", true},
                          {"durable", true},
                          {"latest_commit", commit},
                          {"capsule_sha256", capsule_hash(stored.capsule)},
                          {"operations_applied", operations.size()},
                          {"normalizations_applied", Value::array_of(applied)},
                          {"warnings", Value::array()},
                          {"recovery_warnings", Value::array()}});
  });
}

Result<Value> CapsuleService::lifecycle(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_CHECK_OK(require_utc(request.text("updated_at"), "updated_at"));
  const Subject subject = request.subject();
  const Transition transition{.name = request.text("transition"),
                              .superseded_by = request.text("superseded_by")};
  return write(request, [&](storage::WriteTxn& txn, const Access& access) -> Result<Value> {
    HOLDFAST_TRY(const std::string stem, find_stem(txn, access, subject));
    HOLDFAST_CHECK_OK(require_write(request.call, active_path(stem)));
    if (transition.name == "supersede" && transition.superseded_by.empty())
      return bad_request("superseded_by is required when transition is 'supersede'");
    if (transition.name != "supersede" && !transition.superseded_by.empty())
      return bad_request("superseded_by is only allowed when transition is 'supersede'");
    HOLDFAST_TRY(StoredCapsule stored,
                 require_active(txn, access, subject, kMissingLower, kStoredInvalid));
    HOLDFAST_CHECK_OK(check_newer(request.args, stored.capsule));
    Value* descriptor = stored.capsule.find("thread_descriptor");
    if (descriptor == nullptr) return bad_request("no thread_descriptor to transition");
    const std::string before = lifecycle_of(*descriptor);
    HOLDFAST_CHECK_OK(apply_transition(*descriptor, transition));
    const std::string after = lifecycle_of(*descriptor);
    stored.capsule.set("updated_at", request.text("updated_at"));
    HOLDFAST_CHECK_OK(check_size(stored.capsule));
    stored.has_fallback = true;
    HOLDFAST_TRY(
        const std::string commit,
        put_active(txn, access, stored,
                   request.message_or(fmt::format("continuity: lifecycle {} {} {}", transition.name,
                                                  subject.kind, subject.id))));
    return Value::object({{"ok", true},
                          {"path", active_path(stem)},
                          {"lifecycle", after},
                          {"previous_lifecycle", before},
                          {"durable", true},
                          {"latest_commit", commit},
                          {"capsule_sha256", capsule_hash(stored.capsule)},
                          {"warnings", Value::array()},
                          {"recovery_warnings", Value::array()}});
  });
}

Result<Value> CapsuleService::archive(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  return write(request, [&](storage::WriteTxn& txn, const Access& access) {
    return archive_in(txn, access, request);
  });
}

Result<Value> CapsuleService::archive_in(storage::WriteTxn& txn, const Access& access,
                                         const Request& request) const {
  const Subject subject = request.subject();
  HOLDFAST_TRY(const std::string stem, find_stem(txn, access, subject));
  HOLDFAST_CHECK_OK(require_read(request.call, active_path(stem)));
  HOLDFAST_CHECK_OK(require_write(request.call, active_path(stem)));
  HOLDFAST_TRY(StoredCapsule stored,
               require_active(txn, access, subject, kCapsuleMissing, kStoredInvalid));
  Timestamp at = clock_.now();
  HOLDFAST_TRY(stored.archive_stem, free_archive(txn, access, stem, at));
  HOLDFAST_CHECK_OK(require_write(request.call, archive_path(stored.archive_stem)));
  const std::string message = fmt::format("continuity: archive {} {}", subject.kind, subject.id);
  HOLDFAST_CHECK_OK(remove_active(txn, access, stored, true, message));
  stored.archived_at = format_exact(at);
  stored.archived_by = peer_of(request.call);
  stored.reason = request.text("reason");
  HOLDFAST_CHECK_OK(put_archive(txn, access, stored, message));
  HOLDFAST_TRY(const std::string commit, position_text(txn));
  return Value::object({{"ok", true},
                        {"archived_path", archive_path(stored.archive_stem)},
                        {"removed_active_path", active_path(stem)},
                        {"durable", true},
                        {"latest_commit", commit},
                        {"warnings", Value::array()}});
}

Result<Value> CapsuleService::remove(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  return write(request, [&](storage::WriteTxn& txn, const Access& access) {
    return remove_in(txn, access, request);
  });
}

Result<Value> CapsuleService::remove_in(storage::WriteTxn& txn, const Access& access,
                                        const Request& request) const {
  const Subject subject = request.subject();
  const std::string message = delete_message(request);
  HOLDFAST_TRY(const std::string stem, find_stem(txn, access, subject));
  HOLDFAST_TRY(const auto active, load_active(txn, access, subject));
  HOLDFAST_TRY(const auto fallback, load_fallback(txn, access, subject));
  Value deleted = Value::array();
  Value missing = Value::array();
  const bool drop_active = flag_of(request.args, "delete_active");
  const bool drop_fallback = flag_of(request.args, "delete_fallback");
  if (drop_active) {
    HOLDFAST_CHECK_OK(require_write(request.call, active_path(stem)));
    (active ? deleted : missing).push(active_path(stem));
    if (active) {
      StoredCapsule stored = active->stored;
      stored.subject_kind = subject.kind;
      stored.subject_id = subject.id;
      HOLDFAST_CHECK_OK(remove_active(txn, access, stored, !drop_fallback, message));
    }
  }
  if (drop_fallback) {
    HOLDFAST_CHECK_OK(require_write(request.call, fallback_path(stem)));
    (fallback ? deleted : missing).push(fallback_path(stem));
    const ObjectKey left{.kind = fallback_noun().kind, .id = subject.name()};
    if (txn.get(access, left)) HOLDFAST_CHECK_OK(txn.remove(access, left, message));
    if (fallback && active && active->valid() && !drop_active) {
      StoredCapsule stored = active->stored;
      stored.has_fallback = false;
      HOLDFAST_CHECK_OK(put_active(txn, access, stored, message));
    }
  }
  if (flag_of(request.args, "delete_archive")) {
    HOLDFAST_TRY(const auto archives, archives_of(txn, access, subject, false));
    for (const StoredCapsule& one : archives) {
      HOLDFAST_CHECK_OK(require_write(request.call, archive_path(one.archive_stem)));
      HOLDFAST_CHECK_OK(
          txn.remove(access, {.kind = archive_noun().kind, .id = one.archive_stem}, message));
      deleted.push(archive_path(one.archive_stem));
    }
  }
  // The history of the capsule tells why something of it went, also where it was not touched
  // itself.
  const bool told = active && (drop_active || (drop_fallback && fallback && active->valid()));
  if (!told && !deleted.if_array()->empty())
    HOLDFAST_CHECK_OK(note_change(txn, access, request.call, subject, message));
  HOLDFAST_CHECK_OK(release_stem(txn, access, subject, stem));
  HOLDFAST_TRY(const std::string commit, position_text(txn));
  return Value::object({{"ok", true},
                        {"deleted_paths", deleted},
                        {"missing_paths", missing},
                        {"durable", true},
                        {"latest_commit", commit},
                        {"warnings", Value::array()}});
}

}  // namespace holdfast::service::continuity
