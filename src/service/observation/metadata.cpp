#include "service/observation/metadata.h"

#include <algorithm>

#include "base/utf8.h"
#include "model/json_text.h"
#include "service/observation/content_scan.h"
#include "service/observation/controls.h"
#include "service/observation/failure.h"

namespace holdfast::service::observation {
namespace {

constexpr size_t kMostBytes = 32'768;
constexpr size_t kDeepest = 10;
constexpr size_t kMostMembers = 200;
constexpr size_t kLongestName = 100;
constexpr size_t kMostIssues = 20;

class Check {
 public:
  std::vector<Issue> run(const Value& metadata) {
    if (to_json(metadata).size() > kMostBytes) add(detail::kObjectTooLarge);
    walk(metadata, 1);
    return std::move(issues_);
  }

 private:
  void add(std::string_view code) {
    if (issues_.size() < kMostIssues) issues_.push_back(body_issue(told_path(), code));
  }

  // A name that holds a secret is not repeated, one that is too long not in full.
  std::vector<Issue::Step> told_path() const {
    std::vector<Issue::Step> told = path_;
    for (Issue::Step& step : told) {
      if (!step.is_index) step.name = prefix_code_points(without_secret(step.name), kLongestName);
    }
    return told;
  }

  void walk(const Value& value, size_t depth) {
    const bool nested = value.is_array() || value.is_object();
    if (nested && depth > kDeepest) return add(detail::kObjectTooLarge);
    if (const auto* text = value.if_string(); text != nullptr && has_nul(*text))
      add("INVALID_FORMAT");
    if (const auto* elements = value.if_array()) {
      for (size_t i = 0; i < elements->size(); ++i) {
        path_.push_back(element(i));
        walk((*elements)[i], depth + 1);
        path_.pop_back();
      }
    }
    if (const auto* members = value.if_object()) {
      if (members->size() > kMostMembers) add(detail::kObjectTooLarge);
      for (const auto& [name, inner] : *members) walk_member(name, inner, depth);
    }
  }

  void walk_member(const std::string& name, const Value& inner, size_t depth) {
    path_.push_back(member(name));
    if (name.empty()) add("STRING_TOO_SHORT");
    if (count_code_points(name) > kLongestName) add("STRING_TOO_LONG");
    if (has_controls(name)) add("INVALID_FORMAT");
    walk(inner, depth + 1);
    path_.pop_back();
  }

  static bool has_nul(const std::string& text) { return text.find('\0') != std::string::npos; }

  std::vector<Issue::Step> path_ = {member("metadata")};
  std::vector<Issue> issues_;
};

}  // namespace

std::vector<Issue> metadata_issues(const Value& metadata) { return Check().run(metadata); }

Value without_nulls(const Value& patch) {
  if (!patch.is_object()) return patch;
  Value kept = Value::object();
  for (const auto& [name, value] : *patch.if_object()) {
    if (!value.is_null()) kept.if_object()->push_back({name, without_nulls(value)});
  }
  return kept;
}

void merge_metadata(Value& into, const Value& patch) {
  if (!into.is_object()) into = Value::object();
  for (const auto& [name, value] : *patch.if_object()) {
    if (value.is_null()) {
      std::erase_if(*into.if_object(),
                    [&wanted = name](const Value::Member& one) { return one.name == wanted; });
    } else if (value.is_object()) {
      if (into.find(name) == nullptr) into.set(name, Value::object());
      merge_metadata(*into.find(name), value);
    } else {
      into.set(name, value);
    }
  }
}

std::vector<Issue> merged_issues(const Value& before, const Value& patch) {
  if (!patch.is_object() || !metadata_issues(without_nulls(patch)).empty()) return {};
  Value merged = before;
  merge_metadata(merged, patch);
  return metadata_issues(merged);
}

}  // namespace holdfast::service::observation
