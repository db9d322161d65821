// Looking for a short text in many bytes.
#pragma once

#include <string_view>

namespace holdfast::search {

// Where `wanted` first occurs in [begin, end), or nullptr. Several times as fast as memmem on
// dictionaries, whose words begin alike.
const char* find_bytes(const char* begin, const char* end, std::string_view wanted);

}  // namespace holdfast::search
