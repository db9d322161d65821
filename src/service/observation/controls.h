// Control characters, which names and ids have none of.
#pragma once

#include <string_view>

namespace holdfast::service::observation {

// C0, U+007F or C1 somewhere in valid UTF-8.
inline bool has_controls(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7f) return true;
    if (byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0)
      return true;
  }
  return false;
}

}  // namespace holdfast::service::observation
