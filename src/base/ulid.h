// The form of ULIDs. ids.h makes them.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"

namespace holdfast {

inline constexpr size_t kUlidSize = 26;
inline constexpr std::string_view kUlidDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

// The ten characters with which all ULIDs of that millisecond begin. Times before 1970 count as it.
std::string ulid_time(Timestamp at);

}  // namespace holdfast
