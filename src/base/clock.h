// Time. Every time-based rule reads a Clock given to it, so that a test (or --test-clock) can move
// it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/mutex.h"

namespace holdfast {

// Wall-clock time in UTC, to the microsecond.
using Timestamp = std::chrono::sys_time<std::chrono::microseconds>;

// When a call must be over. Real time, never moved by a test clock.
using Deadline = std::chrono::steady_clock::time_point;
inline constexpr Deadline kNoDeadline = Deadline::max();

constexpr int64_t to_micros(Timestamp at) { return at.time_since_epoch().count(); }
constexpr Timestamp from_micros(int64_t micros) {
  return Timestamp(std::chrono::microseconds(micros));
}

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Timestamp now() const = 0;

  // Calls `listener` after each jump of the clock (only a test clock jumps). Listeners live as long
  // as the clock.
  void on_jump(std::function<void()> listener);

 protected:
  void announce_jump();

 private:
  Mutex mutex_;
  std::vector<std::function<void()>> listeners_ HOLDFAST_GUARDED_BY(mutex_);
};

class SystemClock : public Clock {
 public:
  Timestamp now() const override;
};

// The system's time plus an offset that only grows. Serves --test-clock.
class OffsetClock : public Clock {
 public:
  Timestamp now() const override;
  void advance(std::chrono::microseconds by);

 private:
  std::atomic<int64_t> offset_micros_ = 0;
};

// Stands still until moved. For unit tests.
class ManualClock : public Clock {
 public:
  explicit ManualClock(Timestamp start) : now_micros_(to_micros(start)) {}
  Timestamp now() const override { return from_micros(now_micros_.load()); }
  void advance(std::chrono::microseconds by);

 private:
  std::atomic<int64_t> now_micros_;
};

}  // namespace holdfast
