// How background attempts are made, and how much of them may wait.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace holdfast::service::recall {

struct QueueSettings {
  std::chrono::seconds lease{900};
  int max_attempts = 3;
  std::chrono::seconds backoff{5};
  int64_t most_waiting = 5000;  // items; beyond that new ones are refused for a moment
  bool retention = false;
};

// Items of this process that wait for the pipeline. Thread-safe.
class Backlog {
 public:
  // Never below none: items of an earlier process are worked off too, and were not counted.
  void add(int64_t count) {
    int64_t known = waiting_;
    while (!waiting_.compare_exchange_weak(known, std::max<int64_t>(0, known + count))) {
    }
  }
  int64_t waiting() const { return waiting_; }

 private:
  std::atomic<int64_t> waiting_ = 0;
};

}  // namespace holdfast::service::recall
