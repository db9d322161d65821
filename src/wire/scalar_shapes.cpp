// Shapes of texts, numbers, booleans, times and enumerations.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/time_text.h"
#include "wire/headers.h"
#include "wire/moment.h"
#include "wire/shape.h"

namespace holdfast::wire {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

bool reads_text(const Reading& reading) {
  return reading.from_text() || reading.strictness().coerce_scalars;
}

std::optional<Value> integer_of_text(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size() || text.empty()) return std::nullopt;
  if (error == std::errc()) return Value(number);
  // A number of so many digits is an integer all the same; the range rules judge it.
  if (error == std::errc::result_out_of_range) {
    return text.front() == '-' ? Value(-kTwoTo63 * 2) : Value(std::numeric_limits<uint64_t>::max());
  }
  return std::nullopt;
}

std::optional<double> double_of_text(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
    return std::nullopt;
  return number;
}

std::optional<bool> bool_of_word(std::string_view text, bool every_word) {
  struct Word {
    std::string_view text;
    bool value;
  };
  constexpr Word kWords[] = {{"true", true}, {"false", false}, {"1", true},  {"0", false},
                             {"yes", true},  {"no", false},    {"on", true}, {"off", false},
                             {"y", true},    {"n", false},     {"t", true},  {"f", false}};
  if (!every_word) {
    if (text == "true") return true;
    if (text == "false") return false;
    return std::nullopt;
  }
  for (const Word& word : kWords) {
    if (equal_ignoring_case(word.text, text)) return word.value;
  }
  return std::nullopt;
}

class StringShape : public Shape {
 public:
  explicit StringShape(std::string& (*text)(void*)) : text_(text) {}
  Value show(const void* in) const override {
    // The accessor only finds the text; const is restored by returning a copy.
    const std::string& text = text_(const_cast<void*>(in));
    return text.empty() ? Value() : Value(text);
  }

 protected:
  const Value* accept(const Value& value, Value&, Reading& reading) const override {
    if (value.is_string()) return &value;
    reading.add_type("string", value);
    return nullptr;
  }
  void store(const Value& value, void* out, Reading&) const override {
    text_(out) = *value.if_string();
  }
  Value describe(const Strictness&) const override { return Value::object({{"type", "string"}}); }

 private:
  std::string& (*const text_)(void*);
};

class BoolShape : public Shape {
 public:
  Value show(const void* in) const override { return *static_cast<const bool*>(in); }

 protected:
  const Value* accept(const Value& value, Value& scratch, Reading& reading) const override {
    if (value.is_bool()) return &value;
    std::optional<bool> meant;
    if (const auto* text = value.if_string(); text != nullptr && reads_text(reading)) {
      meant = bool_of_word(*text, reading.strictness().coerce_scalars);
    } else if (value.is_number() && reading.strictness().coerce_scalars) {
      if (value.to_double() == 0) meant = false;
      if (value.to_double() == 1) meant = true;
    }
    if (!meant) {
      reading.add_type("boolean", value);
      return nullptr;
    }
    scratch = Value(*meant);
    return &scratch;
  }
  void store(const Value& value, void* out, Reading&) const override {
    *static_cast<bool*>(out) = *value.if_bool();
  }
  Value describe(const Strictness&) const override { return Value::object({{"type", "boolean"}}); }
};

template <typename Int>
class IntegerShape : public Shape {
 public:
  Value show(const void* in) const override {
    return static_cast<int64_t>(*static_cast<const Int*>(in));
  }

 protected:
  const Value* accept(const Value& value, Value& scratch, Reading& reading) const override {
    if (value.is_integer()) return &value;
    if (const auto* number = value.if_double();
        number != nullptr && *number == std::trunc(*number)) {
      if (reading.strictness().integral_doubles || reading.strictness().coerce_scalars) {
        scratch = std::abs(*number) < kTwoTo63 ? Value(static_cast<int64_t>(*number)) : value;
        return &scratch;
      }
    }
    if (const auto* text = value.if_string(); text != nullptr && reads_text(reading)) {
      if (auto number = integer_of_text(*text)) {
        scratch = std::move(*number);
        return &scratch;
      }
    }
    reading.add_type("integer", value);
    return nullptr;
  }
  void store(const Value& value, void* out, Reading& reading) const override {
    const auto* number = value.if_int();
    if (number != nullptr && std::in_range<Int>(*number)) {
      *static_cast<Int*>(out) = static_cast<Int>(*number);
    } else if (value.to_double() < 0) {
      reading.add(rule::kRangeMin, {{"min", std::to_string(std::numeric_limits<Int>::min())}},
                  &value);
    } else {
      reading.add(rule::kRangeMax, {{"max", std::to_string(std::numeric_limits<Int>::max())}},
                  &value);
    }
  }
  Value describe(const Strictness&) const override { return Value::object({{"type", "integer"}}); }
};

