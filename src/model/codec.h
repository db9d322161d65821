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
#include "model/codec_reading.h"
#include "model/json_text.h"
#include "model/value.h"

namespace holdfast {

// A struct inside another one: specialise to return its codec.
template <typename T>
const Codec<T>& codec_of();

template <typename T>
class Codec : public codec_detail::Reader {
 public:
  template <typename M>
  Codec&& field(std::string name, M T::*member) && {
    std::string begin;  // of the member's text
    append_json_string(begin, name);
    begin += ':';
    fields_.push_back(
        {.name = name,
         .append =
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
         .place = [member](T& to) { return codec_detail::place_of(to.*member); }});
    return std::move(*this);
  }

  Value encode(const T& from) const {
    Value to = Value::object();
    for (const Field& field : fields_) field.write(from, to);
    return to;
  }

  Result<T> decode(const Value& from) const {
    T to{};
    if (auto problem = codec_detail::read_value(from, {this, &to}))
      return damaged(std::move(*problem));
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
    T to{};
    if (auto problem = codec_detail::read_text(text, {this, &to}))
      return damaged(std::move(*problem));
    return to;
  }

  // As a reader of its struct.
  codec_detail::Place object(void* at) const override { return {this, at}; }
  codec_detail::Place member(void* at, std::string_view name, size_t& next) const override {
    // In about the order of the codec, which wrote them.
    for (size_t i = 0; i < fields_.size(); ++i) {
      const size_t n = next + i < fields_.size() ? next + i : next + i - fields_.size();
      if (fields_[n].name != name) continue;
      next = n + 1;
      return fields_[n].place(*static_cast<T*>(at));
    }
    return codec_detail::nowhere();
  }

 private:
  struct Field {
    std::string name;
    std::function<void(const T&, std::string&)> append;
    std::function<void(const T&, Value&)> write;
    std::function<codec_detail::Place(T&)> place;
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

}  // namespace codec_detail

}  // namespace holdfast
