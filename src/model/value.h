// A JSON-like value: what a noun's body, a request and an answer look like while their form is not
// known. Members keep their order; integers and doubles stay apart (1 is not 1.0). Services work
// with structs: a Value appears in a noun's codec, in wire/ and in free-form metadata.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace holdfast {

class Value {
 public:
  struct Member;
  struct MemberInit;  // {name, value}
  using Array = std::vector<Value>;
  // In order of insertion. Look-ups are linear: objects met in practice have few members.
  using Object = std::vector<Member>;

  Value();
  Value(std::nullptr_t);  // NOLINT(google-explicit-constructor): literals read as JSON
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();
  template <std::same_as<bool> B>
  Value(B value);  // NOLINT(google-explicit-constructor)
  template <std::integral I>
  requires(!std::same_as<I, bool> && !std::same_as<I, char>)
      Value(I value);             // NOLINT(google-explicit-constructor)
  Value(double value);            // NOLINT(google-explicit-constructor)
  Value(std::string value);       // NOLINT(google-explicit-constructor)
  Value(std::string_view value);  // NOLINT(google-explicit-constructor)
  Value(const char* value);       // NOLINT(google-explicit-constructor)
  Value(Array value);             // NOLINT(google-explicit-constructor)
  Value(Object value);            // NOLINT(google-explicit-constructor)

  // Value::object({{"id", id}, {"tags", Value::array({"a", "b"})}})
  static Value object(std::initializer_list<MemberInit> members = {});
  static Value array(std::initializer_list<Value> elements = {});
  // Any range of things a Value can be made of.
  template <typename Range>
  static Value array_of(const Range& range) {
    Array elements;
    for (const auto& element : range) elements.emplace_back(element);
    return Value(std::move(elements));
  }

  bool is_null() const { return std::holds_alternative<std::monostate>(data_); }
  bool is_bool() const { return std::holds_alternative<bool>(data_); }
  // An integer in the range of int64_t or uint64_t.
  bool is_integer() const {
    return std::holds_alternative<int64_t>(data_) || std::holds_alternative<uint64_t>(data_);
  }
  bool is_double() const { return std::holds_alternative<double>(data_); }
  bool is_number() const { return is_integer() || is_double(); }
  bool is_string() const { return std::holds_alternative<std::string>(data_); }
  bool is_array() const { return std::holds_alternative<Array>(data_); }
  bool is_object() const { return std::holds_alternative<Object>(data_); }

  // nullptr if it is of another type. if_int() is also nullptr above the range of int64_t.
  const bool* if_bool() const { return std::get_if<bool>(&data_); }
  const int64_t* if_int() const { return std::get_if<int64_t>(&data_); }
  const uint64_t* if_uint() const {
    return std::get_if<uint64_t>(&data_);
  }  // set only above int64_t's range
  const double* if_double() const { return std::get_if<double>(&data_); }
  const std::string* if_string() const { return std::get_if<std::string>(&data_); }
  const Array* if_array() const { return std::get_if<Array>(&data_); }
  const Object* if_object() const { return std::get_if<Object>(&data_); }
  std::string* if_string() { return std::get_if<std::string>(&data_); }
  Array* if_array() { return std::get_if<Array>(&data_); }
  Object* if_object() { return std::get_if<Object>(&data_); }
  // Any number as a double; 0 for everything else.
  double to_double() const;

  // The member of that name, or nullptr (also if this is no object).
  const Value* find(std::string_view name) const;
  Value* find(std::string_view name);
  // Sets or appends a member. A null Value becomes an object first.
  Value& set(std::string_view name, Value value);
  // Appends an element. A null Value becomes an array first.
  void push(Value element);

  // null, boolean, integer, number, string, array, object
  std::string_view type_name() const;

  // Exact: members in the same order, 1 differs from 1.0.
  bool operator==(const Value& other) const;

 private:
  template <std::integral I>
  void set_integer(I value);

  std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string, Array, Object> data_;
};

struct Value::Member {
  std::string name;
  Value value;
  bool operator==(const Member&) const = default;
};

struct Value::MemberInit {
  std::string_view name;
  mutable Value value;  // moved out of the list, whose elements are const
};

// Everything that needs a complete Member comes after it: clang does not look ahead.
inline Value::Value() = default;
inline Value::Value(std::nullptr_t) {}
inline Value::Value(const Value&) = default;
inline Value::Value(Value&&) noexcept = default;
inline Value& Value::operator=(const Value&) = default;
inline Value& Value::operator=(Value&&) noexcept = default;
inline Value::~Value() = default;
template <std::same_as<bool> B>
Value::Value(B value) : data_(value) {}
template <std::integral I>
requires(!std::same_as<I, bool> && !std::same_as<I, char>) Value::Value(I value) {
  set_integer(value);
}
template <std::integral I>
void Value::set_integer(I value) {
  if (std::in_range<int64_t>(value)) {
    data_ = static_cast<int64_t>(value);
  } else {
    data_ = static_cast<uint64_t>(value);
  }
}
inline Value::Value(double value) : data_(value) {}
inline Value::Value(std::string value) : data_(std::move(value)) {}
inline Value::Value(std::string_view value) : data_(std::string(value)) {}
inline Value::Value(const char* value) : data_(std::string(value)) {}
inline Value::Value(Array value) : data_(std::move(value)) {}
inline Value::Value(Object value) : data_(std::move(value)) {}
inline Value Value::array(std::initializer_list<Value> elements) { return Value(Array(elements)); }
inline bool Value::operator==(const Value& other) const { return data_ == other.data_; }

// The text, or null.
inline Value or_null(const std::optional<std::string>& text) {
  return text ? Value(*text) : Value();
}
inline Value null_if_empty(const std::string& text) { return text.empty() ? Value() : Value(text); }

// Equal as JSON: member order does not matter, array order does, numbers compare by value.
bool json_equal(const Value& a, const Value& b);

}  // namespace holdfast
