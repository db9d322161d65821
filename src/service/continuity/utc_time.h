// Times as callers of the continuity API may write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast::service::continuity {

inline constexpr int64_t kDayMicros = 86'400'000'000;

// ISO 8601: extended or basic dates, week dates, a blank for T, fractions with '.' or ',' (cut to
// microseconds), Z or an offset; without either it is taken for UTC.
std::optional<Timestamp> parse_iso(std::string_view text);

// The rule for every time in a payload: it parses, and says that it is UTC. Errors name the field.
Result<Timestamp> require_utc(std::string_view text, std::string_view field);

}  // namespace holdfast::service::continuity
