// Stopping a request that is under way, from another thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"

namespace holdfast::mcp {

// One for each request. Thread-safe. Shared by the thread that runs the request and whoever may
// cancel it.
class Cancellation {
 public:
  void cancel();
  bool cancelled() const;
  // Runs `listener` once when the request is cancelled; at once if it already is.
  void on_cancel(std::function<void()> listener);

  // Waits until `done` is true, the request is cancelled or the time has passed. `done` is called
  // with the lock held: it may take other locks, but must not call back.
  void wait_until(Deadline deadline, const std::function<bool()>& done);
  // Makes a waiter ask `done` again.
  void wake();

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  bool cancelled_ HOLDFAST_GUARDED_BY(mutex_) = false;
  std::vector<std::function<void()>> listeners_ HOLDFAST_GUARDED_BY(mutex_);
};

// The requests of one session or connection that are under way, by id. Thread-safe.
class InFlight {
 public:
  // A second request with the same id takes the place of the first, which can then no longer be
  // cancelled by its id.
  std::shared_ptr<Cancellation> begin(const std::string& id_key);
  void end(const std::string& id_key, const std::shared_ptr<Cancellation>& request);

  // False if there is no such request.
  bool cancel(const std::string& id_key);
  void cancel_all();
  bool empty() const;

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<Cancellation>> requests_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::mcp
