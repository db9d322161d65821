// A sliding window over units spent: what was spent in the last `window` never exceeds `limit`.
// Buckets are named by the caller (principal and purpose, or an address). Thread-safe; memory is
// bounded by forgetting idle buckets.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "base/mutex.h"

namespace holdfast::access {

struct RateBudget {
  int64_t limit = 0;
  std::chrono::seconds window{60};
};

// The state of a bucket after a question, in the terms of X-RateLimit headers.
struct RateState {
  bool allowed = true;
  int64_t limit = 0;
  int64_t remaining = 0;
  Timestamp reset_at = {};          // when the oldest counted unit leaves the window
  int64_t retry_after_seconds = 0;  // 0 if allowed, else at least 1
};

class RateLimiter {
 public:
  explicit RateLimiter(const Clock& clock) : clock_(clock) {}

  // Spends `charge` if `admit` units fit; a refusal costs nothing. admit >= charge (a batch is
  // admitted for all its items and charged for those it made).
  RateState spend(const std::string& bucket, const RateBudget& budget, int64_t admit,
                  int64_t charge);
  RateState spend(const std::string& bucket, const RateBudget& budget) {
    return spend(bucket, budget, 1, 1);
  }
  // What spend would say, without spending.
  RateState look(const std::string& bucket, const RateBudget& budget) {
    return spend(bucket, budget, 0, 0);
  }

 private:
  struct Spent {
    Timestamp at = {};
    int64_t units = 0;
  };
  struct Bucket {
    std::deque<Spent> spent = {};
    int64_t total = 0;
    std::chrono::seconds window{60};
  };

  void forget_idle(Timestamp now) HOLDFAST_REQUIRES(mutex_);

  const Clock& clock_;
  Mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::access
