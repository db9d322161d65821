// JSON with two-space indentation, written piece by piece: for answers that would be taken apart
// into a Value only to be put together as text. What to_pretty_json writes is written by this.
//
//   PrettyJson json;
//   json.begin_object().member("id", id).name("tags").begin_array();
//   for (const std::string& tag : tags) json.value(tag);
//   json.end_array().end_object();
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/value.h"

namespace holdfast {

class PrettyJson {
 public:
  explicit PrettyJson(size_t expected_bytes = 4096) { out_.resize(expected_bytes); }

  PrettyJson& begin_object() { return begin('{'); }
  PrettyJson& end_object() { return end('}'); }
  PrettyJson& begin_array() { return begin('['); }
  PrettyJson& end_array() { return end(']'); }
  // Of the member whose value comes next.
  PrettyJson& any_name(std::string_view name);
  // The same for a literal that needs no escapes.
  template <size_t kSize>
  PrettyJson& name(const char (&literal)[kSize]);
  PrettyJson& value(std::string_view text);
  PrettyJson& value(int64_t number);
  // No other type becomes a Value by itself: what is a text is written as one.
  template <std::same_as<Value> Any>
  PrettyJson& value(const Any& any) {
    return write(any);
  }
  PrettyJson& value(const std::vector<std::string>& texts);
  template <size_t kSize, typename T>
  PrettyJson& member(const char (&literal)[kSize], const T& member_value) {
    return name(literal).value(member_value);
  }

  std::string take();

 private:
  PrettyJson& write(const Value& any);
  PrettyJson& begin(char bracket);
  PrettyJson& end(char bracket);
  // Where to write so many bytes, and some more: what comes before and after them.
  char* room(size_t bytes) {
    const size_t needed = size_ + bytes + 2 * depth_ + kAround;
    if (needed > out_.size()) grow(needed);
    return out_.data() + size_;
  }
  void grow(size_t needed);
  void wrote_until(const char* end) { size_ = static_cast<size_t>(end - out_.data()); }
  // What comes before a value, and the beginning of a line.
  char* put_separator(char* to);
  char* put_line(char* to) const;
  char* put_text(char* to, std::string_view text);

  static constexpr size_t kUsualIndent = 16;
  static constexpr size_t kAround = kUsualIndent + 8;  // a comma, a line break, quotes, a colon

  std::string out_;  // longer than what was written
  size_t size_ = 0;
  size_t depth_ = 0;
  bool is_first_ = true;   // nothing is in the innermost container yet
  bool is_named_ = false;  // the value of a member comes next
};

inline char* PrettyJson::put_line(char* to) const {
  *to++ = '\n';
  const size_t indent = 2 * depth_;
  std::memset(to, ' ', kUsualIndent);  // at once, although most of it is written over
  if (indent > kUsualIndent) std::memset(to, ' ', indent);
  return to + indent;
}

inline char* PrettyJson::put_separator(char* to) {
  if (std::exchange(is_named_, false) || depth_ == 0) return to;
  if (!std::exchange(is_first_, false)) *to++ = ',';
  return put_line(to);
}

template <size_t kSize>
PrettyJson& PrettyJson::name(const char (&literal)[kSize]) {
  char* to = put_separator(room(kSize));
  *to++ = '"';
  std::memcpy(to, literal, kSize - 1);
  to += kSize - 1;
  *to++ = '"';
  *to++ = ':';
  *to++ = ' ';
  wrote_until(to);
  is_named_ = true;
  return *this;
}

}  // namespace holdfast
