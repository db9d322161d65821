// UTF-8 text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast {

// U+FFFD, which stands where text could not be read.
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

// True for well-formed UTF-8 (no overlong forms, no surrogates).
bool is_valid_utf8(std::string_view text);

// Code points in valid UTF-8.
size_t count_code_points(std::string_view text);

// The longest prefix of at most `count` code points. Points into `text`.
std::string_view prefix_code_points(std::string_view text, size_t count);

// Without white space (ASCII and Unicode) at both ends. Points into `text`.
std::string_view trim_space(std::string_view text);

// For comparing and sorting: Unicode case folding of NFC text.
std::string fold_case(std::string_view text);

}  // namespace holdfast
