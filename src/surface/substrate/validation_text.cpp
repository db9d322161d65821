#include "surface/substrate/validation_text.h"

#include <array>

#include <fmt/format.h>

#include "base/utf8.h"
#include "model/json_text.h"
#include "wire/reading.h"

namespace holdfast::surface::substrate {
namespace {

constexpr size_t kMaxShown = 50;

struct Worded {
  std::string sentence;
  std::string code;
};

// 'a', 'b' or 'c'
std::string listed(const std::vector<std::string>& values, std::string_view last) {
  std::string out;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += i + 1 == values.size() ? last : std::string_view(", ");
    out += fmt::format("'{}'", values[i]);
  }
  return out;
}

std::vector<std::string> all_params(const Issue& issue, std::string_view name) {
  std::vector<std::string> values;
  for (const auto& param : issue.params) {
    if (param.name == name) values.push_back(param.value);
  }
  return values;
}

struct TypeWords {
  std::string_view expected;
  std::string_view sentence;
  std::string_view code;
};

constexpr std::array<TypeWords, 6> kTypes = {{
    {"string", "Input should be a valid string", "string_type"},
    {"integer", "Input should be a valid integer", "int_type"},
    {"number", "Input should be a valid number", "float_type"},
    {"boolean", "Input should be a valid boolean", "bool_type"},
    {"array", "Input should be a valid list", "list_type"},
    {"object", "Input should be a valid dictionary", "dict_type"},
}};

Worded type_words(const Issue& issue) {
  for (const TypeWords& words : kTypes) {
    if (words.expected == issue.param("expected")) {
      return {std::string(words.sentence), std::string(words.code)};
    }
  }
  return {fmt::format("Input should be a valid {}", issue.param("expected")), "type_error"};
}

std::string plural(std::string_view count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == "1" ? "" : "s");
}

Worded words_of(const Issue& issue) {
  using namespace wire::rule;
  if (issue.rule == kRequired) return {"Field required", "missing"};
  if (issue.rule == kUnknown) return {"Extra inputs are not permitted", "extra_forbidden"};
  if (issue.rule == kType) return type_words(issue);
  if (issue.rule == kOneOf) {
    return {"Input should be " + listed(all_params(issue, "allowed"), " or "), "literal_error"};
  }
  if (issue.rule == rule::kMustBeTrue) return {"Input should be True", "literal_error"};
  if (issue.rule == kRangeMin) {
    return {fmt::format("Input should be greater than or equal to {}", issue.param("min")),
            "greater_than_equal"};
  }
  if (issue.rule == kRangeMax) {
    return {fmt::format("Input should be less than or equal to {}", issue.param("max")),
            "less_than_equal"};
  }
  if (issue.rule == kItemsMin) {
    return {fmt::format("List should have at least {} after validation, not {}",
                        plural(issue.param("min"), "item"), issue.param("actual")),
            "too_short"};
  }
  if (issue.rule == kLengthMin) {
    return {fmt::format("String should have at least {}", plural(issue.param("min"), "character")),
            "string_too_short"};
  }
  if (issue.rule == kLengthMax) {
    return {fmt::format("String should have at most {}", plural(issue.param("max"), "character")),
            "string_too_long"};
  }
  if (issue.rule == rule::kTagMissing) {
    return {"Unable to extract tag using discriminator 'mode'", "union_tag_not_found"};
  }
  if (issue.rule == rule::kTagUnknown) {
    return {fmt::format("Input tag '{}' found using 'mode' does not match any of the expected "
                        "tags: {}",
                        issue.param("tag"), listed(all_params(issue, "expected"), ", ")),
            "union_tag_invalid"};
  }
  return {"Input is not valid", "value_error"};
}

// The kind of a value that is shown as JSON text; what is not shown is an object.
std::string_view shown_type(std::string_view json) {
  if (json.empty() || json.front() == '{') return "dict";
  if (json.front() == '[') return "list";
  if (json.front() == '"') return "str";
  if (json == "true" || json == "false") return "bool";
  if (json == "null") return "NoneType";
  return json.find_first_of(".eE") == std::string_view::npos ? "int" : "float";
}

std::string shown(std::string_view json) {
  if (json.empty()) return "{...}";
  const std::string_view kept = prefix_code_points(json, kMaxShown);
  return kept.size() < json.size() ? std::string(kept) + "..." : std::string(json);
}

std::string line_of(std::string_view place, const Issue& issue) {
  const Worded words = words_of(issue);
  return fmt::format(
      "\n{}\n  {} [type={}, input_value={}, input_type={}]\n    For further information visit "
      "https://errors.pydantic.dev/2.13/v/{}",
      place, words.sentence, words.code, shown(issue.value), shown_type(issue.value), words.code);
}

std::string head(std::string_view tool, size_t count) {
  return fmt::format("{} validation error{} for {}Arguments", count, count == 1 ? "" : "s", tool);
}

}  // namespace

std::string validation_text(std::string_view tool, std::string_view mode,
                            const std::vector<Issue>& issues) {
  std::string out = head(tool, issues.size());
  for (const Issue& issue : issues) {
    std::string place = fmt::format("args.{}", mode);
    for (const Issue::Step& step : issue.path) place += "." + step.name;
    out += line_of(place, issue);
  }
  return out;
}

Issue missing_args() { return {.rule = std::string(wire::rule::kRequired)}; }

Issue args_of_wrong_type(const Value& args) {
  return {.rule = std::string(wire::rule::kType),
          .params = {{"expected", "object"}},
          .value = to_json(args)};
}

Issue missing_tag(const Value& args) {
  return {.rule = std::string(rule::kTagMissing), .value = to_json(args)};
}

Issue unknown_tag(const std::string& tag, const std::vector<std::string>& expected) {
  Issue issue{.rule = std::string(rule::kTagUnknown), .params = {{"tag", tag}}};
  for (const std::string& one : expected) issue.params.push_back({"expected", one});
  return issue;
}

Error args_issue(std::string_view tool, Issue issue) {
  std::string text = head(tool, 1) + line_of("args", issue);
  return invalid_argument(std::move(text), {std::move(issue)});
}

}  // namespace holdfast::surface::substrate
