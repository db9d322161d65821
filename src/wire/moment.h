// Times that may be told from now.
#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"

namespace holdfast::wire {

// A time as RFC 3339 or a date, `now`, or `now-N` and one of s, m, h, d, w with N up to 100000.
// Whole milliseconds; nothing for any other text.
std::optional<Timestamp> read_moment(std::string_view text, Timestamp now);

}  // namespace holdfast::wire
