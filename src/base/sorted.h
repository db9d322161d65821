// Lists as sets.
#pragma once

#include <algorithm>
#include <vector>

namespace holdfast {

// In order, each once. (std::ranges::unique would do, but clang 14, which lints and fuzzes, does
// not compile libstdc++'s.)
template <typename T>
void sort_once(std::vector<T>& items) {
  if (!std::ranges::is_sorted(items)) std::ranges::sort(items);
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace holdfast
