// Pieces of JSON as this program writes it, without white space: where values begin and end, and
// nothing about what they say. For texts that are searched rather than read.
#pragma once

#include <bit>
#include <cstddef>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace holdfast::json_pieces {

inline constexpr size_t kNone = std::string_view::npos;

// Where the next quote or backslash is; the end of the text if there is none.
inline size_t next_mark(std::string_view text, size_t at) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i slash = _mm_set1_epi8('\\');
  for (; at + 16 <= text.size(); at += 16) {
    const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    const auto marks = static_cast<unsigned>(
        _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(some, quote), _mm_cmpeq_epi8(some, slash))));
    if (marks != 0) return at + static_cast<size_t>(std::countr_zero(marks));
  }
#endif
  while (at < text.size() && text[at] != '"' && text[at] != '\\') ++at;
  return at;
}

struct Piece {
  size_t end = kNone;  // npos: the text ends before it does
  bool has_escapes = false;
};

// Of the text that begins at `at` with a quote.
inline Piece text_piece(std::string_view text, size_t at) {
  Piece piece;
  for (size_t end = at + 1;;) {
    end = next_mark(text, end);
    if (end >= text.size()) return piece;
    if (text[end] == '"') {
      piece.end = end + 1;
      return piece;
    }
    piece.has_escapes = true;
    end += 2;  // with what it escapes
  }
}

// A list or an object that begins at `at`. Escapes are not looked for.
Piece container_piece(std::string_view text, size_t at);
// A number, null, true or false.
Piece bare_piece(std::string_view text, size_t at);

inline Piece value_piece(std::string_view text, size_t at) {
  if (at >= text.size()) return {};
  if (text[at] == '"') return text_piece(text, at);
  if (text[at] == '{' || text[at] == '[') return container_piece(text, at);
  return bare_piece(text, at);
}

// Calls use(begin) for what stands between commas in a container, elements or members, which
// returns where that ends, or npos. False if it is not written as containers are.
template <typename Use>
bool each_piece(std::string_view container, Use&& use) {
  const char close = container.front() == '{' ? '}' : ']';
  size_t at = 1;
  if (at < container.size() && container[at] == close) return at + 1 == container.size();
  while (at < container.size()) {
    const size_t end = use(at);
    if (end == kNone || end >= container.size()) return false;
    if (container[end] == close) return end + 1 == container.size();
    if (container[end] != ',') return false;
    at = end + 1;
  }
  return false;
}

// Calls use(name, value, whether the value is a text with escapes) for each member, until it
// returns false. A name with escapes is as wrong as one without quotes.
template <typename Use>
bool each_member(std::string_view object, Use&& use) {
  return each_piece(object, [&](size_t at) {
    const Piece name = object[at] == '"' ? text_piece(object, at) : Piece();
    if (name.end >= object.size() || name.has_escapes || object[name.end] != ':') return kNone;
    const size_t begin = name.end + 1;
    const Piece value = value_piece(object, begin);
    if (value.end == kNone) return kNone;
    return use(object.substr(at + 1, name.end - at - 2), object.substr(begin, value.end - begin),
               value.has_escapes)
               ? value.end
               : kNone;
  });
}

// Whether its texts have no escapes, its numbers are integers that fit into 64 bits, and there is
// nothing between the pieces: whoever reads and writes it again writes the same pieces.
bool is_plain(std::string_view json);

}  // namespace holdfast::json_pieces
