#include "base/ascii.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace holdfast {
namespace {

constexpr uint64_t every_byte(unsigned char byte) { return 0x0101010101010101U * byte; }

// The high bit of each sum tells whether the character is at least A, or beyond Z.
constexpr uint64_t lower_eight(uint64_t eight) {
  const uint64_t from_a = eight + every_byte(0x80 - 'A');
  const uint64_t beyond_z = eight + every_byte(0x7f - 'Z');
  return eight | (((from_a ^ beyond_z) & every_byte(0x80)) >> 2);
}

bool begins_lowered(const char* text, std::string_view wanted) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (ascii_lower(text[i]) != wanted[i]) return false;
  }
  return true;
}

#if defined(__SSE2__)
constexpr size_t kAtOnce = 16;

// Compares characters with one of a text in lower case.
class AnyCase {
 public:
  explicit AnyCase(char wanted)
      : wanted_(_mm_set1_epi8(wanted)),
        bit_(_mm_set1_epi8(wanted >= 'a' && wanted <= 'z' ? 'a' - 'A' : 0)) {}
  __m128i equal(const char* text) const {
    const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
    return _mm_cmpeq_epi8(_mm_or_si128(some, bit_), wanted_);
  }

 private:
  const __m128i wanted_;
  const __m128i bit_;  // that tells cases apart, if it has two
};

// Of at least kAtOnce places, those whose first and last character fit are compared in full.
size_t find_place(const char* text, size_t places, std::string_view wanted) {
  const AnyCase first(wanted.front());
  const AnyCase last(wanted.back());
  for (size_t at = 0;;) {
    const char* const place = text + at;
    const auto fit = _mm_and_si128(first.equal(place), last.equal(place + wanted.size() - 1));
    for (auto left = static_cast<uint32_t>(_mm_movemask_epi8(fit)); left != 0; left &= left - 1) {
      const auto more = static_cast<size_t>(std::countr_zero(left));
      if (begins_lowered(place + more, wanted)) return at + more;
    }
    if (at + kAtOnce == places) return std::string_view::npos;
    at = std::min(at + kAtOnce, places - kAtOnce);  // the last ones end where the places do
  }
}
#endif

}  // namespace

bool is_ascii(std::string_view text) {
  uint64_t all = 0;
  size_t at = 0;
  for (; at + 4 * sizeof all <= text.size(); at += 4 * sizeof all) {
    std::array<uint64_t, 4> some;
    std::memcpy(some.data(), text.data() + at, sizeof some);
    all |= (some[0] | some[1]) | (some[2] | some[3]);
  }
  for (; at + sizeof all <= text.size(); at += sizeof all) {
    uint64_t eight = 0;
    std::memcpy(&eight, text.data() + at, sizeof eight);
    all |= eight;
  }
  for (; at < text.size(); ++at) all |= static_cast<unsigned char>(text[at]);
  return (all & every_byte(0x80)) == 0;
}

void lower_ascii(std::string& text) {
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= text.size(); at += sizeof(uint64_t)) {
    uint64_t eight = 0;
    std::memcpy(&eight, text.data() + at, sizeof eight);
    eight = lower_eight(eight);
    std::memcpy(text.data() + at, &eight, sizeof eight);
  }
  for (; at < text.size(); ++at) text[at] = ascii_lower(text[at]);
}

size_t find_in_lower_ascii(std::string_view text, std::string_view wanted, size_t from) {
  if (from > text.size() || wanted.size() > text.size() - from) return std::string_view::npos;
  if (wanted.empty()) return from;
  const size_t places = text.size() - wanted.size() + 1;
#if defined(__SSE2__)
  if (places - from >= kAtOnce) {
    const size_t found = find_place(text.data() + from, places - from, wanted);
    return found == std::string_view::npos ? found : from + found;
  }
#endif
  for (size_t at = from; at < places; ++at) {
    if (begins_lowered(text.data() + at, wanted)) return at;
  }
  return std::string_view::npos;
}

}  // namespace holdfast
