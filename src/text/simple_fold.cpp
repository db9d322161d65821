#include "text/simple_fold.h"

#include <utf8proc.h>

#include "text/characters.h"

namespace holdfast::text {
namespace {

constexpr int32_t kDottedI = 0x130;  // folds to two points, or to none

// Where the full folding is one point, it is the simple one too; where it is several, the simple
// one is the small letter.
int32_t folded_point(int32_t point) {
  if (point == kDottedI) return point;
  utf8proc_int32_t points[4] = {};
  const auto count = utf8proc_decompose_char(point, points, 4, UTF8PROC_CASEFOLD, nullptr);
  return count == 1 ? points[0] : utf8proc_tolower(point);
}

}  // namespace

std::string simple_fold(std::string_view text) {
  // Most texts are ASCII, and there are many of them where one is looked for.
  size_t at = 0;
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  std::string out(text.substr(0, at));
  for (char& c : out) c = static_cast<char>(c + (c >= 'A' && c <= 'Z' ? 32 : 0));
  out.reserve(text.size());
  while (at < text.size()) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) {
      out += byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : text[at];
      ++at;
      continue;
    }
    utf8proc_int32_t point = -1;
    const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                                       static_cast<utf8proc_ssize_t>(text.size() - at), &point);
    if (size <= 0) {
      out += text[at++];
      continue;
    }
    append_utf8(out, folded_point(point));
    at += static_cast<size_t>(size);
  }
  return out;
}

}  // namespace holdfast::text
