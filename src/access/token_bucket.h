// Buckets that hold as many tokens as a minute brings and fill evenly: a burst may take all of
// them, and whoever took the last waits only until the next has come. Buckets are named by the
// caller. Thread-safe; memory is bounded by forgetting full buckets.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "base/mutex.h"

namespace holdfast::access {

class TokenBuckets {
 public:
  explicit TokenBuckets(const Clock& clock) : clock_(clock) {}

  // Takes a token. 0 if there was one, else after how many whole seconds there is: at least 1.
  int64_t take(const std::string& bucket, int64_t per_minute);

 private:
  struct Bucket {
    double tokens = 0;  // at that time
    Timestamp at = {};
    int64_t per_minute = 0;
  };

  static double tokens_now(const Bucket& bucket, Timestamp now);
  void forget_full(Timestamp now) HOLDFAST_REQUIRES(mutex_);

  const Clock& clock_;
  Mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::access
