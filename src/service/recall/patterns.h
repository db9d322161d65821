// What several threads came back to.
#pragma once

#include <optional>
#include <vector>

#include "service/recall/memory.h"

namespace holdfast::service::recall {

inline constexpr size_t kLeastShared = 2;  // words, with the oldest member
inline constexpr auto kPatternSpan = std::chrono::hours(24 * 30);

// Whether `one` may be in a pattern with `memory`: of its scope, out of a thread, and of the last
// 30 days as seen from it.
bool may_join(const Memory& one, const Memory& memory);

// Whether enough of `others` share words with `oldest` to be a pattern with it and `memory`, which
// does.
bool holds_pattern(const Memory& oldest, const Memory& memory, const std::vector<Memory>& others);

// The pattern that `memory` belongs to, among memories of its scope (oldest first, itself
// included): three threads or more that share words with the oldest of them, or a work reference.
std::optional<Memory> pattern_among(const std::vector<Memory>& all, const Memory& memory);

}  // namespace holdfast::service::recall
