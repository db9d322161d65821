#include "base/clock.h"

#include <utility>

namespace holdfast {
namespace {

Timestamp system_now() {
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

}  // namespace

void Clock::on_jump(std::function<void()> listener) {
  MutexLock lock(mutex_);
  listeners_.push_back(std::move(listener));
}

void Clock::announce_jump() {
  std::vector<std::function<void()>> listeners;
  {
    MutexLock lock(mutex_);
    listeners = listeners_;
  }
  for (const auto& listener : listeners) listener();
}

Timestamp SystemClock::now() const { return system_now(); }

Timestamp OffsetClock::now() const {
  return system_now() + std::chrono::microseconds(offset_micros_.load());
}

void OffsetClock::advance(std::chrono::microseconds by) {
  offset_micros_ += by.count();
  announce_jump();
}

void ManualClock::advance(std::chrono::microseconds by) {
  now_micros_ += by.count();
  announce_jump();
}

}  // namespace holdfast
