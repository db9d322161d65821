#include "base/ids.h"

#include <array>

#include <fmt/format.h>

#include "base/digest.h"

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
  const auto now = static_cast<uint64_t>(to_micros(clock_.now()) / 1000);
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
      // Room to count upwards for the rest of the millisecond.
      high_ &= 0x7fff;
    } else if (++low_ == 0) {
      ++high_;
    }
    millis = millis_;
    high = high_;
    low = low_;
  }
  static constexpr char kAlphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  std::string text(26, '0');
  for (size_t i = 10; i-- > 0; millis >>= 5) text[i] = kAlphabet[millis & 31];
  // 80 bits in 16 characters, from the right.
  for (size_t i = 26; i-- > 10;) {
    text[i] = kAlphabet[low & 31];
    low = low >> 5 | high << 59;
    high >>= 5;
  }
  return text;
}

}  // namespace holdfast
