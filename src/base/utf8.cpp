#include "base/utf8.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <utf8proc.h>

#include "base/ascii.h"

namespace holdfast {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

bool is_space(utf8proc_int32_t point) {
  if (point == ' ' || (point >= 9 && point <= 13) || point == 0x85) return true;
  const auto category = utf8proc_category(point);
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
         category == UTF8PROC_CATEGORY_ZP;
}

// The code point that starts at `at` and its length in bytes; a broken one counts as one byte that
// is no space.
utf8proc_int32_t point_at(std::string_view text, size_t at, size_t& length) {
  utf8proc_int32_t point = -1;
  const auto n = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                                  static_cast<utf8proc_ssize_t>(text.size() - at), &point);
  length = n > 0 ? static_cast<size_t>(n) : 1;
  return n > 0 ? point : -1;
}

}  // namespace

bool is_valid_utf8(std::string_view text) {
  for (size_t at = 0, length = 0; at < text.size(); at += length) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      length = 1;
    } else if (point_at(text, at, length) < 0) {
      return false;
    }
  }
  return true;
}

size_t count_code_points(std::string_view text) {
  size_t count = text.size();
  size_t at = 0;
  // Eight at once: of a continuation the highest bit is set and the next is not.
  for (uint64_t eight = 0; at + sizeof eight <= text.size(); at += sizeof eight) {
    constexpr uint64_t kOnes = 0x0101010101010101;
    std::memcpy(&eight, text.data() + at, sizeof eight);
    const uint64_t marks = (eight >> 7) & ~(eight >> 6) & kOnes;
    count -= static_cast<size_t>(marks * kOnes >> 56);
  }
  for (; at < text.size(); ++at) count -= is_continuation(text[at]) ? 1 : 0;
  return count;
}

std::string_view prefix_code_points(std::string_view text, size_t count) {
  size_t at = 0;
  for (; at < text.size(); ++at) {
    // The first byte begins one, also where it is broken.
    if ((at == 0 || !is_continuation(text[at])) && count-- == 0) break;
  }
  return text.substr(0, at);
}

std::string_view trim_space(std::string_view text) {
  size_t length = 0;
  while (!text.empty() && is_space(point_at(text, 0, length))) text.remove_prefix(length);
  while (!text.empty()) {
    size_t at = text.size() - 1;
    while (at > 0 && is_continuation(text[at])) --at;
    // A space is the end of the text only if it reaches it: broken bytes may follow.
    if (!is_space(point_at(text, at, length)) || at + length != text.size()) break;
    text.remove_suffix(length);
  }
  return text;
}

std::string fold_case(std::string_view text) {
  if (is_ascii(text)) {
    std::string plain(text);
    lower_ascii(plain);
    return plain;
  }
  utf8proc_uint8_t* folded = nullptr;
  const auto options =
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 static_cast<utf8proc_ssize_t>(text.size()), &folded, options);
  if (size < 0) return std::string(text);
  std::string out(reinterpret_cast<const char*>(folded), static_cast<size_t>(size));
  std::free(folded);
  return out;
}

}  // namespace holdfast