class DoubleShape : public Shape {
 public:
  Value show(const void* in) const override { return *static_cast<const double*>(in); }

 protected:
  const Value* accept(const Value& value, Value& scratch, Reading& reading) const override {
    if (value.is_number()) return &value;
    if (const auto* text = value.if_string(); text != nullptr && reads_text(reading)) {
      if (const auto number = double_of_text(*text)) {
        scratch = Value(*number);
        return &scratch;
      }
    }
    reading.add_type("number", value);
    return nullptr;
  }
  void store(const Value& value, void* out, Reading&) const override {
    *static_cast<double*>(out) = value.to_double();
  }
  Value describe(const Strictness&) const override { return Value::object({{"type", "number"}}); }
};

class TimestampShape : public Shape {
 protected:
  const Value* accept(const Value& value, Value&, Reading& reading) const override {
    const auto* text = value.if_string();
    if (text == nullptr) {
      reading.add_type("string", value);
      return nullptr;
    }
    const bool readable = time_of(*text, reading).has_value();
    const bool bare_date = text->find('T') == std::string::npos;
    if (readable && (!bare_date || reading.strictness().bare_dates)) return &value;
    reading.add(rule::kFormat, {{"expected", "date-time"}}, &value);
    return nullptr;
  }
  void store(const Value& value, void* out, Reading& reading) const override {
    if (const auto at = time_of(*value.if_string(), reading)) *static_cast<Timestamp*>(out) = *at;
  }
  Value describe(const Strictness&) const override {
    return Value::object({{"type", "string"}, {"format", "date-time"}});
  }

 private:
  static std::optional<Timestamp> time_of(std::string_view text, const Reading& reading) {
    const auto& now = reading.strictness().now;
    return now ? read_moment(text, *now) : parse_time(text);
  }
};

class AnyShape : public Shape {
 protected:
  const Value* accept(const Value& value, Value&, Reading&) const override { return &value; }
  void store(const Value& value, void* out, Reading&) const override {
    *static_cast<Value*>(out) = value;
  }
  Value describe(const Strictness&) const override { return Value::object(); }
};

class EnumShape : public Shape {
 public:
  EnumShape(std::vector<EnumEntry> entries, void (*assign)(void*, int64_t),
            int64_t (*number)(const void*))
      : entries_(std::move(entries)), assign_(assign), number_(number) {}
  Value show(const void* in) const override {
    const int64_t number = number_(in);
    for (const EnumEntry& entry : entries_) {
      if (entry.number == number) return entry.name;
    }
    return {};
  }

 protected:
  const Value* accept(const Value& value, Value&, Reading& reading) const override {
    const auto* text = value.if_string();
    if (text == nullptr) {
      reading.add_type("string", value);
      return nullptr;
    }
    if (std::ranges::find(entries_, *text, &EnumEntry::name) != entries_.end()) return &value;
    std::vector<Issue::Param> allowed;
    for (const EnumEntry& entry : entries_) allowed.push_back({"allowed", entry.name});
    reading.add(rule::kOneOf, std::move(allowed), &value);
    return nullptr;
  }
  void store(const Value& value, void* out, Reading&) const override {
    for (const EnumEntry& entry : entries_) {
      if (entry.name == *value.if_string()) assign_(out, entry.number);
    }
  }
  Value describe(const Strictness&) const override {
    Value names = Value::array();
    for (const EnumEntry& entry : entries_) names.push(entry.name);
    return Value::object({{"type", "string"}, {"enum", std::move(names)}});
  }

 private:
  const std::vector<EnumEntry> entries_;
  void (*const assign_)(void*, int64_t);
  int64_t (*const number_)(const void*);
};

}  // namespace

std::shared_ptr<Shape> string_shape(std::string& (*text)(void*)) {
  return std::make_shared<StringShape>(text);
}
std::shared_ptr<Shape> bool_shape() { return std::make_shared<BoolShape>(); }
std::shared_ptr<Shape> int64_shape() { return std::make_shared<IntegerShape<int64_t>>(); }
std::shared_ptr<Shape> int_shape() { return std::make_shared<IntegerShape<int>>(); }
std::shared_ptr<Shape> double_shape() { return std::make_shared<DoubleShape>(); }
std::shared_ptr<Shape> timestamp_shape() { return std::make_shared<TimestampShape>(); }
std::shared_ptr<Shape> any_shape() { return std::make_shared<AnyShape>(); }

std::shared_ptr<Shape> enum_shape(std::vector<EnumEntry> entries, void (*assign)(void*, int64_t),
                                  int64_t (*number)(const void*)) {
  return std::make_shared<EnumShape>(std::move(entries), assign, number);
}

}  // namespace holdfast::wire
