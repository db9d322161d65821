#include "wire/control_characters.h"

#include <cstdint>
#include <cstring>

namespace holdfast::wire {
namespace {

constexpr uint64_t every_byte(unsigned char byte) { return 0x0101010101010101U * byte; }

// Whether any of eight bytes is below 0x20 or is 0x7f. A subtraction borrows only where a lower
// byte is one of them already, so the answer is exact.
bool any_control(uint64_t eight) {
  const uint64_t low = (eight - every_byte(0x20)) & ~eight;
  const uint64_t others = eight ^ every_byte(0x7f);
  const uint64_t delete_sign = (others - every_byte(1)) & ~others;
  return ((low | delete_sign) & every_byte(0x80)) != 0;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

size_t find_control(std::string_view text, size_t from) {
  size_t at = from;
  for (uint64_t eight = 0; at + sizeof eight <= text.size(); at += sizeof eight) {
    std::memcpy(&eight, text.data() + at, sizeof eight);
    if (any_control(eight)) break;
  }
  while (at < text.size() && !is_control(text[at])) ++at;
  return at < text.size() ? at : std::string_view::npos;
}

bool has_controls(std::string_view text) {
  if (find_control(text) != std::string_view::npos) return true;
  // In UTF-8 the others are C2 80 to C2 9F.
  for (size_t at = text.find('\xC2'); at < text.size(); at = text.find('\xC2', at + 1)) {
    if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xA0) return true;
  }
  return false;
}

}  // namespace holdfast::wire
