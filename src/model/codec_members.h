// What a codec does with single members, by their types (codec.h is the manual). Optionals, lists
// and structs are declared here and defined where codecs are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/time_text.h"
#include "model/enum_names.h"
#include "model/json_text.h"
#include "model/value.h"

namespace holdfast::codec_detail {

inline Value encode(const std::string& v) { return Value(v); }
inline Value encode(bool v) { return Value(v); }
inline Value encode(int64_t v) { return Value(v); }
inline Value encode(double v) { return Value(v); }
inline Value encode(const Value& v) { return v; }
inline Value encode(Timestamp v) { return Value(format_micros(v)); }
template <NamedEnum E>
Value encode(E v) {
  return Value(enum_name(v));
}
template <typename T>
Value encode(const std::optional<T>& v);
template <typename T>
Value encode(const std::vector<T>& v);
template <typename T>
requires std::is_class_v<T> Value encode(const T& v);

// The same as JSON text, without a Value in between.
inline void append(std::string& out, const std::string& v) { append_json_string(out, v); }
inline void append(std::string& out, const Value& v) { append_json(out, v); }  // numbers too
inline void append(std::string& out, Timestamp v) { append_json_string(out, format_micros(v)); }
template <NamedEnum E>
void append(std::string& out, E v) {
  append_json_string(out, enum_name(v));
}
template <typename T>
void append(std::string& out, const std::optional<T>& v);
template <typename T>
void append(std::string& out, const std::vector<T>& v);
template <typename T>
requires std::is_class_v<T>
void append(std::string& out, const T& v);

// What is read is moved out of `in`.
inline bool decode(Value& in, std::string& out) {
  if (auto* s = in.if_string()) return out = std::move(*s), true;
  return false;
}
inline bool decode(Value& in, bool& out) {
  if (const auto* b = in.if_bool()) return out = *b, true;
  return false;
}
inline bool decode(Value& in, int64_t& out) {
  if (const auto* i = in.if_int()) return out = *i, true;
  return false;
}
inline bool decode(Value& in, double& out) {
  return in.is_number() && (out = in.to_double(), true);
}
inline bool decode(Value& in, Value& out) { return out = std::move(in), true; }
inline bool decode(Value& in, Timestamp& out) {
  const auto* s = in.if_string();
  const auto at = s != nullptr ? parse_time(*s) : std::nullopt;
  return at && (out = *at, true);
}
template <NamedEnum E>
bool decode(Value& in, E& out) {
  const auto* s = in.if_string();
  const auto value = s != nullptr ? enum_from_name<E>(*s) : std::nullopt;
  return value && (out = *value, true);
}
template <typename T>
bool decode(Value& in, std::optional<T>& out);
template <typename T>
bool decode(Value& in, std::vector<T>& out);
template <typename T>
requires std::is_class_v<T>
bool decode(Value& in, T& out);

// An object's members, looked up in about the order in which they are: that of the codec.
class Members {
 public:
  explicit Members(Value::Object& members) : members_(members) {}

  Value* find(std::string_view name) {
    for (size_t i = next_; i < members_.size(); ++i) {
      if (members_[i].name == name) return next_ = i + 1, &members_[i].value;
    }
    for (size_t i = 0; i < next_; ++i) {
      if (members_[i].name == name) return &members_[i].value;
    }
    return nullptr;
  }

 private:
  Value::Object& members_;
  size_t next_ = 0;
};

template <typename T>
bool left_out(const T&) {
  return false;
}
template <typename T>
bool left_out(const std::optional<T>& v) {
  return !v;
}

}  // namespace holdfast::codec_detail
