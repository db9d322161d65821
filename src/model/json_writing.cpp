// JSON text of Values.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "model/json_text.h"

namespace holdfast {
namespace {

void append_double(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  const size_t start = out.size();
  fmt::format_to(std::back_inserter(out), "{}", number);
  if (out.find_first_of(".e", start) == std::string::npos) out += ".0";
}

constexpr size_t kUsualAnswer = 4096;  // bytes
constexpr uint64_t kOnes = 0x0101010101010101;

// The bytes of a word that must be escaped have their high bit set; in each word the lowest such
// mark is exact, whatever borrows above it.
uint64_t marks_of(uint64_t word) {
  constexpr uint64_t kHighs = 0x8080808080808080;
  const uint64_t quote = word ^ kOnes * '"';
  const uint64_t slash = word ^ kOnes * '\\';
  return (((word - kOnes * 0x20) & ~word) | ((quote - kOnes) & ~quote) |
          ((slash - kOnes) & ~slash)) &
         kHighs;
}

bool must_be_escaped(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

// How far a string can be copied as it is: to its end, or to what must be escaped.
size_t plain_until(std::string_view text) {
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    if (const uint64_t marks = marks_of(word))
      return at + static_cast<size_t>(std::countr_zero(marks)) / 8;
  }
  while (at < text.size() && !must_be_escaped(text[at])) ++at;
  return at;
}

// Writes the escape of a character and returns its end.
char* put_escape(char* to, char c) {
  *to++ = '\\';
  switch (c) {
    case '"': *to++ = '"'; return to;
    case '\\': *to++ = '\\'; return to;
    case '\n': *to++ = 'n'; return to;
    case '\r': *to++ = 'r'; return to;
    case '\t': *to++ = 't'; return to;
    case '\b': *to++ = 'b'; return to;
    case '\f': *to++ = 'f'; return to;
    default: return fmt::format_to(to, "u{:04x}", static_cast<unsigned>(c));
  }
}

// A string with much to escape, as JSON within JSON is: through a buffer, which each step has room
// in, eight bytes at a time of which those before the first mark count.
void append_escaped(std::string& out, std::string_view text) {
  std::array<char, 512> buffer;
  constexpr size_t kMostOfAStep = 16;
  char* to = buffer.data();
  for (size_t at = 0; at < text.size();) {
    if (to > buffer.data() + buffer.size() - kMostOfAStep) {
      out.append(buffer.data(), static_cast<size_t>(to - buffer.data()));
      to = buffer.data();
    }
    if (at + 8 > text.size()) {
      const char c = text[at++];
      if (must_be_escaped(c)) {
        to = put_escape(to, c);
      } else {
        *to++ = c;
      }
      continue;
    }
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    std::memcpy(to, &word, 8);
    const uint64_t marks = marks_of(word);
    const size_t plain = marks != 0 ? static_cast<size_t>(std::countr_zero(marks)) / 8 : 8;
    to += plain;
    at += plain;
    if (marks != 0) to = put_escape(to, text[at++]);
  }
  out.append(buffer.data(), static_cast<size_t>(to - buffer.data()));
}

void append_number(std::string& out, const fmt::format_int& digits) {
  out.append(digits.data(), digits.size());
}

void append_member(std::string& out, const Value::Member& member, bool canonical);
void append_sorted(std::string& out, const Value::Object& object);

// Sorted and compact where `canonical`.
void append(std::string& out, const Value& value, bool canonical) {
  if (value.is_null()) {
    out += "null";
  } else if (const auto* b = value.if_bool()) {
    out += *b ? "true" : "false";
  } else if (const auto* i = value.if_int()) {
    append_number(out, fmt::format_int(*i));
  } else if (const auto* u = value.if_uint()) {
    append_number(out, fmt::format_int(*u));
  } else if (const auto* d = value.if_double()) {
    constexpr double kTwoTo63 = 9223372036854775808.0;
    const bool whole = canonical && *d == std::trunc(*d);
    if (whole && *d >= -kTwoTo63 && *d < kTwoTo63) {
      append_number(out, fmt::format_int(static_cast<int64_t>(*d)));
    } else if (whole && *d >= kTwoTo63 && *d < 2 * kTwoTo63) {
      append_number(out, fmt::format_int(static_cast<uint64_t>(*d)));
    } else {
      append_double(out, *d);
    }
  } else if (const auto* s = value.if_string()) {
    append_json_string(out, *s);
  } else if (const auto* array = value.if_array()) {
    out += '[';
    for (size_t n = 0; n < array->size(); ++n) {
      if (n > 0) out += ',';
      append(out, (*array)[n], canonical);
    }
    out += ']';
  } else {
    out += '{';
    if (canonical) {
      append_sorted(out, *value.if_object());
    } else {
      for (const auto& member : *value.if_object()) append_member(out, member, canonical);
    }
    out += '}';
  }
}

void append_member(std::string& out, const Value::Member& member, bool canonical) {
  if (out.back() != '{') out += ',';
  append_json_string(out, member.name);
  out += ':';
  append(out, member.value, canonical);
}

void append_sorted(std::string& out, const Value::Object& object) {
  // Most objects are small, and there are many of them.
  std::array<const Value::Member*, 16> few;
  std::vector<const Value::Member*> many;
  if (object.size() > few.size()) many.resize(object.size());
  const std::span members(many.empty() ? few.data() : many.data(), object.size());
  std::ranges::transform(object, members.begin(), [](const auto& member) { return &member; });
  std::ranges::sort(members, [](const auto* x, const auto* y) { return x->name < y->name; });
  for (const auto* member : members) append_member(out, *member, true);
}

void append_pretty(std::string& out, const Value& value, size_t indent) {
  if (const auto* array = value.if_array(); array != nullptr && !array->empty()) {
    out += "[\n";
    for (size_t n = 0; n < array->size(); ++n) {
      out.append(indent + 2, ' ');
      append_pretty(out, (*array)[n], indent + 2);
      out += n + 1 < array->size() ? ",\n" : "\n";
    }
    out.append(indent, ' ');
    out += ']';
  } else if (const auto* object = value.if_object(); object != nullptr && !object->empty()) {
    out += "{\n";
    for (size_t n = 0; n < object->size(); ++n) {
      out.append(indent + 2, ' ');
      append_json_string(out, (*object)[n].name);
      out += ": ";
      append_pretty(out, (*object)[n].value, indent + 2);
      out += n + 1 < object->size() ? ",\n" : "\n";
    }
    out.append(indent, ' ');
    out += '}';
  } else {
    append(out, value, false);
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  const size_t plain = plain_until(text);
  out += '"';
  out.append(text.data(), plain);
  if (plain < text.size()) append_escaped(out, text.substr(plain));
  out += '"';
}

void append_json(std::string& out, const Value& value) { append(out, value, false); }

std::string to_json(const Value& value) {
  std::string out;
  append(out, value, false);
  return out;
}

std::string to_canonical_json(const Value& value) {
  std::string out;
  append(out, value, true);
  return out;
}

std::string to_pretty_json(const Value& value) {
  std::string out;
  out.reserve(kUsualAnswer);
  append_pretty(out, value, 0);
  return out;
}

}  // namespace holdfast
