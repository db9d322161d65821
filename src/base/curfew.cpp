#include "base/curfew.h"

#include <algorithm>

namespace holdfast {

using std::chrono::steady_clock;

void Curfew::set(Deadline at) {
  {
    const MutexLock lock(mutex_);
    at_ = std::min(at_, at);
  }
  changed_.notify_all();
}

bool Curfew::passed() const {
  const MutexLock lock(mutex_);
  return steady_clock::now() >= at_;
}

bool Curfew::sleep_for(std::chrono::milliseconds time) const {
  const Deadline end = steady_clock::now() + time;
  MutexLock lock(mutex_);
  for (;;) {
    const Deadline now = steady_clock::now();
    if (now >= at_) return false;
    if (now >= end) return true;
    changed_.wait_until(lock, std::min(at_, end));
  }
}

}  // namespace holdfast
