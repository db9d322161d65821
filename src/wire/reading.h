// One reading of one input: collects issues and knows the place they belong to. Used by shapes,
// rules and custom readers; not thread-safe, lives as long as the reading.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/value.h"
#include "wire/strictness.h"

namespace holdfast::wire {

// The rules that issues name. A surface's own rules are its own constants.
namespace rule {
inline constexpr std::string_view kRequired = "required";
inline constexpr std::string_view kType = "type";             // params: expected, actual
inline constexpr std::string_view kLengthMin = "length_min";  // min, actual (code points)
inline constexpr std::string_view kLengthMax = "length_max";  // max, actual
inline constexpr std::string_view kRangeMin = "range_min";    // min
inline constexpr std::string_view kRangeMax = "range_max";    // max
inline constexpr std::string_view kItemsMin = "items_min";    // min, actual
inline constexpr std::string_view kItemsMax = "items_max";    // max, actual
inline constexpr std::string_view kOneOf =
    "one_of";  // allowed, once for each value, in declared order
inline constexpr std::string_view kPattern = "pattern";  // pattern
inline constexpr std::string_view kFormat =
    "format";  // expected: date-time, no-controls, not-blank, ...
inline constexpr std::string_view kEncoding =
    "encoding";  // a text that is no valid percent-encoding or UTF-8
inline constexpr std::string_view kDuplicate = "duplicate";  // a single-valued parameter sent twice
inline constexpr std::string_view kUnknown = "unknown";     // a member or parameter nobody declared
inline constexpr std::string_view kReadOnly = "read_only";  // a member that only the server sets
inline constexpr std::string_view kAliasConflict =
    "alias_conflict";  // two names of one field disagree; other
}  // namespace rule

class Reading {
 public:
  // No input can make more issues than this; later ones are not kept. An answer listing more helps
  // nobody.
  static constexpr size_t kMaxIssues = 1000;

  explicit Reading(const Strictness& strictness) : strictness_(strictness) {
    path_.reserve(kUsualDepth);
  }

  const Strictness& strictness() const { return strictness_; }
  // True while values come as text (query, path, header) and must be turned into what the field
  // declares.
  bool from_text() const { return location_ != "body"; }

  // Adds an issue at the present place, with the offending value if it is a scalar.
  void add(std::string_view rule, std::vector<Issue::Param> params = {},
           const Value* value = nullptr);
  void add_type(std::string_view expected, const Value& value);

  // The name is not copied: it must live until it is left.
  void enter(std::string_view member) { path_.push_back({.name = member}); }
  void enter(size_t index) { path_.push_back({.index = index, .is_index = true}); }
  void leave() { path_.pop_back(); }
  // A constant.
  void set_location(std::string_view location) { location_ = location; }
  // While off, issues carry no values: for texts that may hold secrets.
  void set_echo(bool echo) { echo_ = echo; }
  bool echo() const { return echo_; }

  size_t count() const { return count_; }
  std::vector<Issue>& issues() { return issues_; }

 private:
  // As few readings have issues, the texts of a path are made only for those.
  struct Step {
    std::string_view name = {};  // of a schema or of the input
    size_t index = 0;
    bool is_index = false;
  };
  static constexpr size_t kUsualDepth = 4;

  const Strictness& strictness_;
  std::string_view location_ = "body";  // a constant
  std::vector<Step> path_;
  std::vector<Issue> issues_;
  size_t count_ = 0;  // also counts those beyond kMaxIssues
  bool echo_ = true;
};

// Enters a member or element for the life of the object.
class Place {
 public:
  template <typename Step>
  Place(Reading& reading, Step step) : reading_(reading) {
    reading_.enter(step);
  }
  ~Place() { reading_.leave(); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  Reading& reading_;
};

// Puts the issues of rule `unknown` first, ordered as their members appear in `body`.
void put_unknown_first(const Value& body, std::vector<Issue>& issues);

}  // namespace holdfast::wire
