#include "search/find_bytes.h"

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace holdfast::search {
namespace {

#if defined(__x86_64__)
// Many places at once: those whose first and last byte fit are compared in full. Leaves `at` at the
// first place that was not looked at. Sixteen places with what every such processor has, 32 with
// AVX2.
const char* find_by_16(const char*& at, const char* end, std::string_view wanted) {
  const auto size = static_cast<std::ptrdiff_t>(wanted.size());
  const __m128i first = _mm_set1_epi8(wanted.front());
  const __m128i last = _mm_set1_epi8(wanted.back());
  for (; end - at >= size - 1 + 16; at += 16) {
    const __m128i begins = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i ends = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + size - 1));
    const __m128i both = _mm_and_si128(_mm_cmpeq_epi8(begins, first), _mm_cmpeq_epi8(ends, last));
    for (auto places = static_cast<uint32_t>(_mm_movemask_epi8(both)); places != 0;
         places &= places - 1) {
      const char* const place = at + std::countr_zero(places);
      if (std::memcmp(place, wanted.data(), wanted.size()) == 0) return place;
    }
  }
  return nullptr;
}

__attribute__((target("avx2"))) const char* find_by_32(const char*& at, const char* end,
                                                       std::string_view wanted) {
  const auto size = static_cast<std::ptrdiff_t>(wanted.size());
  const __m256i first = _mm256_set1_epi8(wanted.front());
  const __m256i last = _mm256_set1_epi8(wanted.back());
  for (; end - at >= size - 1 + 32; at += 32) {
    const __m256i begins = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    const __m256i ends = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + size - 1));
    const __m256i both =
        _mm256_and_si256(_mm256_cmpeq_epi8(begins, first), _mm256_cmpeq_epi8(ends, last));
    for (auto places = static_cast<uint32_t>(_mm256_movemask_epi8(both)); places != 0;
         places &= places - 1) {
      const char* const place = at + std::countr_zero(places);
      if (std::memcmp(place, wanted.data(), wanted.size()) == 0) return place;
    }
  }
  return nullptr;
}

const char* find_by_ends(const char*& at, const char* end, std::string_view wanted) {
  static const bool wide = __builtin_cpu_supports("avx2") != 0;
  if (wide) {
    if (const char* const place = find_by_32(at, end, wanted)) return place;
  }
  return find_by_16(at, end, wanted);
}
#endif

}  // namespace

const char* find_bytes(const char* begin, const char* end, std::string_view wanted) {
  if (wanted.empty()) return begin;
#if defined(__x86_64__)
  if (const char* const place = find_by_ends(begin, end, wanted)) return place;
#endif
  if (end <= begin) return nullptr;
  return static_cast<const char*>(
      memmem(begin, static_cast<size_t>(end - begin), wanted.data(), wanted.size()));
}

}  // namespace holdfast::search
