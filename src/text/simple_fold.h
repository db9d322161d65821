// Case folding that keeps every character one character: for looking a text up inside another
// exactly as it was written, upper or lower case apart.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::text {

// Unicode simple case folding, code point by code point. Bytes that are no UTF-8 stay as they are.
std::string simple_fold(std::string_view text);

}  // namespace holdfast::text
