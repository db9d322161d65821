#include "access/space_access.h"

#include <algorithm>

namespace holdfast::access {

SpaceAccess SpaceAccess::narrowed(std::optional<std::string> container, Visibility reach) const {
  SpaceAccess narrow = *this;
  narrow.viewer_.reach = std::min(viewer_.reach, reach);
  if (container) {
    const auto& allowed = viewer_.containers;
    const bool inside = !allowed || std::ranges::find(*allowed, *container) != allowed->end();
    narrow.viewer_.containers =
        inside ? std::vector<std::string>{*container} : std::vector<std::string>{};
  }
  return narrow;
}

}  // namespace holdfast::access
