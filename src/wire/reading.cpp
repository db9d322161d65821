#include "wire/reading.h"

#include <algorithm>
#include <charconv>

#include "base/utf8.h"
#include "model/json_text.h"

namespace holdfast::wire {
namespace {

constexpr size_t kEchoedCodePoints = 200;

std::string echo_of(const Value& value) {
  if (const auto* text = value.if_string()) {
    return to_json(Value(prefix_code_points(*text, kEchoedCodePoints)));
  }
  if (value.is_array() || value.is_object()) return {};
  return to_json(value);
}

// Where the member that a path names stands in the document, as positions from the root: comparing
// them gives the order of appearance.
std::vector<size_t> positions(const Value& body, const std::vector<Issue::Step>& path) {
  std::vector<size_t> found;
  const Value* at = &body;
  for (const Issue::Step& step : path) {
    if (at == nullptr) break;
    const Value* next = nullptr;
    if (const auto* members = at->if_object(); members != nullptr && !step.is_index) {
      for (size_t i = 0; i < members->size() && next == nullptr; ++i) {
        if ((*members)[i].name != step.name) continue;
        found.push_back(i);
        next = &(*members)[i].value;
      }
    } else if (const auto* elements = at->if_array(); elements != nullptr && step.is_index) {
      size_t index = 0;
      std::from_chars(step.name.data(), step.name.data() + step.name.size(), index);
      found.push_back(index);
      if (index < elements->size()) next = &(*elements)[index];
    }
    at = next;
  }
  return found;
}

}  // namespace

void Reading::add(std::string_view rule, std::vector<Issue::Param> params, const Value* value) {
  ++count_;
  if (issues_.size() >= kMaxIssues) return;
  Issue issue{.location = std::string(location_),
              .rule = std::string(rule),
              .params = std::move(params),
              .value = echo_ && value != nullptr ? echo_of(*value) : std::string()};
  issue.path.reserve(path_.size());
  for (const Step& step : path_) {
    issue.path.push_back(
        {step.is_index ? std::to_string(step.index) : std::string(step.name), step.is_index});
  }
  issues_.push_back(std::move(issue));
}

void Reading::add_type(std::string_view expected, const Value& value) {
  add(rule::kType,
      {{"expected", std::string(expected)}, {"actual", std::string(value.type_name())}}, &value);
}

void put_unknown_first(const Value& body, std::vector<Issue>& issues) {
  struct Placed {
    std::vector<size_t> positions;
    Issue issue;
  };
  std::vector<Placed> unknown;
  std::vector<Issue> others;
  for (Issue& issue : issues) {
    if (issue.rule == rule::kUnknown && issue.location == "body") {
      auto place = positions(body, issue.path);
      unknown.push_back({std::move(place), std::move(issue)});
    } else {
      others.push_back(std::move(issue));
    }
  }
  std::ranges::stable_sort(unknown, {}, &Placed::positions);
  issues.clear();
  for (Placed& placed : unknown) issues.push_back(std::move(placed.issue));
  for (Issue& issue : others) issues.push_back(std::move(issue));
}

}  // namespace holdfast::wire
