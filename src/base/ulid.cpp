#include "base/ulid.h"

#include <algorithm>

namespace holdfast {

std::string ulid_time(Timestamp at) {
  auto millis = static_cast<uint64_t>(std::max<int64_t>(to_micros(at), 0) / 1000);
  std::string text(10, '0');
  for (size_t i = text.size(); i-- > 0; millis >>= 5) text[i] = kUlidDigits[millis & 31];
  return text;
}

}  // namespace holdfast
