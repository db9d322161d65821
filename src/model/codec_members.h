// How a codec writes single members, by their types (codec.h is the manual; codec_reading.h reads
// them). Optionals, lists and structs are declared here and defined where codecs are.
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

template <typename T>
bool left_out(const T&) {
  return false;
}
template <typename T>
bool left_out(const std::optional<T>& v) {
  return !v;
}

}  // namespace holdfast::codec_detail
