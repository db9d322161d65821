// Which subjects were read lately: the newest 10,000 reads of this process. Reading must not move
// the journal, so the trail is kept in memory. Thread-safe.
#pragma once

#include <deque>
#include <set>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "base/mutex.h"

namespace holdfast::service::continuity {

class AccessTrail {
 public:
  void note(const std::string& name, Timestamp at) {
    const MutexLock lock(mutex_);
    rows_.push_back(name);
    latest_[name] = {.at = at, .rows = latest_[name].rows + 1};
    if (rows_.size() <= kRows) return;
    const auto oldest = latest_.find(rows_.front());
    if (--oldest->second.rows == 0) latest_.erase(oldest);
    rows_.pop_front();
  }
  bool seen_since(const std::string& name, Timestamp since) const {
    const MutexLock lock(mutex_);
    const auto found = latest_.find(name);
    return found != latest_.end() && found->second.at >= since;
  }

 private:
  static constexpr size_t kRows = 10'000;
  struct Seen {
    Timestamp at = {};
    int64_t rows = 0;
  };
  mutable Mutex mutex_;
  std::deque<std::string> rows_ HOLDFAST_GUARDED_BY(mutex_);
  std::unordered_map<std::string, Seen> latest_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::service::continuity
