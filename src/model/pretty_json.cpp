#include "model/pretty_json.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/json_escape.h"
#include "model/json_text.h"

namespace holdfast {
namespace {

char* put(char* to, std::string_view text) {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

}  // namespace

void PrettyJson::grow(size_t needed) { out_.resize(std::max(needed, 2 * out_.size())); }

// There is room for the text, but perhaps not for its escapes.
char* PrettyJson::put_text(char* to, std::string_view text) {
  *to++ = '"';
  const size_t plain = json_escape::put_plain(to, text);
  to += plain;
  if (plain < text.size()) {
    wrote_until(to);
    const std::string_view rest = text.substr(plain);
    to = json_escape::put_escaped(room(rest.size() * json_escape::kLongestEscape), rest);
  }
  *to++ = '"';
  return to;
}

PrettyJson& PrettyJson::begin(char bracket) {
  char* to = put_separator(room(1));
  *to++ = bracket;
  wrote_until(to);
  ++depth_;
  is_first_ = true;
  return *this;
}

PrettyJson& PrettyJson::end(char bracket) {
  --depth_;
  char* to = room(1);
  if (!std::exchange(is_first_, false)) to = put_line(to);
  *to++ = bracket;
  wrote_until(to);
  return *this;
}

PrettyJson& PrettyJson::any_name(std::string_view name) {
  char* const to = put_text(put_separator(room(name.size())), name);
  wrote_until(put(to, ": "));
  is_named_ = true;
  return *this;
}

PrettyJson& PrettyJson::value(std::string_view text) {
  wrote_until(put_text(put_separator(room(text.size())), text));
  return *this;
}

PrettyJson& PrettyJson::value(int64_t number) {
  const fmt::format_int digits(number);
  char* const to = put_separator(room(digits.size()));
  wrote_until(put(to, {digits.data(), digits.size()}));
  return *this;
}

PrettyJson& PrettyJson::value(const std::vector<std::string>& texts) {
  begin_array();
  for (const std::string& text : texts) value(std::string_view(text));
  return end_array();
}

PrettyJson& PrettyJson::write(const Value& any) {
  if (const auto* elements = any.if_array()) {
    begin_array();
    for (const Value& element : *elements) write(element);
    return end_array();
  }
  if (const auto* members = any.if_object()) {
    begin_object();
    for (const auto& member : *members) any_name(member.name).write(member.value);
    return end_object();
  }
  if (const auto* text = any.if_string()) return value(std::string_view(*text));
  const std::string plain = to_json(any);
  wrote_until(put(put_separator(room(plain.size())), plain));
  return *this;
}

std::string PrettyJson::take() {
  out_.resize(size_);
  return std::move(out_);
}

std::string to_pretty_json(const Value& value) {
  PrettyJson json;
  json.value(value);
  return json.take();
}

}  // namespace holdfast
