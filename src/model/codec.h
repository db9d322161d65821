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

#include "base/result.h"
#include "model/codec_members.h"
#include "model/json_text.h"
#include "model/value.h"

namespace holdfast {

template <typename T>
class Codec;

// A struct inside another one: specialise to return its codec.
template <typename T>
const Codec<T>& codec_of();

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
