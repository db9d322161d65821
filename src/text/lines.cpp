#include "text/lines.h"

#include <algorithm>

#include "base/utf8.h"

namespace holdfast::text {
namespace {

unsigned char byte_at(std::string_view text, size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

// Length in bytes of the line end at `at`; 0 if there is none.
size_t line_end_at(std::string_view text, size_t at) {
  const unsigned char c = byte_at(text, at);
  if (c == '\r') return byte_at(text, at + 1) == '\n' ? 2 : 1;
  if ((c >= 0x0a && c <= 0x0c) || (c >= 0x1c && c <= 0x1e)) return 1;
  if (c == 0xc2 && byte_at(text, at + 1) == 0x85) return 2;
  if (c == 0xe2 && byte_at(text, at + 1) == 0x80 && (byte_at(text, at + 2) & 0xfe) == 0xa8)
    return 3;
  return 0;
}

// Calls `line` with begin and end of every line.
template <typename Line>
void for_each_line(std::string_view text, const Line& line) {
  size_t begin = 0;
  for (size_t at = 0; at < text.size();) {
    // Every line end starts with a control byte or one of two lead bytes: most text is skipped
    // here.
    const unsigned char c = static_cast<unsigned char>(text[at]);
    const size_t length = c < 0x20 || c == 0xc2 || c == 0xe2 ? line_end_at(text, at) : 0;
    if (length == 0) {
      ++at;
      continue;
    }
    line(begin, at);
    at += length;
    begin = at;
  }
  if (begin < text.size()) line(begin, text.size());
}

// The bytes a lead byte promises, and the range allowed for the second one (Unicode table 3-7).
struct Form {
  size_t length = 0;  // 0: no lead byte
  unsigned char low = 0x80;
  unsigned char high = 0xbf;
};

Form form_of(unsigned char lead) {
  if (lead < 0x80) return {.length = 1};
  if (lead >= 0xc2 && lead <= 0xdf) return {.length = 2};
  if (lead == 0xe0) return {.length = 3, .low = 0xa0};
  if (lead == 0xed) return {.length = 3, .high = 0x9f};
  if (lead >= 0xe1 && lead <= 0xef) return {.length = 3};
  if (lead == 0xf0) return {.length = 4, .low = 0x90};
  if (lead >= 0xf1 && lead <= 0xf3) return {.length = 4};
  if (lead == 0xf4) return {.length = 4, .high = 0x8f};
  return {};
}

// How many bytes at `at` belong together, and whether they are a whole code point.
size_t sequence_at(std::string_view bytes, size_t at, bool& whole) {
  const Form form = form_of(static_cast<unsigned char>(bytes[at]));
  size_t have = 1;
  while (have < form.length && at + have < bytes.size()) {
    const unsigned char c = byte_at(bytes, at + have);
    const bool fits = have == 1 ? c >= form.low && c <= form.high : (c & 0xc0) == 0x80;
    if (!fits) break;
    ++have;
  }
  whole = form.length != 0 && have == form.length;
  return have;
}

}  // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for_each_line(
      text, [&](size_t begin, size_t end) { lines.push_back(text.substr(begin, end - begin)); });
  return lines;
}

size_t count_lines(std::string_view text) {
  size_t count = 0;
  for_each_line(text, [&](size_t, size_t) { ++count; });
  return count;
}

std::string decode_utf8(std::string_view bytes, BadBytes bad) {
  std::string out;
  out.reserve(bytes.size());
  for (size_t at = 0; at < bytes.size();) {
    bool whole = false;
    const size_t length = sequence_at(bytes, at, whole);
    if (whole) {
      out.append(bytes.substr(at, length));
    } else if (bad == BadBytes::kReplace) {
      out += kReplacementCharacter;
    }
    at += length;
  }
  return out;
}

}  // namespace holdfast::text
