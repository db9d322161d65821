#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/time_text.h"
#include "base/utf8.h"
#include "service/continuity/capsule.h"
#include "service/continuity/document.h"
#include "service/continuity/schedule_rules.h"
#include "service/continuity/schedule_service.h"

namespace holdfast::service::continuity {
namespace {

using search::SortKey;

std::vector<SortKey> by_due() {
  return {{.by = SortKey::By::kNumberFacet,
           .facet = std::string(shared_facet::kDueAt),
           .descending = false},
          {.by = SortKey::By::kTextFacet, .facet = facet::kItem, .descending = false}};
}

Error bad_query(const char* code, const std::string& name, const std::string& message) {
  return schedule_error(ErrorCode::kInvalidArgument, code, "query." + name, message);
}

Result<std::optional<bool>> query_flag(const Request& request, const std::string& name) {
  if (present(request.raw, name) == nullptr) return std::optional<bool>();
  const std::string word = fold_case(text_of(request.raw, name));
  for (const char* yes : {"true", "1", "yes", "on"}) {
    if (word == yes) return std::optional(true);
  }
  for (const char* no : {"false", "0", "no", "off"}) {
    if (word == no) return std::optional(false);
  }
  const Value* raw = request.raw.find(name);
  if (const bool* flag = raw->if_bool()) return std::optional(*flag);
  return bad_query("invalid_schedule_query", name, name + " must be a boolean");
}

Result<int64_t> query_integer(const Request& request, const std::string& name, int64_t min,
                              int64_t max, int64_t otherwise) {
  const Value* raw = present(request.raw, name);
  if (raw == nullptr) return otherwise;
  int64_t number = min - 1;
  if (const int64_t* exact = raw->if_int()) number = *exact;
  if (const std::string* text = raw->if_string()) {
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (error != std::errc() || end != text->data() + text->size()) number = min - 1;
  }
  if (number >= min && number <= max) return number;
  return bad_query("invalid_schedule_query", name,
                   fmt::format("{} must be an integer between {} and {}", name, min, max));
}

// Empty where it is not given. What a query says is text; a tool's argument may be anything.
Result<std::string> query_text(const Request& request, const std::string& name) {
  const Value* raw = present(request.raw, name);
  if (raw == nullptr || raw->is_string()) return text_of(request.raw, name);
  return bad_query("invalid_schedule_query", name, name + " must be a string");
}

Status add_place(const Request& request, search::Filter& filter) {
  HOLDFAST_TRY(const std::string kind, query_text(request, "subject_kind"));
  HOLDFAST_TRY(const std::string id, query_text(request, "subject_id"));
  HOLDFAST_TRY(const std::string task, query_text(request, "task_id"));
  HOLDFAST_TRY(const std::string thread, query_text(request, "thread_id"));
  if (!kind.empty() && std::ranges::find(subject_kinds(), kind) == subject_kinds().end())
    return bad_query("invalid_schedule_subject", "subject_kind",
                     "subject_kind must be user, peer, thread, or task");
  if (kind.empty() != id.empty())
    return bad_query("invalid_schedule_subject", "subject_kind",
                     "subject_kind and subject_id must be supplied together");
  if (!kind.empty()) filter.facets.push_back(has(facet::kReminderSubject, kind + ":" + id));
  if (!task.empty()) filter.facets.push_back(has(shared_facet::kTask, task));
  if (!thread.empty()) filter.facets.push_back(has(shared_facet::kThread, thread));
  return {};
}

Status add_status(const Request& request, std::optional<bool> retired, search::Filter& filter) {
  HOLDFAST_TRY(const std::string status, query_text(request, "status"));
  if (status.empty()) {
    if (!retired.value_or(false))
      filter.facets.push_back({.name = facet::kStatus, .any_of = {"retired"}, .negated = true});
    return {};
  }
  for (const char* known : {"pending", "acknowledged", "done", "retired"}) {
    if (status == known) return filter.facets.push_back(has(facet::kStatus, status)), Status();
  }
  return bad_query("invalid_schedule_status", "status",
                   "status must be pending, acknowledged, done, or retired");
}

Value block(const std::vector<Value>& items, size_t limit, Timestamp now) {
  Value list = Value::array();
  for (size_t i = 0; i < std::min(limit, items.size()); ++i)
    list.push(reminder_item(items[i], now));
  const size_t shown = list.if_array()->size();
  return Value::object(
      {{"items", std::move(list)}, {"count", shown}, {"truncated", items.size() > limit}});
}

template <typename Ids>
void warn_unreadable(const Ids& ids, Value& warnings) {
  for (const std::string& id : ids) warnings.push(kRowInvalid + id);
  if (!ids.empty()) warnings.push("schedule_rows_skipped");
}

}  // namespace

Value reminder_item(const Value& reminder, Timestamp now) {
  Value item = Value::object();
  for (const char* name :
       {"schedule_id", "kind",         "status",      "derived_state",   "title",
        "note",        "due_at",       "created_at",  "updated_at",      "created_by",
        "updated_by",  "terminal_at",  "terminal_by", "terminal_reason", "task_id",
        "thread_id",   "subject_kind", "subject_id",  "idempotency_key", "metadata",
        "version"}) {
    const Value* member = reminder.find(name);
    item.set(name, member != nullptr ? *member : Value());
  }
  const auto due = parse_time(text_of(reminder, "due_at"));
  const bool pending = text_of(reminder, "status") == "pending";
  item.set("derived_state", !pending ? "terminal" : due && *due <= now ? "due" : "scheduled");
  return item;
}

Result<Value> ScheduleService::list(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  HOLDFAST_CHECK_OK(require_read(request.call, kSchedulePath));
  HOLDFAST_CHECK_OK(check_body(request.raw));
  search::ListRequest wanted{.sort = by_due()};
  HOLDFAST_TRY(const auto due, query_flag(request, "due"));
  HOLDFAST_TRY(const auto retired, query_flag(request, "include_retired"));
  HOLDFAST_CHECK_OK(add_status(request, retired, wanted.filter));
  HOLDFAST_CHECK_OK(add_place(request, wanted.filter));
  HOLDFAST_TRY(const int64_t limit, query_integer(request, "limit", 1, 200, 50));
  HOLDFAST_TRY(const int64_t offset, query_integer(request, "offset", 0, 10'000, 0));
  const Timestamp now = clock_.now();
  if (due) {
    wanted.filter.facets.push_back(has(facet::kStatus, "pending"));
    wanted.filter.ranges.push_back(
        *due ? search::RangeFilter{.name = std::string(shared_facet::kDueAt), .to = to_micros(now)}
             : search::RangeFilter{.name = std::string(shared_facet::kDueAt),
                                   .from = to_micros(now) + 1});
  }
  wanted.limit = static_cast<size_t>(limit);
  wanted.offset = static_cast<size_t>(offset);
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  const auto page = [&]() -> Result<DocumentPage> {
    HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
    return list_documents(*txn, access, index_, reminder_noun(), wanted);
  }();
  Value items = Value::array();
  Value warnings = Value::array();
  if (page) {
    for (const Value& item : page->documents) items.push(reminder_item(item, now));
    warn_unreadable(page->unreadable, warnings);
  } else {
    const std::string code = store_code(page.error());
    if (code.empty()) return page.error();
    warnings.push(code);
  }
  const size_t count = items.if_array()->size();
  return Value::object({{"ok", page.has_value()},
                        {"count", count},
                        {"total", page ? page->total : 0},
                        {"limit", limit},
                        {"offset", offset},
                        {"items", std::move(items)},
                        {"warnings", std::move(warnings)}});
}

Result<std::vector<Value>> ScheduleService::pending(storage::ReadTxn& txn, const Access& access,
                                                    const std::vector<Subject>& scopes,
                                                    int64_t from, int64_t to, size_t limit,
                                                    std::set<std::string>& unreadable) const {
  std::vector<Value> out;
  for (const Subject& scope : scopes) {
    std::vector<search::FacetFilter> ways = {has(facet::kReminderSubject, scope.name())};
    if (scope.kind == "thread") ways.push_back(has(shared_facet::kThread, scope.id));
    if (scope.kind == "task") ways.push_back(has(shared_facet::kTask, scope.id));
    for (const search::FacetFilter& way : ways) {
      search::ListRequest wanted{.sort = by_due(), .limit = limit + 1};
      wanted.filter.facets = {way, has(facet::kStatus, "pending")};
      wanted.filter.ranges = {{.name = std::string(shared_facet::kDueAt), .from = from, .to = to}};
      HOLDFAST_TRY(const DocumentPage page,
                   list_documents(txn, access, index_, reminder_noun(), wanted));
      out.insert(out.end(), page.documents.begin(), page.documents.end());
      unreadable.insert(page.unreadable.begin(), page.unreadable.end());
    }
  }
  const auto key = [](const Value& item) {
    return std::pair(text_of(item, "due_at"), text_of(item, "schedule_id"));
  };
  std::ranges::sort(out, {}, key);
  const auto same = [&](const Value& left, const Value& right) { return key(left) == key(right); };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

Result<Value> ScheduleService::context(const Request& request, const Access& access,
                                       storage::ReadTxn& txn,
                                       const std::vector<Subject>& scopes) const {
  const Timestamp now = clock_.now();
  Value warnings = Value::array();
  std::vector<Value> due;
  std::vector<Value> upcoming;
  const auto due_limit = static_cast<size_t>(settings_.due_limit);
  const auto upcoming_limit = static_cast<size_t>(settings_.upcoming_limit);
  if (!may_read(request.call, kSchedulePath)) {
    warnings.push("schedule_db_unavailable");
  } else {
    const int64_t at = to_micros(now);
    const int64_t end = at + settings_.upcoming_window_hours * 3'600'000'000;
    std::set<std::string> unreadable;
    HOLDFAST_TRY(due, pending(txn, access, scopes, INT64_MIN, at, due_limit, unreadable));
    HOLDFAST_TRY(upcoming, pending(txn, access, scopes, at + 1, end, upcoming_limit, unreadable));
    warn_unreadable(unreadable, warnings);
  }
  Value coming = Value::object({{"window_hours", settings_.upcoming_window_hours}});
  const Value upcoming_block = block(upcoming, upcoming_limit, now);
  for (const auto& member : *upcoming_block.if_object()) coming.set(member.name, member.value);
  return Value::object({{"due", block(due, due_limit, now)},
                        {"upcoming", std::move(coming)},
                        {"warnings", std::move(warnings)}});
}

}  // namespace holdfast::service::continuity
