// Tells sleeping workers that something may be due. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"
#include "base/mutex.h"

namespace holdfast::jobs {

class WakeSignal {
 public:
  uint64_t count() const {
    MutexLock lock(mutex_);
    return count_;
  }
  void raise() {
    MutexLock lock(mutex_);
    ++count_;
    raised_.notify_all();
  }
  // Returns when the count is no longer `seen`, or at `until`.
  void wait(uint64_t seen, Deadline until) {
    MutexLock lock(mutex_);
    while (count_ == seen) {
      if (until == kNoDeadline) {
        raised_.wait(lock);
      } else if (!raised_.wait_until(lock, until)) {
        return;
      }
    }
  }

 private:
  mutable Mutex mutex_;
  CondVar raised_;
  uint64_t count_ HOLDFAST_GUARDED_BY(mutex_) = 0;
};

}  // namespace holdfast::jobs
