#include "service/continuity/schedule_rules.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/time_text.h"
#include "base/utf8.h"
#include "service/continuity/capsule.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"

namespace holdfast::service::continuity {
namespace {

constexpr const char* kPayload = "invalid_schedule_payload";
constexpr const char* kSubject = "invalid_schedule_subject";
constexpr size_t kMaxMetadataBytes = 2048;

Error wrong(const char* code, const std::string& field, const std::string& message) {
  return schedule_error(ErrorCode::kInvalidArgument, code, field, message);
}

struct TextField {
  const char* name;
  size_t min;
  size_t max;
  bool nullable;
  const char* code;
  const char* message;
};
constexpr std::array<TextField, 5> kTexts = {{
    {"idempotency_key", 1, 200, true, kPayload, "idempotency_key must be 1-200 characters"},
    {"title", 1, 160, false, "invalid_schedule_title", "title must be 1-160 characters"},
    {"note", 0, 1000, true, "invalid_schedule_note", "note must be at most 1000 characters"},
    {"task_id", 1, 200, true, kPayload, "task_id must be 1-200 characters"},
    {"thread_id", 1, 200, true, kPayload, "thread_id must be 1-200 characters"},
}};

Status read_text(const TextField& field, const Value& sent, Value& out) {
  const Value* value = sent.find(field.name);
  if (value == nullptr) return {};
  if (value->is_null() && field.nullable) return out.set(field.name, Value()), Status();
  const std::string* text = value->if_string();
  const std::string word(text != nullptr ? trim_space(*text) : std::string_view());
  const size_t length = count_code_points(word);
  if (text == nullptr || length < field.min || length > field.max)
    return wrong(field.code, field.name, field.message);
  out.set(field.name, word);
  return {};
}

bool is_schedule_id(std::string_view id) {
  if (!id.starts_with("sched_") || id.size() < 7 || id.size() > 64) return false;
  id.remove_prefix(6);
  const auto word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return word(id.front()) &&
         std::ranges::all_of(id, [&](char c) { return word(c) || c == '_' || c == '-'; });
}

Status read_id(const Value& sent, Value& out) {
  const Value* value = sent.find("schedule_id");
  if (value == nullptr || value->is_null()) return {};
  const std::string* text = value->if_string();
  const std::string id(text != nullptr ? trim_space(*text) : std::string_view());
  if (!is_schedule_id(id))
    return wrong("invalid_schedule_id", "schedule_id",
                 "schedule_id must match ^sched_[a-z0-9][a-z0-9_-]{0,57}$");
  out.set("schedule_id", id);
  return {};
}

Status read_kind(const Value& sent, Value& out) {
  const Value* value = sent.find("kind");
  if (value == nullptr) return {};
  if (value->is_null()) return wrong("invalid_schedule_kind", "kind", "kind cannot be null");
  const std::string* text = value->if_string();
  const std::string word(text != nullptr ? trim_space(*text) : std::string_view());
  if (word != "reminder" && word != "task_nudge")
    return wrong("invalid_schedule_kind", "kind", "kind must be reminder or task_nudge");
  out.set("kind", word);
  return {};
}

// YYYY-MM-DDTHH:MM:SS[.fraction][±HH:MM]: a time, but not one that says it is UTC.
bool is_other_time(std::string_view text) {
  if (text.ends_with('Z') || text.size() < 19 || text[10] != 'T') return false;
  std::string utc(text);
  const size_t sign = utc.find_first_of("+-", 19);
  if (sign == std::string::npos) utc += 'Z';
  return parse_time(utc).has_value();
}

Status read_due(const Value& sent, Value& out) {
  const Value* value = sent.find("due_at");
  if (value == nullptr) return {};
  if (value->is_null()) return wrong(kPayload, "due_at", "due_at cannot be null");
  const std::string* text = value->if_string();
  const std::string due(text != nullptr ? trim_space(*text) : std::string_view());
  if (is_other_time(due))
    return wrong("invalid_schedule_due_at", "due_at",
                 "due_at must be UTC in YYYY-MM-DDTHH:MM:SSZ form");
  if (due.size() != 20 || !due.ends_with('Z') || !parse_time(due))
    return wrong("invalid_schedule_due_at", "due_at", "due_at must use YYYY-MM-DDTHH:MM:SSZ");
  out.set("due_at", due);
  return {};
}

Error half_a_subject() {
  return wrong(kSubject, "subject_kind",
               "subject_kind and subject_id must be supplied or cleared together");
}

Status read_subject(const Value& sent, Value& out) {
  const Value* kind = sent.find("subject_kind");
  const Value* id = sent.find("subject_id");
  if (kind == nullptr && id == nullptr) return {};
  const bool no_kind = kind == nullptr || kind->is_null();
  const bool no_id = id == nullptr || id->is_null();
  if (!no_kind) {
    const std::string* word = kind->if_string();
    if (word == nullptr || std::ranges::find(subject_kinds(), *word) == subject_kinds().end())
      return wrong(kSubject, "subject_kind", "subject_kind must be user, peer, thread, or task");
  }
  if (no_kind != no_id) return half_a_subject();
  out.set("subject_kind", no_kind ? Value() : *kind);
  constexpr TextField kId = {"subject_id", 1,        200,
                             true,         kPayload, "subject_id must be 1-200 characters"};
  if (no_id) return out.set("subject_id", Value()), Status();
  return read_text(kId, sent, out);
}

Status read_metadata(const Value& sent, Value& out) {
  const Value* value = sent.find("metadata");
  if (value == nullptr) return {};
  if (value->is_null()) return out.set("metadata", Value::object()), Status();
  const auto scalar = [](const Value::Member& member) {
    return !member.value.is_object() && !member.value.is_array();
  };
  const auto* members = value->if_object();
  if (members == nullptr || !std::ranges::all_of(*members, scalar) ||
      canonical_text(*value).size() > kMaxMetadataBytes)
    return wrong("invalid_schedule_metadata", "metadata",
                 "metadata must be a flat object with canonical JSON <= 2048 bytes");
  out.set("metadata", *value);
  return {};
}

Status read_members(const Value& sent, Value& out) {
  HOLDFAST_CHECK_OK(read_text(kTexts[0], sent, out));
  HOLDFAST_CHECK_OK(read_kind(sent, out));
  HOLDFAST_CHECK_OK(read_text(kTexts[1], sent, out));
  HOLDFAST_CHECK_OK(read_text(kTexts[2], sent, out));
  HOLDFAST_CHECK_OK(read_due(sent, out));
  HOLDFAST_CHECK_OK(read_text(kTexts[3], sent, out));
  HOLDFAST_CHECK_OK(read_text(kTexts[4], sent, out));
  HOLDFAST_CHECK_OK(read_subject(sent, out));
  return read_metadata(sent, out);
}

}  // namespace

Error schedule_error(ErrorCode code, const char* name, const std::string& field,
                     const std::string& message) {
  return structured(code, Value::object({{"code", name}, {"field", field}, {"message", message}}));
}

Status refuse_unknown(const Value& sent, std::initializer_list<std::string_view> known) {
  for (const auto& member : *sent.if_object()) {
    if (std::ranges::find(known, member.name) == known.end())
      return wrong(kPayload, member.name, "unexpected field: " + member.name);
  }
  return {};
}

Result<Value> read_reminder(const Value& sent) {
  HOLDFAST_CHECK_OK(refuse_unknown(
      sent, {"schedule_id", "kind", "title", "note", "due_at", "task_id", "thread_id",
             "subject_kind", "subject_id", "idempotency_key", "metadata"}));
  for (const char* name : {"kind", "title", "due_at"}) {
    if (sent.find(name) == nullptr)
      return wrong(kPayload, name, fmt::format("{} is required", name));
  }
  Value out = Value::object();
  HOLDFAST_CHECK_OK(read_id(sent, out));
  HOLDFAST_CHECK_OK(read_members(sent, out));
  for (const char* name :
       {"note", "task_id", "thread_id", "subject_kind", "subject_id", "idempotency_key"}) {
    if (out.find(name) == nullptr) out.set(name, Value());
  }
  if (out.find("metadata") == nullptr) out.set("metadata", Value::object());
  HOLDFAST_CHECK_OK(check_nudge(out));
  return out;
}

Result<Value> read_reminder_patch(const Value& sent) {
  HOLDFAST_CHECK_OK(
      refuse_unknown(sent, {"expected_version", "kind", "title", "note", "due_at", "task_id",
                            "thread_id", "subject_kind", "subject_id", "metadata"}));
  HOLDFAST_CHECK_OK(read_version(sent));
  if (sent.if_object()->size() < 2)
    return wrong(kPayload, "body", "patch must include at least one mutable field");
  Value out = Value::object();
  HOLDFAST_CHECK_OK(read_members(sent, out));
  if ((sent.find("subject_kind") == nullptr) != (sent.find("subject_id") == nullptr))
    return half_a_subject();
  return out;
}

Result<std::string> read_schedule_id(const Value& sent) {
  const Value* id = sent.find("schedule_id");
  if (id != nullptr && id->is_string()) return *id->if_string();
  return wrong(kPayload, "schedule_id", "schedule_id must be a string");
}

Status check_nudge(const Value& reminder) {
  if (text_of(reminder, "kind") != "task_nudge") return {};
  for (const char* name : {"task_id", "thread_id", "subject_kind"}) {
    if (present(reminder, name) != nullptr) return {};
  }
  return wrong("invalid_schedule_link", "kind",
               "task_nudge requires task_id, thread_id, or subject_kind plus subject_id");
}

Result<int64_t> read_version(const Value& sent) {
  const int64_t version = integer_of(sent, "expected_version", 0);
  if (version >= 1) return version;
  return wrong("invalid_schedule_version", "expected_version",
               "expected_version must be a positive integer");
}

}  // namespace holdfast::service::continuity
