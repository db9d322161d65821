#include "base/ascii.h"

#include <cstdint>
#include <cstring>

namespace holdfast {
namespace {

constexpr uint64_t every_byte(unsigned char byte) { return 0x0101010101010101U * byte; }

// The high bit of each sum tells whether the character is at least A, or beyond Z.
constexpr uint64_t lower_eight(uint64_t eight) {
  const uint64_t from_a = eight + every_byte(0x80 - 'A');
  const uint64_t beyond_z = eight + every_byte(0x7f - 'Z');
  return eight | (((from_a ^ beyond_z) & every_byte(0x80)) >> 2);
}

}  // namespace

bool is_ascii(std::string_view text) {
  uint64_t all = 0;
  size_t at = 0;
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

}  // namespace holdfast
