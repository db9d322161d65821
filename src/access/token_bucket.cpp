#include "access/token_bucket.h"

#include <algorithm>
#include <cmath>

namespace holdfast::access {
namespace {

constexpr size_t kBucketsBeforeSweep = 10'000;
constexpr double kSecondsPerMinute = 60;

}  // namespace

int64_t TokenBuckets::take(const std::string& bucket, int64_t per_minute) {
  const Timestamp now = clock_.now();
  const MutexLock lock(mutex_);
  if (buckets_.size() >= kBucketsBeforeSweep && !buckets_.contains(bucket)) forget_full(now);
  const Bucket full{.tokens = static_cast<double>(per_minute), .at = now, .per_minute = per_minute};
  Bucket& entry = buckets_.try_emplace(bucket, full).first->second;
  entry.tokens = tokens_now(entry, now);
  entry.at = std::max(entry.at, now);
  if (entry.tokens >= 1) {
    entry.tokens -= 1;
    return 0;
  }
  const double wait = (1 - entry.tokens) * kSecondsPerMinute / static_cast<double>(per_minute);
  return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(wait)));
}

// A clock that was set back brings nothing and takes nothing.
double TokenBuckets::tokens_now(const Bucket& bucket, Timestamp now) {
  const double passed = std::max(0.0, std::chrono::duration<double>(now - bucket.at).count());
  const auto most = static_cast<double>(bucket.per_minute);
  return std::min(most, bucket.tokens + passed * most / kSecondsPerMinute);
}

void TokenBuckets::forget_full(Timestamp now) {
  std::erase_if(buckets_, [now](const auto& item) {
    return tokens_now(item.second, now) >= static_cast<double>(item.second.per_minute);
  });
}

}  // namespace holdfast::access
