// Texts of ASCII characters, many at a time: most texts are, and what Unicode asks for costs them
// nothing.
#pragma once

#include <string>
#include <string_view>

namespace holdfast {

bool is_ascii(std::string_view text);

constexpr bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_ascii_alnum(char c) { return is_ascii_letter(c) || (c >= '0' && c <= '9'); }
constexpr bool is_one_of(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}

constexpr char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
// All characters must be ASCII.
void lower_ascii(std::string& text);
// Where the text, which must be ASCII, would have `wanted` inside if it were in lower case: the
// first place that is not before `from`, or npos.
size_t find_in_lower_ascii(std::string_view text, std::string_view wanted, size_t from = 0);

}  // namespace holdfast
