// A reminder is created once per identity: what was asked for, and by whom.
#include "base/digest.h"
#include "base/time_text.h"
#include "service/continuity/document.h"
#include "service/continuity/schedule_rules.h"
#include "service/continuity/schedule_service.h"

namespace holdfast::service::continuity {
namespace {

std::string identity_of(const Value& reminder, const std::string& peer) {
  Value identity = Value::object();
  for (const char* name : {"kind", "title", "note", "due_at", "task_id", "thread_id",
                           "subject_kind", "subject_id", "idempotency_key", "metadata"})
    identity.set(name, *reminder.find(name));
  identity.set("created_by", peer);
  return to_hex(sha256(canonical_text(identity)));
}

// The reminder under an idempotency key; nothing for no key.
Result<std::optional<Value>> find_by_key(storage::ReadTxn& txn, const Access& access,
                                         const std::string& key) {
  if (key.empty()) return std::optional<Value>();
  HOLDFAST_TRY(const auto page, txn.scan(access, {.kind = reminder_noun().kind,
                                                  .equal = Facet::of(facet::kIdempotency, key),
                                                  .limit = 1}));
  if (page.objects.empty()) return std::optional<Value>();
  return find_document(txn, access, reminder_noun(), page.objects.front().key.id);
}

Error taken(const char* code, const std::string& field) {
  return schedule_error(ErrorCode::kConflict, code, field,
                        field + " already exists for a different schedule item");
}

}  // namespace

Status require_future(const Value& reminder, Timestamp now) {
  const auto due = parse_time(text_of(reminder, "due_at"));
  if (due && *due > now) return {};
  return schedule_error(ErrorCode::kInvalidArgument, "due_at_not_future", "due_at",
                        "due_at must be in the future");
}

Status check_body(const Value& body) {
  if (body.is_object()) return {};
  return schedule_error(ErrorCode::kInvalidArgument, "invalid_schedule_payload", "body",
                        "body must be a JSON object");
}

Result<Value> ScheduleService::create(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_CHECK_OK(require_write(request.call, kSchedulePath));
  HOLDFAST_CHECK_OK(check_body(request.raw));
  HOLDFAST_TRY(Value wanted, read_reminder(request.raw));
  const std::string identity = identity_of(wanted, peer_of(request.call));
  if (text_of(wanted, "schedule_id").empty())
    wanted.set("schedule_id", "sched_" + identity.substr(0, 32));
  return write(request, [&](storage::WriteTxn& txn, const Access& access) {
    return create_in(txn, access, request, wanted, identity);
  });
}

Result<Value> ScheduleService::create_in(storage::WriteTxn& txn, const Access& access,
                                         const Request& request, const Value& wanted,
                                         const std::string& identity) const {
  const Timestamp now = clock_.now();
  const std::string id = text_of(wanted, "schedule_id");
  HOLDFAST_TRY(const auto by_id, find_document(txn, access, reminder_noun(), id));
  HOLDFAST_TRY(const auto by_key, find_by_key(txn, access, text_of(wanted, "idempotency_key")));
  const auto same = [&](const std::optional<Value>& found) {
    return !found || text_of(*found, "identity") == identity;
  };
  const bool one =
      !by_id || !by_key || text_of(*by_id, "schedule_id") == text_of(*by_key, "schedule_id");
  if ((by_id || by_key) && one && same(by_id) && same(by_key))
    return schedule_answer("created", false, by_id ? *by_id : *by_key, now);
  HOLDFAST_CHECK_OK(require_future(wanted, now));
  if (by_id && one) return taken("schedule_id_conflict", "schedule_id");
  if (by_key) return taken("idempotency_key_conflict", "idempotency_key");
  Value item = wanted;
  item.set("status", "pending");
  for (const char* name : {"created_at", "updated_at"}) item.set(name, format_seconds(now));
  for (const char* name : {"created_by", "updated_by"}) item.set(name, peer_of(request.call));
  item.set("identity", identity);
  item.set("version", 1);
  HOLDFAST_CHECK_OK(put_document(txn, access, reminder_noun(), id, item, ""));
  return schedule_answer("created", true, item, now);
}

}  // namespace holdfast::service::continuity
