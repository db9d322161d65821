// Writes on their way into the store. One batch is written at a time: by the writer's thread, or by
// a caller that is alone, whom waking that thread would cost two changes of thread. Callers that
// come meanwhile gather into the next batch; a batch is answered as a whole. Thread-safe.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>

#include "base/mutex.h"
#include "storage/sqlite/completion.h"
#include "storage/store.h"

namespace holdfast::storage::sqlite {

// One caller's write. Belongs to its batch; call and closure belong to the caller and may be
// touched only by whoever take() said true to, before the batch is answered.
class WriteRequest {
 public:
  WriteRequest(const CallContext& c, const WriteClosure& w) : call(c), closure(w) {}

  // For the writer: false if the caller gave up.
  bool take() { return claim(kTaken); }
  // For the caller: false if the writer was faster.
  bool give_up() { return claim(kGivenUp); }

  const CallContext& call;
  const WriteClosure& closure;
  Status result = {};  // written by the writer before the batch is answered

 private:
  enum Stage : int { kWaiting, kTaken, kGivenUp };
  bool claim(Stage next) {
    int expected = kWaiting;
    return stage_.compare_exchange_strong(expected, next);
  }

  std::atomic<int> stage_ = kWaiting;
};

struct WriteBatch {
  std::deque<WriteRequest> requests = {};
  Completion answered = {};
};

// How long to let a batch gather after its first write: callers who were just answered together
// tend to come back together, and a batch that starts with the fastest of them makes the others
// wait for two commits. Nothing for a lone caller.
struct Patience {
  size_t callers = 1;  // enough
  std::chrono::microseconds at_most{0};
};

class WriteQueue {
 public:
  // Writes a batch on the thread of its only caller. True: the writer's thread has something to
  // tidy up afterwards.
  using WriteHere = std::function<bool(WriteBatch&)>;

  WriteQueue(size_t limit, WriteHere write_here)
      : limit_(limit), write_here_(std::move(write_here)) {}

  // For callers: waits for the answer. kUnavailable if the queue is full or closed,
  // kDeadlineExceeded if the deadline passes before the writer takes it.
  Status submit(const CallContext& call, const WriteClosure& closure);

  // For the writer, which is done with what it did before: the batch that gathered; nullptr when
  // `until` passed without one, when there is something to tidy up, or for good once the queue is
  // closed and empty. Until the next call nobody else writes.
  std::shared_ptr<WriteBatch> next(Deadline until, const Patience& patience);
  void close();
  bool closed() const;

 private:
  // noexcept: a listener that throws ends the process, as on the writer's thread, instead of
  // leaving a queue that waits for this caller for ever.
  Status write_alone(WriteBatch& batch) noexcept;
  // Sleeps until the writer may have something to do; false: not before `until`.
  bool wait(MutexLock& lock, Deadline until) HOLDFAST_REQUIRES(mutex_);
  bool has_work() const HOLDFAST_REQUIRES(mutex_) {
    return !gathering_->requests.empty() || untidy_ || closed_;
  }

  const size_t limit_;
  const WriteHere write_here_;
  mutable Mutex mutex_;
  CondVar filled_;
  // Shared by its callers and the writer: whoever leaves last frees it.
  std::shared_ptr<WriteBatch> gathering_ HOLDFAST_GUARDED_BY(mutex_) =
      std::make_shared<WriteBatch>();
  size_t wanted_ HOLDFAST_GUARDED_BY(mutex_) = 1;  // the writer sleeps until so many have gathered
  enum class Who { kNobody, kThread, kCaller };
  Who writing_ HOLDFAST_GUARDED_BY(mutex_) = Who::kThread;
  bool crowded_ HOLDFAST_GUARDED_BY(mutex_) = false;  // callers had better gather
  bool untidy_ HOLDFAST_GUARDED_BY(mutex_) = false;   // the next to write is the writer's thread
  bool closed_ HOLDFAST_GUARDED_BY(mutex_) = false;
};

}  // namespace holdfast::storage::sqlite
