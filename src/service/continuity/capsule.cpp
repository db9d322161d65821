#include "service/continuity/capsule.h"

#include <algorithm>

#include "base/utf8.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/utc_time.h"

namespace holdfast::service::continuity {
namespace {

const std::string kEpoch = "1970-01-01T00:00:00Z";

void drop_nulls(Value& value) {
  if (auto* members = value.if_object()) {
    std::erase_if(*members, [](const Value::Member& member) { return member.value.is_null(); });
  }
}

void drop_entry_nulls(Value& value, std::string_view path) {
  Value* list = find_path(value, path);
  if (list == nullptr || !list->is_array()) return;
  for (Value& entry : *list->if_array()) drop_nulls(entry);
}

// Entries of old: set_at was both times; missing times are those of the capsule.
void upgrade_entries(Value& capsule, std::string_view path, const std::string& updated_at) {
  Value* list = find_path(capsule, path);
  if (list == nullptr || !list->is_array()) return;
  for (Value& entry : *list->if_array()) {
    if (!entry.is_object()) continue;
    const std::string set_at = text_of(entry, "set_at");
    remove_member(entry, "set_at");
    for (const char* name : {"created_at", "updated_at"}) {
      if (present(entry, name) == nullptr) entry.set(name, set_at.empty() ? updated_at : set_at);
    }
  }
}

std::string repaired_time(const std::string& own, const std::string& other) {
  const std::string& text = trim_space(own).empty() ? other : own;
  const auto at = parse_iso(text);
  return at ? format_exact(*at) : kEpoch;
}

}  // namespace

Value tidy(Value capsule) {
  drop_nulls(capsule);
  for (const char* path : {"source", "continuity", "continuity.relationship_model",
                           "continuity.retrieval_hints", "attention_policy", "freshness",
                           "verification_state", "capsule_health", "thread_descriptor"}) {
    if (Value* inner = find_path(capsule, path)) drop_nulls(*inner);
  }
  for (const char* path :
       {"continuity.negative_decisions", "continuity.rationale_entries", "stable_preferences"})
    drop_entry_nulls(capsule, path);
  capsule.set("schema_version", "1.1");
  return capsule;
}

Result<Value> upgraded(const Value& stored) {
  Value capsule = stored;
  if (!capsule.is_object()) return bad_request("the capsule is no object");
  const std::string updated = text_of(capsule, "updated_at");
  const std::string verified = text_of(capsule, "verified_at");
  capsule.set("updated_at", repaired_time(updated, verified));
  capsule.set("verified_at", repaired_time(verified, updated));
  for (const char* path :
       {"continuity.negative_decisions", "continuity.rationale_entries", "stable_preferences"})
    upgrade_entries(capsule, path, text_of(capsule, "updated_at"));
  std::vector<ShapeIssue> issues;
  Value taken = take(capsule_shape(), capsule, issues);
  if (!issues.empty()) {
    const ShapeIssue& first = issues.front();
    const std::string* name = first.where.empty() ? nullptr : first.where.back().if_string();
    return bad_request((name != nullptr ? *name + ": " : std::string()) + first.message);
  }
  return tidy(std::move(taken));
}

}  // namespace holdfast::service::continuity
