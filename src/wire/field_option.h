// What a Schema says about a field besides its name and member: rules, description, aliases.
//
//   .required("title", &T::title, trimmed(), length(5, 300), "One line that says what happened.")
//   .optional("tags", &T::tags, items(0, 20), each(length(1, 50), matching("[a-z0-9-]+", is_tag)),
//   "Words to find it.")
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>
#include <vector>

#include "wire/shape.h"

namespace holdfast::wire {

template <typename T>
class Schema;

// Everything the options of one field said.
struct FieldParts {
  std::string description = {};
  std::vector<Rule> rules = {};
  std::vector<Adjustment> adjustments = {};
  std::vector<std::string> aliases = {};
  bool nullable = false;
  bool empty_is_absent = false;
  bool echo = true;
  bool comma_list = false;
  Value example = {};
  std::shared_ptr<FieldParts> element =
      {};  // of arrays and maps; shared only while the shape is built
  std::shared_ptr<Shape> given_shape =
      {};  // a nested schema or a custom reader, for values of given_type
  std::type_index given_type = typeid(void);
};

class FieldOption {
 public:
  explicit FieldOption(std::function<void(FieldParts&)> apply) : apply_(std::move(apply)) {}
  FieldOption(
      const char* description)  // NOLINT(google-explicit-constructor): reads as the last argument
      : apply_([text = std::string(description)](FieldParts& parts) { parts.description = text; }) {
  }
  // A nested object: the field's type is T, or a list, map or optional of it.
  template <typename T>
  FieldOption(const Schema<T>& schema);  // NOLINT(google-explicit-constructor)

  void apply(FieldParts& parts) const { apply_(parts); }

 private:
  std::function<void(FieldParts&)> apply_;
};

// Texts. Lengths are code points.
bool has_length(std::string_view text, size_t min, size_t max);  // looks no further than it must
FieldOption length(size_t min, size_t max);
FieldOption min_length(size_t min);
FieldOption max_length(size_t max);
// `pattern` is what the JSON Schema and the issue say; `matches` is what decides.
FieldOption matching(std::string pattern, bool (*matches)(std::string_view));
FieldOption one_of(const std::vector<std::string>& values);
FieldOption
not_blank();  // at least one character that is no white space; format, expected not-blank
FieldOption
no_controls();          // no C0 or C1 control characters, no U+007F; format, expected no-controls
FieldOption trimmed();  // white space at both ends is dropped before the rules count
FieldOption empty_is_absent();  // an empty text in the query, path or header counts as not sent

// Numbers.
FieldOption range(const Value& min, const Value& max);  // bounds are numbers, both allowed
FieldOption at_least(const Value& min);
FieldOption at_most(const Value& max);
FieldOption clamped(int64_t min, int64_t max);  // values outside become the nearest bound

// Lists and maps.
FieldOption items(size_t min, size_t max);
FieldOption comma_list();  // query: each value is split at commas
template <std::convertible_to<FieldOption>... Options>
FieldOption each(Options&&... options);  // for every element

// Anything.
FieldOption nullable();  // null is allowed, and means an empty optional
FieldOption alias(
    std::string name);  // a second accepted name; both with different values is an issue
FieldOption no_echo();  // issues never carry the value
FieldOption example(Value value);
// A rule of one's own. `describe` may add to the JSON Schema.
FieldOption rule_of(std::function<void(const Value&, Reading&)> check,
                    std::function<void(Value&)> describe = {});
FieldOption adjusted(Adjustment adjust);
// Reads a T (or each T of a list, map or optional) with a function that adds its own issues:
// unions, odd formats.
template <typename T>
FieldOption read_by(std::function<void(const Value&, T&, Reading&)> read, Value json_schema);

// ---

template <std::convertible_to<FieldOption>... Options>
FieldOption each(Options&&... options) {
  std::vector<FieldOption> list{FieldOption(std::forward<Options>(options))...};
  return FieldOption([list = std::move(list)](FieldParts& parts) {
    if (!parts.element) parts.element = std::make_shared<FieldParts>();
    for (const FieldOption& option : list) option.apply(*parts.element);
  });
}

template <typename T>
FieldOption read_by(std::function<void(const Value&, T&, Reading&)> read, Value json_schema) {
  return FieldOption(
      [read = std::move(read), json_schema = std::move(json_schema)](FieldParts& parts) {
        parts.given_shape =
            custom_shape([read](const Value& value, void* out,
                                Reading& reading) { read(value, *static_cast<T*>(out), reading); },
                         json_schema);
        parts.given_type = typeid(T);
      });
}

}  // namespace holdfast::wire
