// Value to JSON text.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "model/json_text.h"

namespace holdfast {
namespace {

constexpr uint64_t every_byte(unsigned char byte) { return 0x0101010101010101U * byte; }

// Bytes that JSON escapes, as the high bits of their places; exact up to the first of them.
constexpr uint64_t escaped_bytes(uint64_t eight) {
  const auto zeros = [](uint64_t bytes) { return (bytes - every_byte(1)) & ~bytes; };
  const uint64_t control = (eight - every_byte(0x20)) & ~eight;
  return (control | zeros(eight ^ every_byte('"')) | zeros(eight ^ every_byte('\\'))) &
         every_byte(0x80);
}

// The place of the next byte that JSON escapes, or the end.
size_t next_escaped(std::string_view text, size_t from) {
  static_assert(std::endian::native == std::endian::little);
  for (; from + sizeof(uint64_t) <= text.size(); from += sizeof(uint64_t)) {
    uint64_t eight = 0;
    std::memcpy(&eight, text.data() + from, sizeof eight);
    const uint64_t found = escaped_bytes(eight);
    if (found != 0) return from + static_cast<size_t>(std::countr_zero(found)) / 8;
  }
  for (; from < text.size(); ++from) {
    const auto c = static_cast<unsigned char>(text[from]);
    if (c < 0x20 || c == '"' || c == '\\') break;
  }
  return from;
}

template <typename Integer>
void append_integer(std::string& out, Integer number) {
  char digits[24];
  out.append(digits, std::to_chars(std::begin(digits), std::end(digits), number).ptr);
}

void append_double(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  const size_t start = out.size();
  fmt::format_to(std::back_inserter(out), "{}", number);
  if (out.find_first_of(".e", start) == std::string::npos) out += ".0";
}

void append(std::string& out, const Value& value, bool canonical);

void append_member(std::string& out, const Value::Member& member, bool canonical) {
  append_json_string(out, member.name);
  out += ':';
  append(out, member.value, canonical);
}

void append_sorted(std::string& out, const Value::Object& object) {
  std::vector<const Value::Member*> members;
  for (const auto& member : object) members.push_back(&member);
  std::ranges::sort(members, [](const auto* x, const auto* y) { return x->name < y->name; });
  for (size_t n = 0; n < members.size(); ++n) {
    if (n > 0) out += ',';
    append_member(out, *members[n], true);
  }
}

// Sorted and compact where `canonical`.
void append(std::string& out, const Value& value, bool canonical) {
  if (value.is_null()) {
    out += "null";
  } else if (const auto* b = value.if_bool()) {
    out += *b ? "true" : "false";
  } else if (const auto* i = value.if_int()) {
    append_integer(out, *i);
  } else if (const auto* u = value.if_uint()) {
    append_integer(out, *u);
  } else if (const auto* d = value.if_double()) {
    if (canonical && std::abs(*d) < 9e15 && *d == std::trunc(*d)) {
      append_integer(out, static_cast<int64_t>(*d));
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
    const Value::Object& members = *value.if_object();
    out += '{';
    if (canonical) {
      append_sorted(out, members);
    } else {
      for (size_t n = 0; n < members.size(); ++n) {
        if (n > 0) out += ',';
        append_member(out, members[n], false);
      }
    }
    out += '}';
  }
}

void append_pretty(std::string& out, const Value& value, size_t indent) {
  const size_t inner = indent + 2;
  if (const auto* array = value.if_array(); array != nullptr && !array->empty()) {
    out += "[\n";
    for (size_t n = 0; n < array->size(); ++n) {
      out.append(inner, ' ');
      append_pretty(out, (*array)[n], inner);
      out += n + 1 < array->size() ? ",\n" : "\n";
    }
    out.append(indent, ' ');
    out += ']';
  } else if (const auto* object = value.if_object(); object != nullptr && !object->empty()) {
    out += "{\n";
    for (size_t n = 0; n < object->size(); ++n) {
      out.append(inner, ' ');
      append_json_string(out, (*object)[n].name);
      out += ": ";
      append_pretty(out, (*object)[n].value, inner);
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
  out += '"';
  size_t plain = 0;
  for (size_t i = next_escaped(text, 0); i < text.size(); i = next_escaped(text, i + 1)) {
    const auto c = static_cast<unsigned char>(text[i]);
    out.append(text, plain, i - plain);
    plain = i + 1;
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      default: fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    }
  }
  out.append(text, plain, text.size() - plain);
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
  append_pretty(out, value, 0);
  return out;
}

}  // namespace holdfast
