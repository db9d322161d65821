// Times as text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace holdfast {

// 2025-01-15T10:30:00.000Z
std::string format_millis(Timestamp at);
// 2025-01-15T10:30:00Z
std::string format_seconds(Timestamp at);
// 2025-01-15T10:30:00.123456Z
std::string format_micros(Timestamp at);
inline constexpr size_t kMicrosTextSize = 27;  // of it, for whatever clocks tell
// 2025-01-15
std::string format_date(Timestamp at);

// Reads RFC 3339 `YYYY-MM-DDThh:mm:ss[.fraction](Z|±hh:mm)`; T and Z in upper case, 1 to 9 fraction
// digits (cut to microseconds); a date alone means midnight UTC. Impossible dates and second 60
// give nothing.
std::optional<Timestamp> parse_time(std::string_view text);

}  // namespace holdfast
