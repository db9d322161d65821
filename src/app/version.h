#pragma once

#include <string_view>

namespace holdfast::app {

inline constexpr std::string_view kVersion = HOLDFAST_VERSION;

}  // namespace holdfast::app
