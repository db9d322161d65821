// The texts of keys that people and agents keep.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::access {

// The published shapes.
inline constexpr std::string_view kPersonalToken = "ctx_pat";
inline constexpr std::string_view kAgentKey = "ctx_agent";

// A new text <shape>_<id>_<secret>; the id is letters and digits.
std::string new_key_text(std::string_view shape, std::string_view id);

}  // namespace holdfast::access
