#include "service/continuity/patch.h"

#include <array>

#include <fmt/format.h>

#include "service/continuity/capsule.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"

namespace holdfast::service::continuity {
namespace {

struct Target {
  const char* path;
  size_t max;
  const char* entries;  // of structured lists: which shape; nullptr for texts
  const char* identity;
};

constexpr std::array<Target, 16> kTargets = {{
    {"continuity.open_loops", 8, nullptr, nullptr},
    {"continuity.top_priorities", 8, nullptr, nullptr},
    {"continuity.active_constraints", 8, nullptr, nullptr},
    {"continuity.active_concerns", 5, nullptr, nullptr},
    {"continuity.drift_signals", 5, nullptr, nullptr},
    {"continuity.working_hypotheses", 5, nullptr, nullptr},
    {"continuity.long_horizon_commitments", 5, nullptr, nullptr},
    {"continuity.session_trajectory", 5, nullptr, nullptr},
    {"continuity.curiosity_queue", 5, nullptr, nullptr},
    {"continuity.trailing_notes", 3, nullptr, nullptr},
    {"continuity.negative_decisions", 4, "negative_decisions", "decision"},
    {"continuity.rationale_entries", 6, "rationale_entries", "tag"},
    {"stable_preferences", 12, "stable_preferences", "tag"},
    {"thread_descriptor.keywords", 6, nullptr, nullptr},
    {"thread_descriptor.scope_anchors", 4, nullptr, nullptr},
    {"thread_descriptor.identity_anchors", 4, "identity_anchors", "kind:value"},
}};

const Target& target_of(const Value& operation) {
  const std::string name = text_of(operation, "target");
  for (const Target& target : kTargets) {
    if (name == target.path) return target;
  }
  return kTargets.front();
}

Error invalid(std::string_view what, const Target& target) {
  return bad_request(fmt::format("invalid operation: {} {}", what, target.path));
}

std::string identity_of(const Value& item, const Target& target) {
  if (target.entries == nullptr) return item.is_string() ? *item.if_string() : std::string();
  if (std::string_view(target.identity) == "kind:value")
    return text_of(item, "kind") + ":" + text_of(item, "value");
  return text_of(item, target.identity);
}

Status check_value(const Value& operation, const Target& target) {
  const Value& value = *operation.find("value");
  if (target.entries == nullptr) {
    if (value.is_string()) return {};
    return invalid("value must be a string for string-list target", target);
  }
  if (!value.is_object())
    return invalid("value must be an object for structured-list target", target);
  std::vector<ShapeIssue> issues;
  take(entry_shape(target.entries), value, issues);
  if (issues.empty()) return {};
  const ShapeIssue& first = issues.front();
  std::string field;
  for (const Value& step : first.where)
    field += (field.empty() ? "" : ".") +
             (step.is_string() ? *step.if_string() : std::to_string(*step.if_int()));
  return bad_request(fmt::format("invalid operation: invalid value for {}: {}: {}", target.path,
                                 field, first.message));
}

Status check_replace(const Target& target, bool match, bool index) {
  if (target.entries == nullptr) {
    if (!index) return invalid("replace_at requires index on string-list target", target);
    if (match) return invalid("replace_at must not specify match on string-list target", target);
    return {};
  }
  if (!match) return invalid("replace_at requires match on structured-list target", target);
  if (index) return invalid("replace_at must not specify index on structured-list target", target);
  return {};
}

Value entry_of(const Value& operation, const Target& target) {
  const Value& value = *operation.find("value");
  if (target.entries == nullptr) return value;
  std::vector<ShapeIssue> issues;
  Value entry = take(entry_shape(target.entries), value, issues);
  std::erase_if(*entry.if_object(), [](const auto& member) { return member.value.is_null(); });
  return entry;
}

Result<size_t> find_match(const Value::Array& items, const Value& operation, const Target& target) {
  const std::string match = text_of(operation, "match");
  for (size_t i = 0; i < items.size(); ++i) {
    if (identity_of(items[i], target) == match) return i;
  }
  return absent(
      fmt::format("no matching item for {} on {}", text_of(operation, "action"), target.path));
}

}  // namespace

Shape patch_operation_shape() {
  std::vector<std::string> targets;
  for (const Target& target : kTargets) targets.emplace_back(target.path);
  return object({required("target", one_of(targets)),
                 required("action", one_of({"append", "remove", "replace_at"})),
                 optional("value", any()), optional("match", text().or_null()),
                 optional("index", integer(INT64_MIN, INT64_MAX).or_null())});
}

Status check_operation(const Value& operation) {
  const Target& target = target_of(operation);
  const std::string action = text_of(operation, "action");
  const bool value = present(operation, "value") != nullptr;
  const bool match = present(operation, "match") != nullptr;
  const bool index = present(operation, "index") != nullptr;
  if (action == "append") {
    if (match || index) return invalid("append must not specify match or index on", target);
    if (!value) return invalid("append requires value on", target);
    return check_value(operation, target);
  }
  if (action == "remove") {
    if (value) return invalid("remove must not specify value on", target);
    if (!match)
      return invalid(target.entries == nullptr ? "remove requires match on string-list target"
                                               : "remove requires match on structured-list target",
                     target);
    if (index) return invalid("remove must not specify index on", target);
    return {};
  }
  if (!value) return invalid("replace_at requires value on", target);
  HOLDFAST_CHECK_OK(check_value(operation, target));
  return check_replace(target, match, index);
}

Status apply_operation(Value& capsule, const Value& operation) {
  const Target& target = target_of(operation);
  const std::string action = text_of(operation, "action");
  const std::string_view path = target.path;
  if (path.starts_with("thread_descriptor") && present(capsule, "thread_descriptor") == nullptr)
    return bad_request(
        fmt::format("capsule has no thread_descriptor for target '{}'", target.path));
  const size_t dot = path.find('.');
  Value* owner = dot == std::string_view::npos ? &capsule : capsule.find(path.substr(0, dot));
  const std::string_view name = dot == std::string_view::npos ? path : path.substr(dot + 1);
  if (owner->find(name) == nullptr) owner->set(name, Value::array());
  Value::Array& items = *owner->find(name)->if_array();
  if (action == "append") {
    if (items.size() >= target.max)
      return bad_request(
          fmt::format("append would exceed max length ({}) for {}", target.max, target.path));
    items.push_back(entry_of(operation, target));
    return {};
  }
  if (action == "replace_at" && target.entries == nullptr) {
    const int64_t index = integer_of(operation, "index", -1);
    if (index < 0 || index >= static_cast<int64_t>(items.size()))
      return absent(fmt::format("index {} out of bounds for {} (length {})", index, target.path,
                                items.size()));
    items[static_cast<size_t>(index)] = entry_of(operation, target);
    return {};
  }
  HOLDFAST_TRY(const size_t at, find_match(items, operation, target));
  if (action == "remove") {
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
  } else {
    items[at] = entry_of(operation, target);
  }
  return {};
}

}  // namespace holdfast::service::continuity
