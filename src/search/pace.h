// How fast changes come, about.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace holdfast::search {

inline int64_t steady_micros() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Counts in windows of a second. Times are steady microseconds.
class Pace {
 public:
  void add(size_t changes, int64_t now) {
    if (now - began_ >= kWindow) {
      before_ = now - began_ < 2 * kWindow ? count_ : 0;
      count_ = 0;
      began_ = now;
    }
    count_ += changes;
  }

  // Of the last whole window or the one that has begun, whichever had more.
  size_t changes_a_second(int64_t now) const {
    if (now - began_ >= 2 * kWindow) return 0;
    return std::max(before_, count_);
  }

 private:
  static constexpr int64_t kWindow = 1'000'000;
  int64_t began_ = -2 * kWindow;
  size_t count_ = 0;
  size_t before_ = 0;
};

}  // namespace holdfast::search
