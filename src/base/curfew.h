// When whoever waits for somebody else's server has to be back: far away until the process is to
// stop. Thread-safe.
#pragma once

#include <chrono>

#include "base/clock.h"
#include "base/mutex.h"

namespace holdfast {

class Curfew {
 public:
  // Calls still under way then are given up. It is never put off.
  void set(Deadline at);
  bool passed() const;
  // False if the curfew came first.
  bool sleep_for(std::chrono::milliseconds time) const;

 private:
  mutable Mutex mutex_;
  mutable CondVar changed_;
  Deadline at_ HOLDFAST_GUARDED_BY(mutex_) = kNoDeadline;
};

}  // namespace holdfast
