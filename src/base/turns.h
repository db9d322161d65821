// Threads that take turns at one source of work, such as the lines of an input. The thread that
// took something long from it does that itself, at once, while another goes on with the source:
// what is taken never waits for a thread to wake up, and the source never waits for what was taken.
// That other one stands by, and is woken only if something comes before the work is done: mostly
// nothing does, since most callers wait for their answer.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "base/mutex.h"
#include "base/worker_pool.h"

namespace holdfast {

class Turns {
 public:
  using Last = std::function<void()>;
  // Work comes in two parts. The second is short, such as telling somebody the result; when it
  // begins, the thread is about to ask the source again.
  using Work = std::function<Last()>;
  struct Step {
    bool ended = false;  // there is nothing more
    Work work = {};      // what was taken and may take long; empty: nothing, or done already
    bool more = false;   // there is something to take already
  };
  class Source {
   public:
    virtual ~Source() = default;
    // Waits for what comes next; called by one thread at a time.
    virtual Step next() = 0;
    // Waits, beside that, until alert() was called and something came, or wake() was. May return
    // for no reason. Called by one thread at a time.
    virtual void stand_by() = 0;
    // From now on stand_by() returns when something comes, or at once if it cannot tell; and not
    // any more.
    virtual void alert() = 0;
    virtual void relax() = 0;
    virtual void wake() = 0;
  };

  // At most `max_threads` threads, two or more: beyond that, work waits while the source is still
  // asked. Work must not throw. The source is the caller's and lives longer.
  Turns(size_t max_threads, Source& source);
  // Waits for the work that is still being done.
  ~Turns() = default;

  // Returns when the source has ended; work may still be under way. Once.
  void run();

 private:
  void go_on();
  // Somebody else asks the source from now on, if there is anything to ask for.
  void hand_over(bool more);
  // True if nobody has begun to ask the source since: then this thread does.
  bool take_back();
  // True if this thread has to ask the source, false if it is not needed.
  bool stand_by();

  const size_t max_threads_;
  Source& source_;
  std::atomic<size_t> under_way_ = 0;
  Mutex mutex_;
  CondVar changed_;
  bool ended_ HOLDFAST_GUARDED_BY(mutex_) = false;
  bool vacant_ HOLDFAST_GUARDED_BY(mutex_) = false;  // nobody asks, the one who stands by will
  bool standing_by_ HOLDFAST_GUARDED_BY(mutex_) = false;
  WorkerPool threads_;  // last: they use everything above
};

}  // namespace holdfast
