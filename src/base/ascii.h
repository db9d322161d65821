// Texts of ASCII characters, eight at a time: most texts are, and what Unicode asks for costs them
// nothing.
#pragma once

#include <string>
#include <string_view>

namespace holdfast {

bool is_ascii(std::string_view text);

constexpr char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
// All characters must be ASCII.
void lower_ascii(std::string& text);

}  // namespace holdfast
