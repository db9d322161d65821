#include "service/continuity/shape.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/utf8.h"
#include "service/continuity/document.h"

namespace holdfast::service::continuity {
namespace {

using Type = Shape::Type;

// Whole numbers beyond the range of int64_t are taken as its ends: every bound judges them alike.
int64_t nearest(double whole) {
  constexpr double kPastTheEnd = 9223372036854775808.0;
  if (whole >= kPastTheEnd) return INT64_MAX;
  return whole < -kPastTheEnd ? INT64_MIN : static_cast<int64_t>(whole);
}

// The number that a text writes out, with blanks around it and a sign before it.
template <typename Number>
std::optional<Number> parsed(std::string_view text) {
  text = trim_space(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size()) return std::nullopt;
  if (std::is_integral_v<Number> && error == std::errc::result_out_of_range)
    return text.starts_with('-') ? std::numeric_limits<Number>::min()
                                 : std::numeric_limits<Number>::max();
  if (error != std::errc()) return std::nullopt;
  return number;
}

// 300.0 as 300.
std::string_view without_zero_fraction(std::string_view text) {
  text = trim_space(text);
  const size_t dot = text.find('.');
  const bool zeros = dot != std::string_view::npos && dot + 1 < text.size() &&
                     text.find_first_not_of('0', dot + 1) == std::string_view::npos;
  return zeros ? text.substr(0, dot) : text;
}

class Taker {
 public:
  explicit Taker(std::vector<ShapeIssue>& issues) : issues_(issues) {}

  Value take(const Shape& shape, const Value& in) {
    if (in.is_null() && shape.nullable) return {};
    switch (shape.type) {
      case Type::kText: return take_text(shape, in);
      case Type::kInteger: return take_integer(shape, in);
      case Type::kNumber: return take_number(shape, in);
      case Type::kBoolean: return take_boolean(in);
      case Type::kList: return take_list(shape, in);
      case Type::kObject: return take_object(shape, in);
      case Type::kMap:
        if (!in.is_object()) issue("dict_type", "Input should be a valid dictionary", in);
        return in;
      case Type::kAny: return in;
    }
    return in;
  }

 private:
  void issue(std::string type, std::string message, const Value& input, Value context = {}) {
    issues_.push_back({.type = std::move(type),
                       .where = where_,
                       .message = std::move(message),
                       .input = input,
                       .context = std::move(context)});
  }

  Value take_text(const Shape& shape, const Value& in) {
    const std::string* text = in.if_string();
    if (!shape.words.empty()) return take_word(shape, in, text);
    if (text == nullptr) return issue("string_type", "Input should be a valid string", in), in;
    const auto length = static_cast<int64_t>(count_code_points(*text));
    if (length < shape.min)
      issue("string_too_short",
            fmt::format("String should have at least {} character{}", shape.min,
                        shape.min == 1 ? "" : "s"),
            in, Value::object({{"min_length", shape.min}}));
    if (length > shape.max)
      issue("string_too_long",
            fmt::format("String should have at most {} character{}", shape.max,
                        shape.max == 1 ? "" : "s"),
            in, Value::object({{"max_length", shape.max}}));
    return in;
  }

  Value take_word(const Shape& shape, const Value& in, const std::string* text) {
    if (text != nullptr && std::ranges::find(shape.words, *text) != shape.words.end()) return in;
    std::string words;
    for (size_t i = 0; i < shape.words.size(); ++i) {
      if (i > 0) words += i + 1 == shape.words.size() ? " or " : ", ";
      words += fmt::format("'{}'", shape.words[i]);
    }
    issue("literal_error", "Input should be " + words, in, Value::object({{"expected", words}}));
    return in;
  }

  Value take_integer(const Shape& shape, const Value& in) {
    std::optional<int64_t> number;
    if (in.is_integer()) number = in.if_int() != nullptr ? *in.if_int() : INT64_MAX;
    if (const bool* flag = in.if_bool()) number = *flag ? 1 : 0;
    if (const double* real = in.if_double()) {
      if (*real != std::floor(*real))
        return issue("int_from_float",
                     "Input should be a valid integer, got a number with a fractional part", in),
               in;
      number = nearest(*real);
    }
    if (const std::string* text = in.if_string()) {
      number = parsed<int64_t>(without_zero_fraction(*text));
      if (!number)
        return issue("int_parsing",
                     "Input should be a valid integer, unable to parse string as an integer", in),
               in;
    }
    if (!number) return issue("int_type", "Input should be a valid integer", in), in;
    return bounded(shape, in, static_cast<double>(*number)) ? Value(*number) : in;
  }

