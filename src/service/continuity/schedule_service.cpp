#include "service/continuity/schedule_service.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/time_text.h"
#include "base/utf8.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/schedule_rules.h"

namespace holdfast::service::continuity {
namespace {

constexpr const char* kNotFuture = "due_at_not_future";

Error version_conflict() {
  return schedule_error(ErrorCode::kConflict, "schedule_version_conflict", "expected_version",
                        "expected_version does not match current version");
}
Error status_conflict() {
  return schedule_error(ErrorCode::kConflict, "schedule_status_conflict", "status",
                        "schedule status does not allow this transition");
}

Status require_future(const Value& reminder, Timestamp now) {
  const auto due = parse_time(text_of(reminder, "due_at"));
  if (due && *due > now) return {};
  return schedule_error(ErrorCode::kInvalidArgument, kNotFuture, "due_at",
                        "due_at must be in the future");
}

Value answer_of(const char* flag, bool value, const Value& reminder, Timestamp now) {
  return Value::object({{"ok", true},
                        {flag, value},
                        {"item", reminder_item(reminder, now)},
                        {"warnings", Value::array()}});
}

Error not_there(const std::string& id) {
  return structured(ErrorCode::kNotFound, Value::object({{"code", "schedule_not_found"},
                                                         {"schedule_id", id},
                                                         {"warnings", Value::array()}}));
}

std::string identity_of(const Value& reminder, const std::string& peer) {
  Value identity = Value::object();
  for (const char* name : {"kind", "title", "note", "due_at", "task_id", "thread_id",
                           "subject_kind", "subject_id", "idempotency_key", "metadata"})
    identity.set(name, *reminder.find(name));
  identity.set("created_by", peer);
  return to_hex(sha256(canonical_text(identity)));
}

Result<Value> require_item(storage::ReadTxn& txn, const Access& access, const std::string& id) {
  HOLDFAST_TRY(auto found, find_document(txn, access, reminder_noun(), id));
  if (!found) return not_there(id);
  return std::move(*found);
}

Status check_body(const Value& body) {
  if (body.is_object()) return {};
  return schedule_error(ErrorCode::kInvalidArgument, "invalid_schedule_payload", "body",
                        "body must be a JSON object");
}

}  // namespace

Result<Value> ScheduleService::create(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_CHECK_OK(require_write(request.call, kSchedulePath));
  HOLDFAST_CHECK_OK(check_body(request.raw));
  HOLDFAST_TRY(Value wanted, read_reminder(request.raw));
  const std::string identity = identity_of(wanted, peer_of(request.call));
  if (text_of(wanted, "schedule_id").empty())
    wanted.set("schedule_id", "sched_" + identity.substr(0, 32));
  const std::string id = text_of(wanted, "schedule_id");
  const std::string key = text_of(wanted, "idempotency_key");
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  return storage::write_returning<Value>(
      store_, request.call, [&](storage::WriteTxn& txn) -> Result<Value> {
        const Timestamp now = clock_.now();
        HOLDFAST_TRY(const auto by_id, find_document(txn, access, reminder_noun(), id));
        std::optional<Value> by_key;
        if (!key.empty()) {
          HOLDFAST_TRY(const auto page,
                       txn.scan(access, {.kind = reminder_noun().kind,
                                         .equal = Facet::of(facet::kIdempotency, key),
                                         .limit = 1}));
          if (!page.objects.empty()) {
            HOLDFAST_TRY(by_key,
                         find_document(txn, access, reminder_noun(), page.objects.front().key.id));
          }
        }
        const auto same = [&](const std::optional<Value>& found) {
          return !found || text_of(*found, "identity") == identity;
        };
        const bool one =
            !by_id || !by_key || text_of(*by_id, "schedule_id") == text_of(*by_key, "schedule_id");
        if ((by_id || by_key) && one && same(by_id) && same(by_key))
          return answer_of("created", false, by_id ? *by_id : *by_key, now);
        HOLDFAST_CHECK_OK(require_future(wanted, now));
        if (by_id && by_key && !one)
          return schedule_error(ErrorCode::kConflict, "idempotency_key_conflict", "idempotency_key",
                                "idempotency_key already exists for a different schedule item");
        if (by_id)
          return schedule_error(ErrorCode::kConflict, "schedule_id_conflict", "schedule_id",
                                "schedule_id already exists for a different schedule item");
        if (by_key)
          return schedule_error(ErrorCode::kConflict, "idempotency_key_conflict", "idempotency_key",
                                "idempotency_key already exists for a different schedule item");
        Value item = wanted;
        const std::string at = format_seconds(now);
        item.set("status", "pending");
        for (const char* name : {"created_at", "updated_at"}) item.set(name, at);
        for (const char* name : {"created_by", "updated_by"}) item.set(name, peer_of(request.call));
        item.set("identity", identity);
        item.set("version", 1);
        HOLDFAST_CHECK_OK(put_document(txn, access, reminder_noun(), id, item, ""));
        return answer_of("created", true, item, now);
      });
}

Result<Value> ScheduleService::get(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  HOLDFAST_CHECK_OK(require_read(request.call, kSchedulePath));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  HOLDFAST_TRY(const Value item, require_item(*txn, access, request.text("schedule_id")));
  return Value::object(
      {{"ok", true}, {"item", reminder_item(item, clock_.now())}, {"warnings", Value::array()}});
}

Result<Value> ScheduleService::update(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_CHECK_OK(require_write(request.call, kSchedulePath));
  HOLDFAST_CHECK_OK(check_body(request.raw));
  const std::string id = request.text("schedule_id");
  Value sent = request.raw;
  remove_member(sent, "schedule_id");
  HOLDFAST_TRY(const Value changes, read_reminder_patch(sent));
  HOLDFAST_TRY(const int64_t expected, read_version(sent));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  return storage::write_returning<Value>(
      store_, request.call, [&](storage::WriteTxn& txn) -> Result<Value> {
        const Timestamp now = clock_.now();
        HOLDFAST_TRY(const Value before, require_item(txn, access, id));
        if (integer_of(before, "version", 0) != expected) return version_conflict();
        if (text_of(before, "status") != "pending") return status_conflict();
        Value item = before;
        for (const auto& member : *changes.if_object()) item.set(member.name, member.value);
        if (changes.find("due_at") != nullptr) HOLDFAST_CHECK_OK(require_future(item, now));
        HOLDFAST_CHECK_OK(check_nudge(item));
        if (json_equal(item, before)) return answer_of("updated", false, item, now);
        item.set("updated_at", format_seconds(now));
        item.set("updated_by", peer_of(request.call));
        item.set("version", expected + 1);
        HOLDFAST_CHECK_OK(put_document(txn, access, reminder_noun(), id, item, ""));
        return answer_of("updated", true, item, now);
      });
}

Result<Value> ScheduleService::acknowledge(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_CHECK_OK(require_write(request.call, kSchedulePath));
  HOLDFAST_CHECK_OK(check_body(request.raw));
  HOLDFAST_CHECK_OK(
      refuse_unknown(request.raw, {"schedule_id", "status", "reason", "expected_version"}));
  const Value* status = request.raw.find("status");
  const std::string target = status == nullptr ? "acknowledged" : text_of(request.raw, "status");
  if (target != "acknowledged" && target != "done")
    return schedule_error(ErrorCode::kInvalidArgument, "invalid_schedule_status", "status",
                          "status must be acknowledged or done");
  return end(request, target);
}

Result<Value> ScheduleService::retire(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_CHECK_OK(require_write(request.call, kSchedulePath));
  HOLDFAST_CHECK_OK(check_body(request.raw));
  HOLDFAST_CHECK_OK(refuse_unknown(request.raw, {"schedule_id", "reason", "expected_version"}));
  return end(request, "retired");
}

Result<Value> ScheduleService::end(const Request& request, const std::string& target) {
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  return storage::write_returning<Value>(store_, request.call, [&](storage::WriteTxn& txn) {
    return end_in(txn, access, request, target);
  });
}

Result<Value> ScheduleService::end_in(storage::WriteTxn& txn, const Access& access,
                                      const Request& request, const std::string& target) const {
  const Value* sent = present(request.raw, "reason");
  const std::string reason(trim_space(text_of(request.raw, "reason")));
  if (sent != nullptr && (!sent->is_string() || count_code_points(reason) > 500))
    return schedule_error(ErrorCode::kInvalidArgument, "invalid_schedule_payload", "reason",
                          "reason must be at most 500 characters");
  const bool has_version = present(request.raw, "expected_version") != nullptr;
  int64_t expected = 0;
  if (has_version) {
    HOLDFAST_TRY(expected, read_version(request.raw));
  }
  const Timestamp now = clock_.now();
  HOLDFAST_TRY(Value item, require_item(txn, access, request.text("schedule_id")));
  if (has_version && integer_of(item, "version", 0) != expected) return version_conflict();
  const std::string status = text_of(item, "status");
  const bool may_end = status == "pending" || (target == "retired" && status != "retired");
  if (!may_end) {
    if (status == target && text_of(item, "terminal_reason") == reason)
      return answer_of("updated", false, item, now);
    return status_conflict();
  }
  if (!has_version) HOLDFAST_CHECK_OK(read_version(request.raw));
  const std::string at = format_seconds(now);
  item.set("status", target);
  item.set("terminal_at", at);
  item.set("terminal_by", peer_of(request.call));
  item.set("terminal_reason", reason.empty() ? Value() : Value(reason));
  item.set("updated_at", at);
  item.set("updated_by", peer_of(request.call));
  item.set("version", integer_of(item, "version", 0) + 1);
  HOLDFAST_CHECK_OK(
      put_document(txn, access, reminder_noun(), request.text("schedule_id"), item, ""));
  return answer_of("updated", true, item, now);
}

}  // namespace holdfast::service::continuity
