#include "text/characters.h"

#include <algorithm>

#include <utf8proc.h>

namespace holdfast::text {
namespace {

struct CharRange {
  int32_t first;
  int32_t last;
};

// Scripts whose words are not separated by spaces.
constexpr std::array<CharRange, 15> kUnspaced = {{
    {0x0e00, 0x0eff},    // Thai, Lao
    {0x1000, 0x109f},    // Myanmar
    {0x1100, 0x11ff},    // Hangul Jamo
    {0x1780, 0x17ff},    // Khmer
    {0x2e80, 0x2fdf},    // CJK radicals
    {0x3005, 0x3007},    // iteration mark, zero
    {0x3021, 0x3029},    // Hangzhou numerals
    {0x3041, 0x30ff},    // Hiragana, Katakana
    {0x3100, 0x318f},    // Bopomofo, Hangul compatibility Jamo
    {0x31a0, 0x31ff},    // Bopomofo and Katakana extensions
    {0x3400, 0x4dbf},    // Han extension A
    {0x4e00, 0x9fff},    // Han
    {0xac00, 0xd7ff},    // Hangul
    {0xf900, 0xfaff},    // compatibility ideographs
    {0x20000, 0x3ffff},  // Han extensions
}};

bool is_unspaced(int32_t point) {
  if (point < kUnspaced.front().first) return false;
  for (const CharRange& range : kUnspaced) {
    if (point <= range.last) return point >= range.first;
  }
  return false;
}

bool is_hangul_syllable(int32_t point) { return point >= 0xac00 && point <= 0xd7a3; }

constexpr std::array<CharClass, 128> make_ascii_classes() {
  std::array<CharClass, 128> classes = {};
  for (size_t c = '0'; c <= '9'; ++c) classes[c] = CharClass::kLetter;
  for (size_t c = 'a'; c <= 'z'; ++c) classes[c] = CharClass::kLetter;
  for (size_t c = 'A'; c <= 'Z'; ++c) classes[c] = CharClass::kLetter;
  for (const char c : std::string_view("_-./\\:@#+")) {
    classes[static_cast<unsigned char>(c)] = CharClass::kJoiner;
  }
  classes[static_cast<size_t>('\'')] = CharClass::kApostrophe;
  return classes;
}

constexpr std::array<CharClass, 128> kAsciiClasses = make_ascii_classes();

FoldedChars single(int32_t point, int source_bytes) {
  FoldedChars folded;
  folded.points[0] = point;
  folded.count = 1;
  folded.source_bytes = source_bytes;
  return folded;
}

std::string with_first(std::string_view text, utf8proc_int32_t (*change)(utf8proc_int32_t)) {
  utf8proc_int32_t point = -1;
  const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &point);
  if (length <= 0 || point < 0) return std::string(text);
  std::string out;
  append_utf8(out, change(point));
  return out.append(text.substr(static_cast<size_t>(length)));
}

}  // namespace

FoldedChars fold_char_at(std::string_view text, size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) {
    const bool upper = byte >= 'A' && byte <= 'Z';
    FoldedChars folded = single(upper ? byte + 32 : byte, 1);
    folded.upper_case = upper;
    return folded;
  }
  utf8proc_int32_t point = -1;
  const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                                       static_cast<utf8proc_ssize_t>(text.size() - at), &point);
  if (length <= 0 || point < 0) return single(' ', 1);
  const int bytes = static_cast<int>(length);
  if (point == 0x2019) return single('\'', bytes);
  // Decomposing a Hangul syllable would make bigrams of its letters.
  if (is_hangul_syllable(point)) return single(point, bytes);
  FoldedChars folded;
  folded.source_bytes = bytes;
  int boundary = 0;
  const auto options =
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE |
                                     UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK | UTF8PROC_IGNORE);
  const auto count = utf8proc_decompose_char(point, folded.points.data(),
                                             static_cast<utf8proc_ssize_t>(folded.points.size()),
                                             options, &boundary);
  if (count < 0) return single(' ', bytes);
  folded.count = static_cast<int>(std::min<utf8proc_ssize_t>(count, std::ssize(folded.points)));
  const auto category = utf8proc_category(point);
  folded.upper_case = category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
  return folded;
}

CharClass class_of(int32_t point) {
  if (point < 128) return point < 0 ? CharClass::kOther : kAsciiClasses[static_cast<size_t>(point)];
  switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return is_unspaced(point) ? CharClass::kIdeograph : CharClass::kLetter;
    default: return CharClass::kOther;
  }
}

void append_utf8(std::string& out, int32_t point) {
  if (point < 0x80) {
    out.push_back(static_cast<char>(point));
    return;
  }
  std::array<utf8proc_uint8_t, 4> bytes = {};
  const auto length = utf8proc_encode_char(point, bytes.data());
  out.append(reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(length));
}

std::string upper_first(std::string_view text) { return with_first(text, utf8proc_toupper); }
std::string lower_first(std::string_view text) { return with_first(text, utf8proc_tolower); }

}  // namespace holdfast::text
