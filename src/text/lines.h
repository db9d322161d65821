// Lines of a text and bytes made into text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::text {

// The lines without their ends. A line ends at LF, CRLF, CR, VT, FF, FS, GS, RS, NEL, U+2028 or
// U+2029; an end at the very end of the text opens no further line. Views into `text`.
std::vector<std::string_view> split_lines(std::string_view text);

// How many lines split_lines would give, without making them.
size_t count_lines(std::string_view text);

// What becomes of bytes that are no UTF-8.
enum class BadBytes { kReplace, kDrop };

// Always well-formed UTF-8. kReplace puts one U+FFFD for each maximal broken part.
std::string decode_utf8(std::string_view bytes, BadBytes bad);

}  // namespace holdfast::text
