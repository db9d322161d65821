#include "service/continuity/schedule_service.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/time_text.h"
#include "base/utf8.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/schedule_rules.h"

namespace holdfast::service::continuity {
namespace {

Error version_conflict() {
  return schedule_error(ErrorCode::kConflict, "schedule_version_conflict", "expected_version",
                        "expected_version does not match current version");
}
Error status_conflict() {
  return schedule_error(ErrorCode::kConflict, "schedule_status_conflict", "status",
                        "schedule status does not allow this transition");
}

Error not_there(const std::string& id) {
  return structured(ErrorCode::kNotFound, Value::object({{"code", "schedule_not_found"},
                                                         {"schedule_id", id},
                                                         {"warnings", Value::array()}}));
}

Result<Value> require_item(storage::ReadTxn& txn, const Access& access, const std::string& id) {
  HOLDFAST_TRY(auto found, find_document(txn, access, reminder_noun(), id));
  if (!found) return not_there(id);
  return std::move(*found);
}

}  // namespace

Value schedule_answer(const char* flag, bool value, const Value& reminder, Timestamp now) {
  return Value::object({{"ok", true},
                        {flag, value},
                        {"item", reminder_item(reminder, now)},
                        {"warnings", Value::array()}});
}

std::string store_code(const Error& error) {
  switch (error.code) {
    case ErrorCode::kCorrupted: return "schedule_db_corrupt";
    case ErrorCode::kDeadlineExceeded: return "schedule_db_locked";
    case ErrorCode::kUnavailable:
    case ErrorCode::kStorageFull:
    case ErrorCode::kInternal: return "schedule_db_unavailable";
    default: return {};
  }
}

Result<Value> ScheduleService::write(const Request& request, const Closure& closure) {
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  auto done = storage::write_returning<Value>(
      store_, request.call, [&](storage::WriteTxn& txn) { return closure(txn, access); });
  if (done) return done;
  const std::string code = store_code(done.error());
  if (code.empty()) return done.error();
  Error failure = structured(ErrorCode::kUnavailable,
                             Value::object({{"code", code}, {"warnings", Value::array({code})}}));
  failure.detail = done.error().message;
  return failure;
}

Result<Value> ScheduleService::get(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  HOLDFAST_CHECK_OK(require_read(request.call, kSchedulePath));
  HOLDFAST_CHECK_OK(check_body(request.raw));
  HOLDFAST_CHECK_OK(refuse_unknown(request.raw, {"schedule_id"}));
  HOLDFAST_TRY(const std::string id, read_schedule_id(request.raw));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  const auto item = [&]() -> Result<Value> {
    HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
    return require_item(*txn, access, id);
  }();
  if (item)
    return Value::object(
        {{"ok", true}, {"item", reminder_item(*item, clock_.now())}, {"warnings", Value::array()}});
  const bool row = item.error().code == ErrorCode::kCorrupted;
  const std::string code = row ? kRowInvalid + id : store_code(item.error());
  if (code.empty()) return item.error();
  return Value::object({{"ok", false}, {"item", Value()}, {"warnings", Value::array({code})}});
}

Result<Value> ScheduleService::update(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_CHECK_OK(require_write(request.call, kSchedulePath));
  HOLDFAST_CHECK_OK(check_body(request.raw));
  HOLDFAST_TRY(const std::string id, read_schedule_id(request.raw));
  Value sent = request.raw;
  remove_member(sent, "schedule_id");
  HOLDFAST_TRY(const Value changes, read_reminder_patch(sent));
  HOLDFAST_TRY(const int64_t expected, read_version(sent));
  return write(request, [&](storage::WriteTxn& txn, const Access& access) -> Result<Value> {
    const Timestamp now = clock_.now();
    HOLDFAST_TRY(const Value before, require_item(txn, access, id));
    if (integer_of(before, "version", 0) != expected) return version_conflict();
    if (text_of(before, "status") != "pending") return status_conflict();
    Value item = before;
    for (const auto& member : *changes.if_object()) item.set(member.name, member.value);
    if (changes.find("due_at") != nullptr) HOLDFAST_CHECK_OK(require_future(item, now));
    HOLDFAST_CHECK_OK(check_nudge(item));
    if (json_equal(item, before)) return schedule_answer("updated", false, item, now);
    item.set("updated_at", format_seconds(now));
    item.set("updated_by", peer_of(request.call));
    item.set("version", expected + 1);
    HOLDFAST_CHECK_OK(put_document(txn, access, reminder_noun(), id, item, ""));
    return schedule_answer("updated", true, item, now);
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
  return write(request, [&](storage::WriteTxn& txn, const Access& access) {
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
  HOLDFAST_TRY(const std::string id, read_schedule_id(request.raw));
  const Timestamp now = clock_.now();
  HOLDFAST_TRY(Value item, require_item(txn, access, id));
  if (has_version && integer_of(item, "version", 0) != expected) return version_conflict();
  const std::string status = text_of(item, "status");
  const bool may_end = status == "pending" || (target == "retired" && status != "retired");
  if (!may_end) {
    if (status == target && text_of(item, "terminal_reason") == reason)
      return schedule_answer("updated", false, item, now);
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
  HOLDFAST_CHECK_OK(put_document(txn, access, reminder_noun(), id, item, ""));
  return schedule_answer("updated", true, item, now);
}

}  // namespace holdfast::service::continuity