  Value take_number(const Shape& shape, const Value& in) {
    std::optional<double> number;
    if (in.is_number()) number = in.to_double();
    if (const bool* flag = in.if_bool()) number = *flag ? 1 : 0;
    if (const std::string* text = in.if_string()) {
      number = parsed<double>(*text);
      if (!number || !std::isfinite(*number))
        return issue("float_parsing",
                     "Input should be a valid number, unable to parse string as a number", in),
               in;
    }
    if (!number) return issue("float_type", "Input should be a valid number", in), in;
    return bounded(shape, in, *number) ? Value(*number) : in;
  }

  bool bounded(const Shape& shape, const Value& in, double value) {
    if (shape.min != INT64_MIN && value < static_cast<double>(shape.min)) {
      issue("greater_than_equal",
            fmt::format("Input should be greater than or equal to {}", shape.min), in,
            Value::object({{"ge", shape.min}}));
      return false;
    }
    if (shape.max != INT64_MAX && value > static_cast<double>(shape.max)) {
      issue("less_than_equal", fmt::format("Input should be less than or equal to {}", shape.max),
            in, Value::object({{"le", shape.max}}));
      return false;
    }
    return true;
  }

  Value take_boolean(const Value& in) {
    if (in.is_bool()) return in;
    if (in.is_number() && (in.to_double() == 0 || in.to_double() == 1)) return in.to_double() == 1;
    if (const std::string* text = in.if_string()) {
      const std::string word = fold_case(*text);
      for (const char* yes : {"true", "yes", "on", "y", "t", "1"}) {
        if (word == yes) return true;
      }
      for (const char* no : {"false", "no", "off", "n", "f", "0"}) {
        if (word == no) return false;
      }
    }
    if (in.is_string() || in.is_number()) {
      issue("bool_parsing", "Input should be a valid boolean, unable to interpret input", in);
    } else {
      issue("bool_type", "Input should be a valid boolean", in);
    }
    return in;
  }

  Value take_list(const Shape& shape, const Value& in) {
    const Value::Array* elements = in.if_array();
    if (elements == nullptr) return issue("list_type", "Input should be a valid list", in), in;
    const auto count = static_cast<int64_t>(elements->size());
    if (count > shape.max)
      return issue("too_long",
                   fmt::format("List should have at most {} item{} after validation, not {}",
                               shape.max, shape.max == 1 ? "" : "s", count),
                   in,
                   Value::object({{"field_type", "List"},
                                  {"max_length", shape.max},
                                  {"actual_length", count}})),
             in;
    Value out = Value::array();
    for (size_t i = 0; i < elements->size(); ++i) {
      where_.emplace_back(i);
      out.push(take(shape.element.front(), (*elements)[i]));
      where_.pop_back();
    }
    if (count < shape.min)
      issue("too_short",
            fmt::format("List should have at least {} item{} after validation, not {}", shape.min,
                        shape.min == 1 ? "" : "s", count),
            in,
            Value::object(
                {{"field_type", "List"}, {"min_length", shape.min}, {"actual_length", count}}));
    return out;
  }

  Value take_object(const Shape& shape, const Value& in) {
    const Value::Object* members = in.if_object();
    if (members == nullptr)
      return issue("model_attributes_type",
                   "Input should be a valid dictionary or object to extract fields from", in),
             in;
    Value out = Value::object();
    for (const Member& member : shape.members) take_member(member, in, out);
    if (!shape.closed && !shape.keep_extra) return out;
    for (const Value::Member& sent : *members) {
      const auto known = [&](const Member& member) { return member.name == sent.name; };
      if (std::ranges::any_of(shape.members, known)) continue;
      if (shape.keep_extra) {
        out.set(sent.name, sent.value);
        continue;
      }
      where_.emplace_back(sent.name);
      issue("extra_forbidden", "Extra inputs are not permitted", sent.value);
      where_.pop_back();
    }
    return out;
  }

  void take_member(const Member& member, const Value& in, Value& out) {
    const Value* sent = in.find(member.name);
    where_.emplace_back(member.name);
    if (sent != nullptr) {
      out.set(member.name, take(member, *sent));
    } else if (member.required) {
      issue("missing", "Field required", in);
    } else if (member.otherwise) {
      out.set(member.name, *member.otherwise);
    }
    where_.pop_back();
  }

  std::vector<ShapeIssue>& issues_;
  std::vector<Value> where_ = {};
};

}  // namespace

Value take(const Shape& shape, const Value& in, std::vector<ShapeIssue>& issues) {
  return Taker(issues).take(shape, in);
}

Value issue_list(const std::vector<ShapeIssue>& issues, const std::string& location) {
  Value out = Value::array();
  for (const ShapeIssue& issue : issues) {
    Value where = Value::array({location});
    for (const Value& step : issue.where) where.push(step);
    Value entry = Value::object({{"type", issue.type},
                                 {"loc", std::move(where)},
                                 {"msg", issue.message},
                                 {"input", issue.input}});
    if (!issue.context.is_null()) entry.set("ctx", issue.context);
    out.push(std::move(entry));
  }
  return out;
}

}  // namespace holdfast::service::continuity
