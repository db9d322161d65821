// What several threads came back to.
#pragma once

#include <optional>
#include <vector>

#include "service/recall/memory.h"

namespace holdfast::service::recall {

// The pattern that `memory` belongs to, among memories of its scope (oldest first, itself
// included): three threads or more that share words with the oldest of them, or a work reference.
std::optional<Memory> pattern_among(const std::vector<Memory>& all, const Memory& memory);

}  // namespace holdfast::service::recall
