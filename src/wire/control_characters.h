// Control characters, which most texts have none of: they are looked for several bytes at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace holdfast::wire {

// The first byte, not before `from`, that is below 0x20 or is 0x7f; npos if there is none.
size_t find_control(std::string_view text, size_t from = 0);

// One of those, or of U+0080 to U+009F.
bool has_controls(std::string_view text);

// Begins and ends with a visible character of ASCII, so that there is nothing to trim.
inline bool has_visible_ends(std::string_view text) {
  const auto visible = [](char c) { return c > 0x20 && c < 0x7f; };
  return !text.empty() && visible(text.front()) && visible(text.back());
}

}  // namespace holdfast::wire
