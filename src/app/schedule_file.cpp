#include "app/schedule_file.h"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "base/time_text.h"
#include "model/json_text.h"
#include "service/continuity/document.h"
#include "storage/sqlite/connection.h"

namespace holdfast::app {
namespace {

using storage::sqlite::Connection;
using storage::sqlite::Row;

constexpr std::array<const char*, 19> kColumns = {
    "schedule_id",  "kind",        "status",          "title",      "note",
    "due_at",       "created_at",  "updated_at",      "created_by", "updated_by",
    "terminal_at",  "terminal_by", "terminal_reason", "task_id",    "thread_id",
    "subject_kind", "subject_id",  "idempotency_key", "version"};
constexpr const char* kMetadata = "metadata_json";
constexpr const char* kIdentity = "create_identity_hash";

// The table of any version that has reminders, and its columns.
constexpr char kFindColumns[] =
    "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c "
    "WHERE m.type = 'table' AND EXISTS "
    "(SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'schedule_id') ORDER BY m.name, c.cid";

std::string identifier(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string literal(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

Value reminder_of(const Value& row) {
  Value out = Value::object();
  for (const char* name : kColumns) {
    const Value* member = row.find(name);
    out.set(name, member != nullptr ? *member : Value());
  }
  Value metadata = Value::object();
  for (const char* name : {kMetadata, "metadata"}) {
    const Value* text = row.find(name);
    if (text == nullptr || !text->is_string()) continue;
    auto parsed = parse_json(*text->if_string());
    if (parsed && parsed->is_object()) metadata = std::move(*parsed);
  }
  out.set("metadata", std::move(metadata));
  if (const Value* identity = row.find(kIdentity)) out.set("identity", *identity);
  return out;
}

// The columns that are not members of a reminder as they are, and the two that are numbers.
constexpr std::array<const char*, 3> kDerived = {kMetadata, kIdentity, "due_at_ts"};
constexpr std::array<const char*, 2> kNumbers = {"version", "due_at_ts"};

// A row of the table: the reminder with its metadata as text and its time as a number.
Value row_of(const Value& reminder) {
  Value row = reminder;
  const Value* metadata = reminder.find("metadata");
  row.set(kMetadata,
          service::continuity::canonical_text(metadata != nullptr ? *metadata : Value::object()));
  if (const Value* identity = reminder.find("identity")) row.set(kIdentity, *identity);
  const Value* due = reminder.find("due_at");
  const std::string* text = due != nullptr ? due->if_string() : nullptr;
  const auto time = text != nullptr ? parse_time(*text) : std::nullopt;
  if (time) row.set("due_at_ts", to_micros(*time) / 1'000'000);
  return row;
}

// What is bound to the statement, in the order of the columns.
std::array<std::optional<std::string>, kColumns.size() + kDerived.size()> bindings_of(
    const Value& row) {
  std::array<std::optional<std::string>, kColumns.size() + kDerived.size()> out;
  for (size_t i = 0; i < out.size(); ++i) {
    const Value* member =
        row.find(i < kColumns.size() ? kColumns.at(i) : kDerived.at(i - kColumns.size()));
    if (member == nullptr || member->is_null()) continue;
    out.at(i) = member->is_string() ? *member->if_string() : to_json(*member);
  }
  return out;
}

}  // namespace

Result<std::vector<Value>> read_schedule_file(const std::string& path) {
  HOLDFAST_TRY(const auto db, Connection::open(path, Connection::Mode::kRead));
  std::string table;
  std::string members;
  HOLDFAST_CHECK_OK(db->each(kFindColumns, [&](const Row& row) {
    if (table.empty()) table = row.text(0);
    if (row.text(0) != table) return;
    members += fmt::format("{}{}, {}", members.empty() ? "" : ", ", literal(row.text(1)),
                           identifier(row.text(1)));
  }));
  std::vector<Value> out;
  if (table.empty()) return out;
  const std::string sql = fmt::format("SELECT json_object({}) FROM {}", members, identifier(table));
  HOLDFAST_CHECK_OK(db->each(sql.c_str(), [&](const Row& row) {
    if (const auto value = parse_json(row.text(0))) out.push_back(reminder_of(*value));
  }));
  return out;
}

Status write_schedule_file(const std::string& path, const std::vector<Value>& reminders) {
  HOLDFAST_TRY(const auto db, Connection::open(path, Connection::Mode::kReadWrite));
  std::string columns;
  std::string values;
  size_t number = 0;
  const auto add = [&](const char* name) {
    const bool is_number = std::ranges::find(kNumbers, std::string_view(name)) != kNumbers.end();
    const std::string separator = number++ == 0 ? "" : ", ";
    columns += separator + name;
    values += separator + (is_number ? fmt::format("CAST(?{} AS INTEGER)", number)
                                     : fmt::format("?{}", number));
  };
  for (const char* name : kColumns) add(name);
  for (const char* name : kDerived) add(name);
  HOLDFAST_CHECK_OK(db->execute("PRAGMA journal_mode = DELETE; CREATE TABLE schedule_items (" +
                                columns + "); BEGIN"));
  const std::string insert =
      fmt::format("INSERT INTO schedule_items ({}) VALUES ({})", columns, values);
  for (const Value& reminder : reminders) {
    const auto insert_row = [&](const auto&... value) { return db->run(insert.c_str(), value...); };
    HOLDFAST_CHECK_OK(std::apply(insert_row, bindings_of(row_of(reminder))));
  }
  return db->execute("COMMIT");
}

}  // namespace holdfast::app
