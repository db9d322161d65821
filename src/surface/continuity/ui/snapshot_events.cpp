#include "surface/continuity/ui/snapshot_events.h"

#include <utility>

#include "model/json_text.h"

namespace holdfast::surface::continuity::ui {
namespace {

constexpr int64_t kRetryMilliseconds = 5000;

}  // namespace

http::EventSource::Pull SnapshotEvents::pull(std::vector<http::Event>& out) {
  if (stopped_) return Pull::kEnd;
  if (!due_.exchange(false)) return Pull::kWait;
  const auto snapshot = make_();
  if (!snapshot) return Pull::kEnd;
  out.push_back({.event = "ui-snapshot", .data = to_json(*snapshot), .retry = kRetryMilliseconds});
  return Pull::kWait;
}

void SnapshotEvents::set_wake(std::function<void()> wake) {
  const MutexLock lock(mutex_);
  wake_ = wake;
  subscription_ = pulse_.subscribe([this, wake = std::move(wake)] {
    due_ = true;
    wake();
  });
}

void SnapshotEvents::stop() {
  stopped_ = true;
  const MutexLock lock(mutex_);
  if (wake_) wake_();
}

void SnapshotEvents::closed() {
  int64_t subscription = 0;
  {
    const MutexLock lock(mutex_);
    subscription = std::exchange(subscription_, 0);
  }
  if (subscription != 0) pulse_.unsubscribe(subscription);
}

}  // namespace holdfast::surface::continuity::ui
