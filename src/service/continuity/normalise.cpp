#include "service/continuity/normalise.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/utf8.h"
#include "service/continuity/document.h"

namespace holdfast::service::continuity {
namespace {

constexpr std::array<const char*, 11> kTextLists = {"continuity.top_priorities",
                                                    "continuity.active_concerns",
                                                    "continuity.active_constraints",
                                                    "continuity.open_loops",
                                                    "continuity.drift_signals",
                                                    "continuity.working_hypotheses",
                                                    "continuity.long_horizon_commitments",
                                                    "continuity.session_trajectory",
                                                    "continuity.trailing_notes",
                                                    "continuity.curiosity_queue",
                                                    "canonical_sources"};

struct EntryList {
  const char* path;
  const char* label;
  const char* strip_label;
  const char* identity;
  std::vector<const char*> trimmed;
};

const std::array<EntryList, 3>& entry_lists() {
  static const std::array<EntryList, 3> lists = {{{"stable_preferences",
                                                   "stable_preferences",
                                                   "stable_preferences",
                                                   "tag",
                                                   {"tag", "content"}},
                                                  {"continuity.rationale_entries",
                                                   "rationale_entries",
                                                   "rationale_entries.tag",
                                                   "tag",
                                                   {"tag"}},
                                                  {"continuity.negative_decisions",
                                                   "negative_decisions",
                                                   "negative_decisions",
                                                   "decision",
                                                   {"decision", "rationale"}}}};
  return lists;
}

void normalise_texts(Value& list, const std::string& label, std::vector<std::string>& applied) {
  Value trimmed = Value::array();
  bool stripped = false;
  bool dropped = false;
  bool repeated = false;
  std::set<std::string> seen;
  for (const Value& item : *list.if_array()) {
    const std::string& text = *item.if_string();
    const std::string word(trim_space(text));
    stripped = stripped || word.size() != text.size();
    if (word.empty()) {
      dropped = true;
    } else if (!seen.insert(word).second) {
      repeated = true;
    } else {
      trimmed.push(word);
    }
  }
  if (stripped) applied.push_back("strip:" + label);
  if (dropped) applied.push_back("drop_empty:" + label);
  if (repeated) applied.push_back("dedup:" + label);
  list = std::move(trimmed);
}

// The last of entries with one identity stays, where it is.
void normalise_entries(Value& list, const EntryList& rule, std::vector<std::string>& applied) {
  bool stripped = false;
  for (Value& entry : *list.if_array()) {
    for (const char* name : rule.trimmed) {
      const std::string text = text_of(entry, name);
      const std::string word(trim_space(text));
      if (word.size() == text.size()) continue;
      entry.set(name, word);
      stripped = true;
    }
  }
  Value::Array kept;
  std::set<std::string> seen;
  Value::Array& entries = *list.if_array();
  for (size_t i = entries.size(); i-- > 0;) {
    if (seen.insert(text_of(entries[i], rule.identity)).second)
      kept.push_back(std::move(entries[i]));
  }
  std::ranges::reverse(kept);
  if (stripped) applied.push_back(std::string("strip:") + rule.strip_label);
  if (kept.size() != entries.size()) applied.push_back(std::string("dedup:") + rule.label);
  list = Value(std::move(kept));
}

constexpr std::array<const char*, 3> kTimes = {"created_at", "updated_at", "last_confirmed_at"};

Value without_times(Value entry) {
  for (const char* name : kTimes) remove_member(entry, name);
  return entry;
}

void stamp(Value& entry, const Value* before, const std::string& now) {
  std::string created = now;
  std::string updated = now;
  if (before != nullptr) {
    const std::string old_created = text_of(*before, "created_at");
    const std::string old_updated = text_of(*before, "updated_at");
    if (!old_created.empty() || !old_updated.empty())
      created = old_created.empty() ? old_updated : old_created;
    const bool same = json_equal(without_times(entry), without_times(*before));
    if (same) updated = old_updated.empty() ? created : old_updated;
  }
  Value confirmed;
  if (const Value* sent = present(entry, "last_confirmed_at")) {
    confirmed = *sent;
  } else if (before != nullptr && present(*before, "last_confirmed_at") != nullptr) {
    confirmed = *before->find("last_confirmed_at");
  }
  entry = without_times(std::move(entry));
  entry.set("created_at", created);
  entry.set("updated_at", updated);
  if (!confirmed.is_null()) entry.set("last_confirmed_at", std::move(confirmed));
}

bool is_empty_list(const Value* value) {
  return value != nullptr && value->is_array() && value->if_array()->empty();
}

void refill(Value& to, const Value& from, const std::string& name) {
  if (const Value* stored = from.find(name)) {
    to.set(name, *stored);
  } else {
    remove_member(to, name);
  }
}

void preserve_descriptor(Value& capsule, const Value& raw, const Value& stored) {
  const Value* sent = raw.find("thread_descriptor");
  const Value* before = present(stored, "thread_descriptor");
  if (sent == nullptr && before != nullptr) capsule.set("thread_descriptor", *before);
  Value* merged = capsule.find("thread_descriptor");
  if (sent == nullptr || sent->is_null() || before == nullptr || merged == nullptr) return;
  for (const char* name : {"keywords", "scope_anchors", "identity_anchors"}) {
    if (sent->find(name) == nullptr) refill(*merged, *before, name);
  }
}

}  // namespace

std::vector<std::string> normalise(Value& capsule) {
  std::vector<std::string> applied;
  for (const char* path : kTextLists) {
    Value* list = find_path(capsule, path);
    if (list != nullptr && list->is_array()) normalise_texts(*list, path, applied);
  }
  for (const EntryList& rule : entry_lists()) {
    Value* list = find_path(capsule, rule.path);
    if (list != nullptr && list->is_array()) normalise_entries(*list, rule, applied);
  }
  return applied;
}

void stamp_entries(Value& capsule, const Value* stored) {
  const std::string now = text_of(capsule, "updated_at");
  for (const EntryList& rule : entry_lists()) {
    Value* list = find_path(capsule, rule.path);
    if (list == nullptr || !list->is_array()) continue;
    const Value* old = stored != nullptr ? find_path(*stored, rule.path) : nullptr;
    for (Value& entry : *list->if_array()) {
      const Value* before = nullptr;
      if (old != nullptr && old->is_array()) {
        for (const Value& candidate : *old->if_array()) {
          if (text_of(candidate, rule.identity) == text_of(entry, rule.identity))
            before = &candidate;
        }
      }
      stamp(entry, before, now);
    }
  }
}

void preserve(Value& capsule, const Value& raw, const Value& stored, const Value* snapshot) {
  const auto in_snapshot = [&](const char* name) {
    return snapshot != nullptr && present(*snapshot, name) != nullptr;
  };
  const Value nothing = Value::object();
  const Value* raw_found = raw.find("continuity");
  const Value& raw_state = raw_found != nullptr ? *raw_found : nothing;
  const Value& old_state = *stored.find("continuity");
  Value& state = *capsule.find("continuity");
  for (const char* name :
       {"top_priorities", "active_concerns", "active_constraints", "open_loops", "drift_signals"}) {
    if (!in_snapshot(name) && is_empty_list(raw_state.find(name))) refill(state, old_state, name);
  }
  for (const char* name :
       {"working_hypotheses", "long_horizon_commitments", "session_trajectory", "trailing_notes",
        "curiosity_queue", "negative_decisions", "rationale_entries", "related_documents",
        "relationship_model", "retrieval_hints"}) {
    if (!in_snapshot(name) && raw_state.find(name) == nullptr) refill(state, old_state, name);
  }
  for (const char* name :
       {"canonical_sources", "stable_preferences", "metadata", "attention_policy", "freshness"}) {
    if (raw.find(name) == nullptr) refill(capsule, stored, name);
  }
  preserve_descriptor(capsule, raw, stored);
}

void apply_snapshot(Value& capsule, const Value& snapshot) {
  Value& state = *capsule.find("continuity");
  for (const Value::Member& member : *snapshot.if_object()) {
    if (!member.value.is_null()) state.set(member.name, member.value);
  }
}

bool is_adequate(const Value& capsule) {
  const Value* state = capsule.find("continuity");
  if (state == nullptr) return false;
  for (const char* name : {"open_loops", "top_priorities", "active_constraints"}) {
    if (list_of(*state, name).empty()) return false;
  }
  return count_code_points(text_of(*state, "stance_summary")) >= 30;
}

}  // namespace holdfast::service::continuity
