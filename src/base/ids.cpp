#include "base/ids.h"

#include <array>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/ulid.h"

namespace holdfast {
namespace {

// Random bytes for ids, drawn from the generator many at a time: asking it costs more than an id.
std::string id_bytes(size_t count) {
  constexpr size_t kDrawn = 512;
  thread_local std::string drawn;
  thread_local size_t used = 0;
  if (drawn.size() - used < count) {
    drawn = random_bytes(kDrawn);
    used = 0;
  }
  used += count;
  return drawn.substr(used - count, count);
}

}  // namespace

std::string make_uuid() {
  std::string bytes = id_bytes(16);
  bytes[6] = static_cast<char>((static_cast<unsigned char>(bytes[6]) & 0x0f) | 0x40);
  bytes[8] = static_cast<char>((static_cast<unsigned char>(bytes[8]) & 0x3f) | 0x80);
  const std::string hex = to_hex(bytes);
  return fmt::format("{}-{}-{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4),
                     hex.substr(16, 4), hex.substr(20));
}

std::string UlidGenerator::next() {
  const auto micros = static_cast<uint64_t>(to_micros(clock_.now()));
  const uint64_t now = micros / 1000;
  uint64_t millis = 0;
  uint64_t high = 0;
  uint64_t low = 0;
  {
    MutexLock lock(mutex_);
    if (now > millis_) {
      millis_ = now;
      const std::string random = id_bytes(10);
      for (size_t i = 0; i < 2; ++i)
        high_ = static_cast<uint16_t>(high_ << 8 | static_cast<unsigned char>(random[i]));
      for (size_t i = 2; i < 10; ++i) low_ = low_ << 8 | static_cast<unsigned char>(random[i]);
      // Microseconds first: another generator may have begun in the same millisecond, before a
      // restart with a clock that is behind. There is room to count upwards.
      high_ = static_cast<uint16_t>((micros % 1000) << 5 | (high_ & 31));
    } else if (++low_ == 0) {
      ++high_;
    }
    millis = millis_;
    high = high_;
    low = low_;
  }
  std::string text = ulid_time(from_micros(static_cast<int64_t>(millis) * 1000));
  const size_t random_at = text.size();
  text.resize(kUlidSize);
  // 80 bits in 16 characters, from the right.
  for (size_t i = kUlidSize; i-- > random_at;) {
    text[i] = kUlidDigits[low & 31];
    low = low >> 5 | high << 59;
    high >>= 5;
  }
  return text;
}

}  // namespace holdfast
