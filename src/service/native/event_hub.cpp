#include "service/native/event_hub.h"

#include <utility>

namespace holdfast::service {

int64_t EventHub::subscribe(const SpaceId& space, Wake wake) {
  MutexLock lock(mutex_);
  const int64_t id = next_++;
  subscribers_.emplace(id, Subscriber{.space = space, .wake = std::move(wake)});
  return id;
}

void EventHub::unsubscribe(int64_t subscription) {
  MutexLock lock(mutex_);
  subscribers_.erase(subscription);
}

size_t EventHub::subscribers() const {
  MutexLock lock(mutex_);
  return subscribers_.size();
}

void EventHub::on_commit(const std::vector<storage::Change>& changes) {
  MutexLock lock(mutex_);
  for (const auto& [id, subscriber] : subscribers_) {
    for (const auto& change : changes) {
      if (change.space == subscriber.space) {
        subscriber.wake();
        break;
      }
    }
  }
}

}  // namespace holdfast::service
