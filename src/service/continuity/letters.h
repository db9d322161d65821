// Letters as the published API treats them.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::service::continuity {

// Every letter in lower case, and nothing else changed (unlike case folding: ß stays ß).
std::string lower_case(std::string_view text);

// Whether it has a control character, and whether it has anything but those and blanks.
bool has_control(std::string_view text);
bool has_more_than_blanks(std::string_view text);

// A text as a literal: single quotes unless it has one and no double quote; what cannot be printed
// is escaped.
std::string quoted_literal(std::string_view text);

}  // namespace holdfast::service::continuity
