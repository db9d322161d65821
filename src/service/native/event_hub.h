// Tells subscribers that the journal of their space has grown. What changed they read from the
// journal themselves, so nothing is buffered for a slow one and nobody is shown what it may not
// see.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "base/mutex.h"
#include "model/label.h"
#include "storage/change.h"

namespace holdfast::service {

// Thread-safe.
class EventHub : public storage::CommitListener {
 public:
  using Wake = std::function<void()>;

  // `wake` is called by whoever writes and must be quick. Returns what unsubscribe takes.
  int64_t subscribe(const SpaceId& space, Wake wake);
  // After this returns `wake` is not called any more.
  void unsubscribe(int64_t subscription);
  size_t subscribers() const;

  void on_commit(const std::vector<storage::Change>& changes) override;

 private:
  struct Subscriber {
    SpaceId space;
    Wake wake;
  };
  mutable Mutex mutex_;
  int64_t next_ HOLDFAST_GUARDED_BY(mutex_) = 1;
  std::map<int64_t, Subscriber> subscribers_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::service
