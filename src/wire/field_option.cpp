#include "wire/field_option.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/utf8.h"
#include "wire/control_characters.h"

namespace holdfast::wire {
namespace {

FieldOption with_rule(Rule rule) {
  return FieldOption([rule = std::move(rule)](FieldParts& parts) { parts.rules.push_back(rule); });
}

FieldOption with_adjustment(Adjustment adjust) {
  return FieldOption(
      [adjust = std::move(adjust)](FieldParts& parts) { parts.adjustments.push_back(adjust); });
}

FieldOption length_rule(std::optional<size_t> min, std::optional<size_t> max) {
  return with_rule(
      {.check =
           [min, max](const Value& value, Reading& reading) {
             const auto* text = value.if_string();
             if (text == nullptr || has_length(*text, min.value_or(0), max.value_or(SIZE_MAX)))
               return;
             const size_t actual = count_code_points(*text);
             if (min && actual < *min) {
               reading.add(rule::kLengthMin,
                           {{"min", std::to_string(*min)}, {"actual", std::to_string(actual)}},
                           &value);
             }
             if (max && actual > *max) {
               reading.add(rule::kLengthMax,
                           {{"max", std::to_string(*max)}, {"actual", std::to_string(actual)}},
                           &value);
             }
           },
       .describe =
           [min, max](Value& schema) {
             if (min) schema.set("minLength", *min);
             if (max) schema.set("maxLength", *max);
           }});
}

// Exact between integers; otherwise as doubles.
bool less(const Value& a, const Value& b) {
  if (a.if_int() != nullptr && b.if_int() != nullptr) return *a.if_int() < *b.if_int();
  return a.to_double() < b.to_double();
}

std::string bound_text(const Value& bound) {
  return bound.is_double() ? fmt::format("{}", *bound.if_double())
                           : std::to_string(*bound.if_int());
}

FieldOption range_rule(const Value& min, const Value& max) {
  return with_rule({.check =
                        [min, max](const Value& value, Reading& reading) {
                          if (!value.is_number()) return;
                          if (!min.is_null() && less(value, min)) {
                            reading.add(rule::kRangeMin, {{"min", bound_text(min)}}, &value);
                          }
                          if (!max.is_null() && less(max, value)) {
                            reading.add(rule::kRangeMax, {{"max", bound_text(max)}}, &value);
                          }
                        },
                    .describe =
                        [min, max](Value& schema) {
                          if (!min.is_null()) schema.set("minimum", min);
                          if (!max.is_null()) schema.set("maximum", max);
                        }});
}

size_t count_of(const Value& value) {
  if (const auto* array = value.if_array()) return array->size();
  return value.is_object() ? value.if_object()->size() : 0;
}

}  // namespace

bool has_length(std::string_view text, size_t min, size_t max) {
  constexpr size_t kLongestPoint = 4;  // bytes
  const size_t enough = min > text.size() / kLongestPoint ? text.size() : min * kLongestPoint;
  if (count_code_points(text.substr(0, enough)) < min && count_code_points(text) < min)
    return false;
  return text.size() <= max || count_code_points(text) <= max;
}

FieldOption length(size_t min, size_t max) { return length_rule(min, max); }
FieldOption min_length(size_t min) { return length_rule(min, std::nullopt); }
FieldOption max_length(size_t max) { return length_rule(std::nullopt, max); }

FieldOption matching(std::string pattern, bool (*matches)(std::string_view)) {
  return with_rule({.check =
                        [pattern, matches](const Value& value, Reading& reading) {
                          const auto* text = value.if_string();
                          if (text == nullptr || matches(*text)) return;
                          reading.add(rule::kPattern, {{"pattern", pattern}}, &value);
                        },
                    .describe = [pattern](Value& schema) { schema.set("pattern", pattern); }});
}

FieldOption one_of(const std::vector<std::string>& values) {
  return with_rule(
      {.check =
           [values](const Value& value, Reading& reading) {
             const auto* text = value.if_string();
             if (text == nullptr || std::ranges::find(values, *text) != values.end()) return;
             std::vector<Issue::Param> allowed;
             allowed.reserve(values.size());
             for (const std::string& name : values) allowed.push_back({"allowed", name});
             reading.add(rule::kOneOf, std::move(allowed), &value);
           },
       .describe = [values](Value& schema) { schema.set("enum", Value::array_of(values)); }});
}

FieldOption not_blank() {
  return with_rule({.check = [](const Value& value, Reading& reading) {
    const auto* text = value.if_string();
    if (text != nullptr && trim_space(*text).empty()) {
      reading.add(rule::kFormat, {{"expected", "not-blank"}}, &value);
    }
  }});
}

FieldOption no_controls() {
  return with_rule({.check = [](const Value& value, Reading& reading) {
    const auto* text = value.if_string();
    if (text != nullptr && has_controls(*text))
      reading.add(rule::kFormat, {{"expected", "no-controls"}}, &value);
  }});
}

FieldOption trimmed() {
  return with_adjustment([](const Value& value) -> std::optional<Value> {
    const auto* text = value.if_string();
    if (text == nullptr || has_visible_ends(*text)) return std::nullopt;
    const std::string_view kept = trim_space(*text);
    return kept.size() == text->size() ? std::nullopt : std::optional(Value(kept));
  });
}

FieldOption empty_is_absent() {
  return FieldOption([](FieldParts& parts) { parts.empty_is_absent = true; });
}

FieldOption range(const Value& min, const Value& max) { return range_rule(min, max); }
FieldOption at_least(const Value& min) { return range_rule(min, {}); }
FieldOption at_most(const Value& max) { return range_rule({}, max); }

FieldOption clamped(int64_t min, int64_t max) {
  return with_adjustment([min, max](const Value& value) -> std::optional<Value> {
    if (!value.is_number()) return std::nullopt;
    if (less(value, min)) return Value(min);
    if (less(max, value)) return Value(max);
    return std::nullopt;
  });
}

FieldOption items(size_t min, size_t max) {
  return with_rule({.check =
                        [min, max](const Value& value, Reading& reading) {
                          const size_t actual = count_of(value);
                          if (actual < min) {
                            reading.add(rule::kItemsMin, {{"min", std::to_string(min)},
                                                          {"actual", std::to_string(actual)}});
                          }
                          if (actual > max) {
                            reading.add(rule::kItemsMax, {{"max", std::to_string(max)},
                                                          {"actual", std::to_string(actual)}});
                          }
                        },
                    .describe =
                        [min, max](Value& schema) {
                          const Value* type = schema.find("type");
                          const bool is_map = type != nullptr && *type == Value("object");
                          if (min > 0) schema.set(is_map ? "minProperties" : "minItems", min);
                          schema.set(is_map ? "maxProperties" : "maxItems", max);
                        }});
}

FieldOption comma_list() {
  return FieldOption([](FieldParts& parts) { parts.comma_list = true; });
}

FieldOption nullable() {
  return FieldOption([](FieldParts& parts) { parts.nullable = true; });
}

FieldOption alias(std::string name) {
  return FieldOption(
      [name = std::move(name)](FieldParts& parts) { parts.aliases.push_back(name); });
}

FieldOption no_echo() {
  return FieldOption([](FieldParts& parts) { parts.echo = false; });
}

FieldOption example(Value value) {
  return FieldOption([value = std::move(value)](FieldParts& parts) { parts.example = value; });
}

FieldOption rule_of(std::function<void(const Value&, Reading&)> check,
                    std::function<void(Value&)> describe) {
  return with_rule({.check = std::move(check), .describe = std::move(describe)});
}

FieldOption adjusted(Adjustment adjust) { return with_adjustment(std::move(adjust)); }

}  // namespace holdfast::wire
