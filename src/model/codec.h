// How a struct is written as a Value and read back, declared once:
//
//   const Codec<Reminder>& reminder_codec() {
//     static const Codec<Reminder> codec = Codec<Reminder>()
//         .field("title", &Reminder::title)
//         .field("due_at", &Reminder::due_at);      // std::optional: left out when empty
//     return codec;
//   }
//
// Reading is lenient where evolution needs it (an absent member keeps the struct's default, an
// unknown one is skipped) and strict where it protects (a member of the wrong type is kCorrupted).
// For enumerations specialise EnumNames.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/time_text.h"
#include "model/enum_names.h"
#include "model/json_text.h"
#include "model/value.h"

namespace holdfast {

template <typename T>
class Codec;

// A struct inside another one: specialise to return its codec.
template <typename T>
const Codec<T>& codec_of();

namespace codec_detail {

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

}  // namespace codec_detail

template <typename T>
class Codec {
 public:
  template <typename M>
  Codec&& field(std::string name, M T::*member) && {
    std::string begin;  // of the member's text
    append_json_string(begin, name);
    begin += ':';
    fields_.push_back(
        {.append =
             [begin, member](const T& from, std::string& to) {
               if (codec_detail::left_out(from.*member)) return;
               if (to.back() != '{') to += ',';
               to += begin;
               codec_detail::append(to, from.*member);
             },
         .write =
             [name, member](const T& from, Value& to) {
               if (!codec_detail::left_out(from.*member)) {
                 to.if_object()->push_back({name, codec_detail::encode(from.*member)});
               }
             },
         .read = [name, member](codec_detail::Members& from, T& to) -> const std::string* {
           Value* value = from.find(name);
           if (value == nullptr || codec_detail::decode(*value, to.*member)) return nullptr;
           return &name;
         }});
    return std::move(*this);
  }

  Value encode(const T& from) const {
    Value to = Value::object();
    for (const Field& field : fields_) field.write(from, to);
    return to;
  }

  Result<T> decode(Value from) const {
    T to{};
    if (!from.is_object()) return damaged("the body is no object");
    codec_detail::Members members(*from.if_object());
    for (const Field& field : fields_) {
      if (const std::string* name = field.read(members, to))
        return damaged("member " + *name + " has the wrong type");
    }
    return to;
  }

  // The stored form: encode() as JSON text.
  std::string encode_text(const T& from) const {
    std::string to;
    append_text(to, from);
    return to;
  }
  void append_text(std::string& to, const T& from) const {
    to += '{';
    for (const Field& field : fields_) field.append(from, to);
    to += '}';
  }
  Result<T> decode_text(std::string_view text) const {
    auto value = parse_json(text);
    if (!value) return damaged(value.error().message);
    return decode(std::move(*value));
  }

 private:
  struct Field {
    std::function<void(const T&, std::string&)> append;
    std::function<void(const T&, Value&)> write;
    std::function<const std::string*(codec_detail::Members&, T&)>
        read;  // the name of a member that cannot be read
  };

  static Error damaged(std::string detail) {
    return Error{.code = ErrorCode::kCorrupted,
                 .message = "A stored object cannot be read; 'holdfast verify' tells more.",
                 .detail = std::move(detail)};
  }

  std::vector<Field> fields_;
};

namespace codec_detail {

template <typename T>
Value encode(const std::optional<T>& v) {
  return v ? encode(*v) : Value();
}
template <typename T>
Value encode(const std::vector<T>& v) {
  Value::Array elements;
  elements.reserve(v.size());
  for (const T& element : v) elements.push_back(encode(element));
  return Value(std::move(elements));
}
template <typename T>
requires std::is_class_v<T> Value encode(const T& v) { return codec_of<T>().encode(v); }

template <typename T>
void append(std::string& out, const std::optional<T>& v) {
  v ? append(out, *v) : append(out, Value());
}
template <typename T>
void append(std::string& out, const std::vector<T>& v) {
  out += '[';
  for (size_t i = 0; i < v.size(); ++i) {
    if (i > 0) out += ',';
    append(out, v[i]);
  }
  out += ']';
}
template <typename T>
requires std::is_class_v<T>
void append(std::string& out, const T& v) { codec_of<T>().append_text(out, v); }

template <typename T>
bool decode(Value& in, std::optional<T>& out) {
  if (in.is_null()) return out.reset(), true;
  return decode(in, out.emplace());
}
template <typename T>
bool decode(Value& in, std::vector<T>& out) {
  auto* elements = in.if_array();
  if (elements == nullptr) return false;
  out.clear();
  out.reserve(elements->size());
  for (Value& element : *elements) {
    if (!decode(element, out.emplace_back())) return false;
  }
  return true;
}
template <typename T>
requires std::is_class_v<T>
bool decode(Value& in, T& out) {
  auto decoded = codec_of<T>().decode(std::move(in));
  return decoded.has_value() && (out = std::move(*decoded), true);
}

}  // namespace codec_detail

}  // namespace holdfast
