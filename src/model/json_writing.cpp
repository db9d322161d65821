// JSON text of Values.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "model/canonical_json.h"
#include "model/json_escape.h"
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

// The text has one block at least. Its last ones come with some that were looked at already.
template <typename Block>
size_t plain_blocks(std::string_view text) {
  const size_t last = text.size() - Block::kSize;
  for (size_t at = 0; at < last; at += Block::kSize) {
    const size_t plain = Block(text.data() + at).plain();
    if (plain < Block::kSize) return at + plain;
  }
  return last + Block(text.data() + last).plain();
}

// How far a string can be copied as it is: to its end, or to what must be escaped. Many are names
// of members, shorter than a block.
size_t plain_until(std::string_view text) {
  using json_escape::Block;
  using json_escape::Eight;
  if (text.size() >= Block::kSize) return plain_blocks<Block>(text);
  if (text.size() >= Eight::kSize) return plain_blocks<Eight>(text);
  size_t at = 0;
  while (at < text.size() && !json_escape::must_be_escaped(text[at])) ++at;
  return at;
}

// A string with much to escape, as JSON within JSON is: through a buffer, which each piece has room
// in.
void append_escaped(std::string& out, std::string_view text) {
  constexpr size_t kPiece = 512;
  std::array<char, kPiece * json_escape::kLongestEscape> buffer;
  while (!text.empty()) {
    const char* const end = json_escape::put_escaped(buffer.data(), text.substr(0, kPiece));
    out.append(buffer.data(), static_cast<size_t>(end - buffer.data()));
    text.remove_prefix(std::min(kPiece, text.size()));
  }
}

void append_number(std::string& out, const fmt::format_int& digits) {
  out.append(digits.data(), digits.size());
}

void append_member(std::string& out, const Value::Member& member, bool canonical);
void append_sorted(std::string& out, const Value::Object& object,
                   const CanonicalMember* known = nullptr);

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

void append_name(std::string& out, const std::string& name) {
  if (out.back() != '{') out += ',';
  append_json_string(out, name);
  out += ':';
}

void append_member(std::string& out, const Value::Member& member, bool canonical) {
  append_name(out, member.name);
  append(out, member.value, canonical);
}

void append_sorted(std::string& out, const Value::Object& object, const CanonicalMember* known) {
  // Most objects are small, and there are many of them.
  std::array<const Value::Member*, 16> few;
  std::vector<const Value::Member*> many;
  if (object.size() > few.size()) many.resize(object.size());
  const std::span members(many.empty() ? few.data() : many.data(), object.size());
  std::ranges::transform(object, members.begin(), [](const auto& member) { return &member; });
  std::ranges::sort(members, [](const auto* x, const auto* y) { return x->name < y->name; });
  for (const auto* member : members) {
    if (known == nullptr || member->name != known->name) {
      append_member(out, *member, true);
    } else {
      append_name(out, member->name);
      out += known->text;
    }
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

void append_canonical_json(std::string& out, const Value& value) { append(out, value, true); }

void append_canonical_json(std::string& out, const Value& value, const CanonicalMember& known) {
  const auto* object = value.if_object();
  if (object == nullptr) return append(out, value, true);
  constexpr size_t kOthers = 200;  // bytes of most
  out.reserve(out.size() + known.text.size() + kOthers);
  out += '{';
  append_sorted(out, *object, &known);
  out += '}';
}

}  // namespace holdfast
