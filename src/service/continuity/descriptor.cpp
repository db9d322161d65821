#include "service/continuity/descriptor.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/utf8.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/letters.h"

namespace holdfast::service::continuity {
namespace {

Status clean_keywords(Value& descriptor) {
  Value out = Value::array();
  std::set<std::string> seen;
  for (const Value& item : list_of(descriptor, "keywords")) {
    const std::string word = lower_case(trim_space(*item.if_string()));
    if (word.empty() || !seen.insert(word).second) continue;
    if (count_code_points(word) > 40) return bad_request("Keyword must be 1-40 characters");
    out.push(word);
  }
  descriptor.set("keywords", std::move(out));
  return {};
}

Status check_scope_anchors(const Value& descriptor) {
  for (const Value& item : list_of(descriptor, "scope_anchors")) {
    const std::string& anchor = *item.if_string();
    if (anchor.empty() || has_control(anchor) || trim_space(anchor).size() != anchor.size() ||
        count_code_points(anchor) > 200)
      return bad_request(fmt::format("Invalid scope_anchor format: {}", anchor));
  }
  return {};
}

bool is_anchor_kind(std::string_view kind) {
  if (kind.empty() || kind.size() > 40 || kind.front() < 'a' || kind.front() > 'z') return false;
  return std::ranges::all_of(kind, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

Status clean_identity_anchors(Value& descriptor) {
  Value out = Value::array();
  std::set<std::pair<std::string, std::string>> seen;
  for (const Value& item : list_of(descriptor, "identity_anchors")) {
    const std::string kind = lower_case(trim_space(text_of(item, "kind")));
    const std::string value(trim_space(text_of(item, "value")));
    if (!is_anchor_kind(kind))
      return bad_request(fmt::format("Invalid identity_anchor kind: {}", kind));
    if (value.empty() || count_code_points(value) > 200)
      return bad_request("identity_anchor value must be 1-200 characters");
    if (!seen.insert({kind, value}).second)
      return bad_request(fmt::format("Duplicate identity_anchor: ({}, {})", kind, value));
    out.push(Value::object({{"kind", kind}, {"value", value}}));
  }
  descriptor.set("identity_anchors", std::move(out));
  return {};
}

struct Step {
  const char* from;
  const char* transition;
  const char* to;
};
constexpr std::array<Step, 6> kSteps = {{{"active", "suspend", "suspended"},
                                         {"active", "conclude", "concluded"},
                                         {"active", "supersede", "superseded"},
                                         {"suspended", "resume", "active"},
                                         {"suspended", "conclude", "concluded"},
                                         {"suspended", "supersede", "superseded"}}};

}  // namespace

Status clean_descriptor(Value& capsule) {
  Value* descriptor = capsule.find("thread_descriptor");
  if (descriptor == nullptr || descriptor->is_null()) return {};
  const std::string kind = text_of(capsule, "subject_kind");
  if (kind != "thread" && kind != "task")
    return bad_request("thread_descriptor is only allowed for thread and task capsules");
  HOLDFAST_CHECK_OK(clean_keywords(*descriptor));
  HOLDFAST_CHECK_OK(check_scope_anchors(*descriptor));
  return clean_identity_anchors(*descriptor);
}

void forget_lifecycle(Value& capsule) {
  if (Value* descriptor = capsule.find("thread_descriptor")) {
    remove_member(*descriptor, "lifecycle");
    remove_member(*descriptor, "superseded_by");
  }
}

std::string lifecycle_of(const Value& descriptor) {
  const std::string word = text_of(descriptor, "lifecycle");
  return word.empty() ? "active" : word;
}

void carry_lifecycle(Value& capsule, const Value* stored) {
  Value* descriptor = capsule.find("thread_descriptor");
  if (descriptor == nullptr) return;
  forget_lifecycle(capsule);
  const Value* before = stored != nullptr ? present(*stored, "thread_descriptor") : nullptr;
  descriptor->set("lifecycle", before != nullptr ? lifecycle_of(*before) : "active");
  const Value* successor = before != nullptr ? present(*before, "superseded_by") : nullptr;
  if (successor != nullptr) descriptor->set("superseded_by", *successor);
}

Status apply_transition(Value& descriptor, const Transition& transition) {
  const std::string from = lifecycle_of(descriptor);
  if (from == "concluded" || from == "superseded")
    return bad_request(
        fmt::format("lifecycle transition not allowed from terminal state '{}'", from));
  for (const Step& step : kSteps) {
    if (from != step.from || transition.name != step.transition) continue;
    descriptor.set("lifecycle", step.to);
    remove_member(descriptor, "superseded_by");
    if (transition.name == "supersede") descriptor.set("superseded_by", transition.superseded_by);
    return {};
  }
  return bad_request(
      fmt::format("lifecycle transition '{}' not allowed from '{}'", transition.name, from));
}

}  // namespace holdfast::service::continuity
