// Texts as they stand between the quotes of JSON. For those who write JSON (json_writing.cpp,
// pretty_json.cpp).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace holdfast::json_escape {

// Some bytes at once, and which of them must be escaped.
struct Eight {
  static constexpr size_t kSize = 8;

  explicit Eight(const char* from) { std::memcpy(&bytes, from, kSize); }
  void copy_to(char* to) const { std::memcpy(to, &bytes, kSize); }
  // How many come before the first of them; kSize if there is none. They have their high bit set;
  // the lowest such mark is exact, whatever borrows above it.
  size_t plain() const {
    constexpr uint64_t kOnes = 0x0101010101010101;
    constexpr uint64_t kHighs = 0x8080808080808080;
    const uint64_t quote = bytes ^ kOnes * '"';
    const uint64_t slash = bytes ^ kOnes * '\\';
    const uint64_t marks = (((bytes - kOnes * 0x20) & ~bytes) | ((quote - kOnes) & ~quote) |
                            ((slash - kOnes) & ~slash)) &
                           kHighs;
    return static_cast<size_t>(std::countr_zero(marks)) / 8;
  }

  uint64_t bytes = 0;
};

#if defined(__SSE2__)
struct Block {
  static constexpr size_t kSize = 16;

  explicit Block(const char* from)
      : bytes(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))) {}
  void copy_to(char* to) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes); }
  size_t plain() const { return static_cast<size_t>(std::countr_zero(marks() | 1U << kSize)); }
  // A bit for each of them.
  unsigned marks() const {
    const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
    const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i slash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(low, _mm_or_si128(quote, slash))));
  }

  __m128i bytes;
};
#else
using Block = Eight;
#endif

constexpr bool must_be_escaped(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

inline constexpr size_t kLongestEscape = 6;  // \u001f

// Writes the escape of a character and returns its end.
char* put_escape(char* to, char c);

// Writes the text up to its end, or to what must be escaped, and returns how much that was. There
// must be room for the whole text.
inline size_t put_plain(char* to, std::string_view text) {
  size_t at = 0;
  for (; at + Block::kSize <= text.size(); at += Block::kSize) {
    const Block block(text.data() + at);
    block.copy_to(to + at);
    const size_t plain = block.plain();
    if (plain < Block::kSize) return at + plain;
  }
  if (at > 0 && at < text.size()) {  // the last ones with some that were written already
    const size_t begin = text.size() - Block::kSize;
    const Block block(text.data() + begin);
    block.copy_to(to + begin);
    return begin + block.plain();
  }
  for (; at < text.size() && !must_be_escaped(text[at]); ++at) to[at] = text[at];
  return at;
}

// Writes the text and returns its end. There must be room for kLongestEscape times its size.
char* put_escaped(char* to, std::string_view text);

}  // namespace holdfast::json_escape
