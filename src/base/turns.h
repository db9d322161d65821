// Threads that take turns at one source of work, such as the lines of an input. The thread that
// took something long from it does that itself, at once, and another goes on with the source: what
// is taken never waits for a thread to wake up, and the source never waits for what was taken.
#pragma once

#include <atomic>
#include <functional>

#include "base/mutex.h"
#include "base/worker_pool.h"

namespace holdfast {

class Turns {
 public:
  using Work = std::function<void()>;
  struct Step {
    bool ended = false;  // there is nothing more
    Work work = {};      // what was taken and may take long; empty: nothing, or done already
  };
  using Next = std::function<Step()>;  // waits for what comes next; called by one thread at a time

  // At most `max_threads` threads, two or more: beyond that, work waits while the source is still
  // asked. Work must not throw.
  Turns(size_t max_threads, Next next);
  // Waits for the work that is still being done.
  ~Turns() = default;

  // Returns when the source has ended; work may still be under way. Once.
  void run();

 private:
  void go_on();

  const size_t max_threads_;
  const Next next_;
  std::atomic<size_t> under_way_ = 0;
  Mutex mutex_;
  CondVar changed_;
  bool ended_ HOLDFAST_GUARDED_BY(mutex_) = false;
  WorkerPool threads_;  // last: they use everything above
};

}  // namespace holdfast
