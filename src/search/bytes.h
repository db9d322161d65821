// Little building blocks of the index's byte formats.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace holdfast::search {

// Where there is room: kLongestVarint bytes at most. Returns where the next byte goes.
inline constexpr size_t kLongestVarint = 10;
inline uint8_t* write_varint(uint8_t* at, uint64_t value) {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<uint8_t>(value | 0x80);
  *at++ = static_cast<uint8_t>(value);
  return at;
}

inline void put_varint(std::string& out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

// The reader must be given bytes that put_varint wrote: files are checked by their checksum before.
inline uint64_t get_varint(const uint8_t*& at) {
  uint64_t value = *at & 0x7f;
  for (unsigned shift = 7; (*at++ & 0x80) != 0; shift += 7)
    value |= static_cast<uint64_t>(*at & 0x7f) << shift;
  return value;
}

// Only the last byte of one has no high bit.
inline void skip_varints(const uint8_t*& at, uint64_t count) {
  while (count > 0) count -= *at++ < 0x80 ? 1 : 0;
}

inline uint64_t zigzag(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}
inline int64_t unzigzag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

template <typename T>
void put_fixed(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
T load(const void* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// The first eight bytes of a text, zeros behind a shorter one. As numbers they compare like the
// texts they begin, unless they are equal.
inline uint64_t beginning_of(std::string_view text) {
  uint64_t beginning = 0;
  if (text.size() >= sizeof beginning) {
    beginning = load<uint64_t>(text.data());
  } else {
    text.copy(reinterpret_cast<char*>(&beginning), text.size());
  }
  return std::endian::native == std::endian::little ? __builtin_bswap64(beginning) : beginning;
}

}  // namespace holdfast::search
