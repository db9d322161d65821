#include "service/continuity/rules.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/utf8.h"
#include "service/continuity/capsule.h"
#include "service/continuity/descriptor.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/paths.h"
#include "service/continuity/utc_time.h"

namespace holdfast::service::continuity {
namespace {

struct TextRule {
  const char* path;
  const char* label;
  size_t min;
  size_t max;
};

Error too(const char* how, std::string_view label) {
  return bad_request(fmt::format("Value too {} in {}", how, label));
}

Status check_text(const Value& value, std::string_view label, size_t min, size_t max) {
  const std::string* text = value.if_string();
  const size_t length = text != nullptr ? count_code_points(*text) : 0;
  if (length < min) return too("short", label);
  if (length > max) return too("long", label);
  return {};
}

Status check_texts(const Value& capsule, const TextRule& rule) {
  const Value* list = find_path(capsule, rule.path);
  if (list == nullptr || !list->is_array()) return {};
  for (const Value& item : *list->if_array())
    HOLDFAST_CHECK_OK(check_text(item, rule.label, rule.min, rule.max));
  return {};
}

template <size_t N>
Status check_all(const Value& capsule, const std::array<TextRule, N>& rules) {
  for (const TextRule& rule : rules) HOLDFAST_CHECK_OK(check_texts(capsule, rule));
  return {};
}

constexpr std::array<TextRule, 11> kLists = {{
    {"source.inputs", "source.inputs", 0, 200},
    {"continuity.top_priorities", "top_priorities", 0, 160},
    {"continuity.active_concerns", "active_concerns", 0, 160},
    {"continuity.active_constraints", "active_constraints", 0, 160},
    {"continuity.open_loops", "open_loops", 0, 160},
    {"continuity.drift_signals", "drift_signals", 0, 160},
    {"continuity.working_hypotheses", "working_hypotheses", 0, 160},
    {"continuity.long_horizon_commitments", "long_horizon_commitments", 0, 160},
    {"continuity.session_trajectory", "continuity.session_trajectory", 0, 80},
    {"continuity.trailing_notes", "continuity.trailing_notes", 1, 160},
    {"continuity.curiosity_queue", "continuity.curiosity_queue", 1, 120},
}};

constexpr std::array<TextRule, 5> kLaterLists = {{
    {"continuity.relationship_model.preferred_style", "relationship_model.preferred_style", 0, 80},
    {"continuity.relationship_model.sensitivity_notes", "relationship_model.sensitivity_notes", 0,
     120},
    {"attention_policy.presence_bias_overrides", "attention_policy.presence_bias_overrides", 0,
     160},
    {"continuity.retrieval_hints.must_include", "retrieval_hints.must_include", 0, 160},
    {"continuity.retrieval_hints.avoid", "retrieval_hints.avoid", 0, 160},
}};

Status check_times(const Value& entry, std::string_view list) {
  for (const char* name : {"created_at", "updated_at", "last_confirmed_at"}) {
    if (present(entry, name) != nullptr)
      HOLDFAST_CHECK_OK(require_utc(text_of(entry, name), fmt::format("{}.{}", list, name)));
  }
  return {};
}

constexpr std::array<TextRule, 2> kDecision = {{
    {"decision", "continuity.negative_decisions.decision", 1, 160},
    {"rationale", "continuity.negative_decisions.rationale", 1, 240},
}};

constexpr std::array<TextRule, 3> kReason = {{
    {"tag", "continuity.rationale_entries[].tag", 1, 80},
    {"summary", "continuity.rationale_entries[].summary", 1, 320},
    {"reasoning", "continuity.rationale_entries[].reasoning", 1, 560},
}};

constexpr std::array<TextRule, 2> kReasonLists = {{
    {"alternatives_considered", "continuity.rationale_entries[].alternatives_considered", 1, 160},
    {"depends_on", "continuity.rationale_entries[].depends_on", 1, 120},
}};

Status check_decisions(const Value& state) {
  std::set<std::string> seen;
  for (const Value& entry : list_of(state, "negative_decisions")) {
    for (const TextRule& rule : kDecision)
      HOLDFAST_CHECK_OK(check_text(text_of(entry, rule.path), rule.label, rule.min, rule.max));
    HOLDFAST_CHECK_OK(check_times(entry, "continuity.negative_decisions[]"));
    if (!seen.insert(text_of(entry, "decision")).second)
      return bad_request(
          fmt::format("Duplicate negative_decisions decision: {}", text_of(entry, "decision")));
  }
  return {};
}

Status check_rationale(const Value& state) {
  for (const Value& entry : list_of(state, "rationale_entries")) {
    for (const TextRule& rule : kReason)
      HOLDFAST_CHECK_OK(check_text(text_of(entry, rule.path), rule.label, rule.min, rule.max));
    HOLDFAST_CHECK_OK(check_all(entry, kReasonLists));
    HOLDFAST_CHECK_OK(check_times(entry, "continuity.rationale_entries[]"));
  }
  return {};
}

Status check_paths(const Value& from, std::string_view path, std::string_view label) {
  const Value* list = find_path(from, path);
  if (list == nullptr || !list->is_array()) return {};
  for (const Value& item : *list->if_array()) {
    const std::string text = item.is_string() ? *item.if_string() : std::string();
    if (!has_path_letters(text))
      return bad_request(fmt::format("Invalid repo-relative path in {}", label));
    if (const auto problem = path_problem(text))
      return bad_request(fmt::format("Invalid repo-relative path in {}: {}", label, *problem));
  }
  return {};
}

Status check_preferences(const Value& capsule) {
  const Value::Array& preferences = list_of(capsule, "stable_preferences");
  const std::string kind = text_of(capsule, "subject_kind");
  if (!preferences.empty() && kind != "user" && kind != "peer")
    return bad_request("stable_preferences is only allowed for user and peer capsules");
  std::set<std::string> seen;
  for (const Value& entry : preferences) {
    for (const char* name : {"tag", "content"}) {
      if (trim_space(text_of(entry, name)).empty())
        return too("short", fmt::format("stable_preferences[].{}", name));
    }
    HOLDFAST_CHECK_OK(check_times(entry, "stable_preferences[]"));
    if (!seen.insert(text_of(entry, "tag")).second)
      return bad_request(
          fmt::format("Duplicate stable_preferences tag: {}", text_of(entry, "tag")));
  }
  return {};
}

Status check_supersession(const Value& state) {
  const Value::Array& entries = list_of(state, "rationale_entries");
  std::set<std::string> tags;
  std::set<std::string> superseded;
  for (const Value& entry : entries) {
    const std::string tag = text_of(entry, "tag");
    if (!tags.insert(tag).second)
      return bad_request(fmt::format("Duplicate rationale_entries tag: {}", tag));
    if (text_of(entry, "status") == "superseded") superseded.insert(tag);
  }
  for (const Value& entry : entries) {
    if (present(entry, "supersedes") == nullptr) continue;
    const std::string other = text_of(entry, "supersedes");
    if (other == text_of(entry, "tag"))
      return bad_request(
          fmt::format("rationale_entries[].supersedes must not reference its own tag '{}'", other));
    if (!superseded.contains(other))
      return bad_request(
          fmt::format("rationale_entries[].supersedes references tag '{}' which "
                      "does not exist with status 'superseded'",
                      other));
  }
  return {};
}

}  // namespace

Status check_capsule(Value& capsule) {
  for (const char* name : {"updated_at", "verified_at"})
    HOLDFAST_CHECK_OK(require_utc(text_of(capsule, name), name));
  if (const Value* expires = find_path(capsule, "freshness.expires_at");
      expires != nullptr && expires->is_string())
    HOLDFAST_CHECK_OK(require_utc(*expires->if_string(), "freshness.expires_at"));
  HOLDFAST_CHECK_OK(check_all(capsule, kLists));
  const Value& state = *capsule.find("continuity");
  HOLDFAST_CHECK_OK(check_decisions(state));
  HOLDFAST_CHECK_OK(check_rationale(state));
  HOLDFAST_CHECK_OK(
      check_text(text_of(state, "stance_summary"), "continuity.stance_summary", 0, 240));
  HOLDFAST_CHECK_OK(check_all(capsule, kLaterLists));
  HOLDFAST_CHECK_OK(check_paths(state, "retrieval_hints.load_next", "retrieval_hints.load_next"));
  HOLDFAST_CHECK_OK(check_paths(capsule, "canonical_sources", "canonical_sources"));
  HOLDFAST_CHECK_OK(check_metadata(capsule));
  HOLDFAST_CHECK_OK(check_preferences(capsule));
  HOLDFAST_CHECK_OK(check_supersession(state));
  if (const Value* documents = state.find("related_documents")) {
    const DocumentsProblem problem = related_documents_problem(*documents);
    if (!problem.detail.empty()) return bad_request(problem.detail);
  }
  HOLDFAST_CHECK_OK(clean_descriptor(capsule));
  return check_size(capsule);
}

std::vector<TextLimit> text_limits() {
  std::vector<TextLimit> out;
  const auto add = [&](const auto& rules, bool by_label) {
    for (const TextRule& rule : rules)
      out.push_back({.path = by_label ? rule.label : rule.path, .min = rule.min, .max = rule.max});
  };
  add(kLists, false);
  add(kLaterLists, false);
  add(kDecision, true);
  add(kReason, true);
  add(kReasonLists, true);
  return out;
}

Status check_size(const Value& capsule) {
  if (canonical_text(capsule).size() <= kMaxCapsuleBytes) return {};
  return bad_request("Continuity capsule exceeds 20 KB serialized UTF-8");
}

}  // namespace holdfast::service::continuity
