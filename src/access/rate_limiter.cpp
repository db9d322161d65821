#include "access/rate_limiter.h"

#include <algorithm>

namespace holdfast::access {
namespace {

constexpr size_t kWindowsBeforeSweep = 10'000;

}  // namespace

RateState RateLimiter::spend(const std::string& bucket, const RateBudget& budget, int64_t admit,
                             int64_t charge) {
  const Timestamp now = clock_.now();
  MutexLock lock(mutex_);
  if (buckets_.size() >= kWindowsBeforeSweep && !buckets_.contains(bucket)) forget_idle(now);
  Bucket& entry = buckets_[bucket];
  entry.window = budget.window;
  while (!entry.spent.empty() && entry.spent.front().at + budget.window <= now) {
    entry.total -= entry.spent.front().units;
    entry.spent.pop_front();
  }

  RateState state{.allowed = entry.total + admit <= budget.limit, .limit = budget.limit};
  if (state.allowed && charge > 0) {
    // One entry per second is exact enough for a window of seconds and bounds the memory of a busy
    // bucket.
    const auto second = std::chrono::floor<std::chrono::seconds>(now);
    if (!entry.spent.empty() &&
        std::chrono::floor<std::chrono::seconds>(entry.spent.back().at) == second) {
      entry.spent.back() = {.at = now, .units = entry.spent.back().units + charge};
    } else {
      entry.spent.push_back({.at = now, .units = charge});
    }
    entry.total += charge;
  }
  state.remaining = std::max<int64_t>(0, budget.limit - entry.total);
  state.reset_at = (entry.spent.empty() ? now : entry.spent.front().at) + budget.window;
  if (!state.allowed) {
    const auto wait = std::chrono::ceil<std::chrono::seconds>(state.reset_at - now).count();
    state.retry_after_seconds = std::clamp<int64_t>(wait, 1, budget.window.count());
  }
  return state;
}

void RateLimiter::forget_idle(Timestamp now) {
  std::erase_if(buckets_, [now](const auto& item) {
    const Bucket& bucket = item.second;
    return bucket.spent.empty() || bucket.spent.back().at + bucket.window <= now;
  });
}

}  // namespace holdfast::access
