// How much one request of an export or an import carries.
#pragma once

#include <cstddef>

namespace holdfast::app {

inline constexpr size_t kPageChanges = 500;
inline constexpr size_t kMaxPageBytes = size_t{8} << 20U;

}  // namespace holdfast::app
