// Code points as the analyser sees them. Stateless; safe for any bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::text {

enum class CharClass : uint8_t {
  kOther,      // ends a word
  kLetter,     // letters and digits of every script that separates words
  kIdeograph,  // scripts written without spaces (Han, Kana, Hangul, Thai, ...): indexed as bigrams
  kJoiner,     // joins the parts of an identifier: _ - . / \ : @ # +
  kApostrophe,
};

// One code point of the source after NFKD, without combining marks, case-folded. Several may come
// of one (㎏ is k and g), and none of a combining mark.
struct FoldedChars {
  std::array<int32_t, 24> points;  // the first `count` are set
  int count = 0;
  int source_bytes = 1;     // how far to go on in the source; a broken byte counts as one kOther
  bool upper_case = false;  // of the source, for CamelCase
};

FoldedChars fold_char_at(std::string_view text, size_t at);
CharClass class_of(int32_t folded_point);
void append_utf8(std::string& out, int32_t point);

// The text with its first letter in upper or in lower case.
std::string upper_first(std::string_view text);
std::string lower_first(std::string_view text);

}  // namespace holdfast::text
