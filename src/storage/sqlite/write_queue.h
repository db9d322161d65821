// Writes on their way into the store. One batch is written at a time: by the writer's thread, or by
// a caller that is alone, whom waking that thread would cost two changes of thread. Callers that
// come meanwhile gather into the next batches; a batch is committed as a whole. Thread-safe.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <limits>
#include <memory>

#include "base/mutex.h"
#include "storage/sqlite/completion.h"
#include "storage/store.h"

namespace holdfast::storage::sqlite {

// One caller's write. Belongs to its batch; call and closure belong to the caller and may be
// touched only by whoever take() said true to, before the write is answered.
class WriteRequest {
 public:
  WriteRequest(const CallContext& c, const WriteClosure& w) : call(c), closure(w) {}

  // For the writer: false if the caller gave up.
  bool take() { return claim(kTaken); }
  // For the caller: false if the writer was faster.
  bool give_up() { return claim(kGivenUp); }

  const CallContext& call;
  const WriteClosure& closure;
  Status result = {};  // written by the writer before it is answered

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
  Completion answered = {};  // each in its place
};

// How batches gather from now on.
struct Gathering {
  // How long to wait after the first write, and for how many: callers who were just answered
  // together tend to come back together, and a batch that starts with the fastest of them makes the
  // others wait for two commits. Nothing for a lone caller.
  size_t callers = 1;
  std::chrono::microseconds at_most{0};
  // More writes than this go into the batch after.
  size_t writes = kAnyNumber;

  static constexpr size_t kAnyNumber = std::numeric_limits<size_t>::max();
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

  // For the writer, which is done with what it did before: the batch that gathered first; nullptr
  // when `until` passed without one, when there is something to tidy up, or for good once the queue
  // is closed and empty. Until the next call nobody else writes.
  std::shared_ptr<WriteBatch> next(Deadline until, const Gathering& gathering);
  size_t waiting() const;  // writes that nobody has taken yet
  void close();
  bool closed() const;

 private:
  // noexcept: a listener that throws ends the process, as on the writer's thread, instead of
  // leaving a queue that waits for this caller for ever.
  Status write_alone(WriteBatch& batch) noexcept;
  // Sleeps until the writer may have something to do; false: not before `until`.
  bool wait(MutexLock& lock, Deadline until) HOLDFAST_REQUIRES(mutex_);
  bool has_work() const HOLDFAST_REQUIRES(mutex_) { return waiting_ > 0 || untidy_ || closed_; }
  // The batch that the next write belongs to.
  const std::shared_ptr<WriteBatch>& open_batch() HOLDFAST_REQUIRES(mutex_);
  std::shared_ptr<WriteBatch> take_first() HOLDFAST_REQUIRES(mutex_);

  const size_t limit_;
  const WriteHere write_here_;
  mutable Mutex mutex_;
  CondVar filled_;
  // Shared by its callers and the writer: whoever leaves last frees it.
  std::deque<std::shared_ptr<WriteBatch>> batches_ HOLDFAST_GUARDED_BY(mutex_);
  size_t waiting_ HOLDFAST_GUARDED_BY(mutex_) = 0;                   // writes in them
  size_t most_ HOLDFAST_GUARDED_BY(mutex_) = Gathering::kAnyNumber;  // writes in one of them
  size_t wanted_ HOLDFAST_GUARDED_BY(mutex_) = 1;  // the writer sleeps until so many have gathered
  enum class Who { kNobody, kThread, kCaller };
  Who writing_ HOLDFAST_GUARDED_BY(mutex_) = Who::kThread;
  bool crowded_ HOLDFAST_GUARDED_BY(mutex_) = false;  // callers had better gather
  bool untidy_ HOLDFAST_GUARDED_BY(mutex_) = false;   // the next to write is the writer's thread
  bool closed_ HOLDFAST_GUARDED_BY(mutex_) = false;
};

}  // namespace holdfast::storage::sqlite
