// What `GET /observations` must answer, worked out the slow way from all observations as they are.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "contract/observations/observation_client.h"

namespace holdfast::testing {

// Of the callers, boss sees everything, ann what is normal, lab (a token of ann) of that what
// touches no other subcortex than the lab, and eve the open workspace only.
inline constexpr const char* kRegistryOfMany = R"({
  "principals": [
    {"id": "principal_boss", "handle": "boss", "kind": "human", "trust_tier": 4, "sensitivity_clearance": "sensitive"},
    {"id": "principal_ann", "handle": "ann", "kind": "human", "trust_tier": 3},
    {"id": "principal_eve", "handle": "eve", "kind": "human", "trust_tier": 3, "sensitivity_clearance": "sensitive"}],
  "tokens": [
    {"token": "token-boss-000000", "principal_id": "principal_boss", "scopes": ["admin"], "sensitivity_clearance": "sensitive"},
    {"token": "token-ann-0000000", "principal_id": "principal_ann", "scopes": ["admin"]},
    {"token": "token-lab-0000000", "principal_id": "principal_ann", "scopes": ["read"], "subcortex_scope": ["lab"]},
    {"token": "token-eve-0000000", "principal_id": "principal_eve", "scopes": ["read"], "sensitivity_clearance": "sensitive"}],
  "workspaces": [
    {"id": "workspace_open", "slug": "open", "name": "Open", "visibility": "internal", "owner_id": "principal_boss",
     "members": [{"principal_id": "principal_ann"}]},
    {"id": "workspace_shut", "slug": "shut", "name": "Shut", "visibility": "private", "owner_id": "principal_boss",
     "members": [{"principal_id": "principal_ann"}]}],
  "subcortexes": [
    {"id": "subcortex_lab", "slug": "lab", "workspace_id": "workspace_open", "name": "Lab", "status": "active"},
    {"id": "subcortex_den", "slug": "den", "workspace_id": "workspace_open", "name": "Den", "status": "active"}],
  "threads": [
    {"id": "thread_lab", "subcortex_id": "subcortex_lab", "title": "A thread", "created_by_id": "principal_ann"},
    {"id": "thread_den", "subcortex_id": "subcortex_den", "title": "Another", "created_by_id": "principal_ann"}],
  "tasks": [
    {"id": "task_lab", "workspace_id": "workspace_open", "subcortex_id": "subcortex_lab", "title": "A task"},
    {"id": "task_free", "workspace_id": "workspace_open", "title": "Another task"}],
  "observations": [
    {"id": "zeta", "workspace_id": "workspace_open", "type": "other", "title": "Seeded one", "summary_md": "One of the seeded.",
     "created_by_id": "principal_ann", "created_at": "2025-03-01T10:00:00.000Z", "stats": {"view_count": 2}},
    {"id": "alpha", "workspace_id": "workspace_open", "type": "decision", "title": "seeded ONE", "summary_md": "Two of the seeded.",
     "created_by_id": "principal_boss", "created_at": "2025-03-01T10:00:00.000Z", "stats": {"view_count": 2}},
    {"id": "obs_0", "workspace_id": "workspace_shut", "type": "decision", "title": "Seeded two", "summary_md": "Three of the seeded.",
     "created_by_id": "principal_ann", "created_at": "2025-02-01T10:00:00.000Z"}]
})";

// A list that a caller asks for, and what it means.
struct Asked {
  using Test = std::function<bool(const Value& item)>;

  std::string target = {};
  std::vector<Test> tests = {};
  std::vector<std::pair<std::string, bool>> sort = {};  // and whether it descends

  bool passes(const Value& item) const {
    return std::ranges::all_of(tests, [&](const Test& test) { return test(item); });
  }
};

inline std::string small_letters(std::string text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] >= 'A' && text[i] <= 'Z') text[i] = static_cast<char>(text[i] + 32);
    if (i > 0 && text[i - 1] == '\xC3' && text[i] == '\x84') text[i] = '\xA4';  // Ä
  }
  return text;
}

inline std::string text_of(const Value& item, const char* path) {
  const Value value = at(item, path);
  return value.is_string() ? *value.if_string() : "";
}
inline int64_t count_of(const Value& item, const char* path) { return *at(item, path).if_int(); }

// In the order of their names: in which order an answer has them is nobody's business.
inline Value sorted_members(const Value& value) {
  if (!value.is_object()) return value;
  Value::Object members = *value.if_object();
  std::ranges::sort(members, {}, &Value::Member::name);
  for (Value::Member& member : members) member.value = sorted_members(member.value);
  return members;
}

class ListOracle {
 public:
  // As an answer showed it, new or changed. What lists leave out may be in it, and nulls for links
  // that are gone.
  void keep(const Value& shown) {
    static constexpr const char* kNotListed[] = {
        "summary_html",     "code_links",    "metadata",   "cited_by",
        "linked_subcortex", "linked_thread", "linked_task"};
    Value item = Value::object();
    for (const auto& [name, value] : *shown.if_object()) {
      const bool listed = std::ranges::find(kNotListed, name) == std::end(kNotListed);
      if (listed && !value.is_null()) item.set(name, value);
    }
    kept_[text_of(item, "id")] = sorted_members(item);
  }
  void forget(const std::string& id) { kept_.erase(id); }

  size_t size() const { return kept_.size(); }
  Value& nth(size_t n) { return std::next(kept_.begin(), static_cast<ptrdiff_t>(n))->second; }

  std::vector<Value> expected(const std::string& who, const Asked& asked) const {
    std::vector<Value> items;
    for (const auto& [id, item] : kept_) {
      if (asked.passes(item) && may_see(who, item)) items.push_back(item);
    }
    std::ranges::sort(items, [&](const Value& a, const Value& b) { return before(asked, a, b); });
    return items;
  }

 private:
  static bool may_see(const std::string& who, const Value& item) {
    if (who == "boss") return true;
    if (who == "eve") return text_of(item, "workspace_id") == "workspace_open";
    if (text_of(item, "sensitivity") == "sensitive") return false;
    if (who == "ann") return true;
    const std::string touched[] = {text_of(item, "linked_subcortex_id"),
                                   text_of(item, "linked_thread_id")};
    return touched[0] != "subcortex_den" && touched[1] != "thread_den";
  }
  static bool before(const Asked& asked, const Value& a, const Value& b) {
    for (const auto& [name, descending] : asked.sort) {
      int order = 0;
      if (name.starts_with("stats.")) {
        const int64_t difference = count_of(a, name.c_str()) - count_of(b, name.c_str());
        order = difference < 0 ? -1 : difference > 0 ? 1 : 0;
      } else if (name == "title") {
        order = small_letters(text_of(a, "title")).compare(small_letters(text_of(b, "title")));
      } else {
        order = text_of(a, name.c_str()).compare(text_of(b, name.c_str()));
      }
      if (order != 0) return (order < 0) != descending;
    }
    return (text_of(a, "id") < text_of(b, "id")) != asked.sort.front().second;
  }

  std::map<std::string, Value> kept_;  // as they are listed, by id
};

}  // namespace holdfast::testing
