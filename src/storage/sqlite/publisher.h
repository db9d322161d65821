// Tells listeners what commits changed, in the order of the commits: on the thread that wrote, or,
// where there is much to tell, on a thread of its own while the next batch is written. At most one
// batch is being told of at a time; whoever comes with the next waits.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "storage/sqlite/write_queue.h"
#include "storage/sqlite/write_txn.h"

namespace holdfast::storage::sqlite {

// Listeners come and go from any thread; tell() and tell_meanwhile() belong to whoever writes, who
// is one at a time. A listener that throws ends the process.
class Publisher {
 public:
  Publisher() = default;
  ~Publisher() { close(); }
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;

  void add(CommitListener& listener);
  // Waits for a call under way; there is none after it.
  void remove(CommitListener& listener);
  // Never waits, not even for listeners that are being told.
  bool has_listeners() const { return has_listeners_.load(std::memory_order_acquire); }

  // These changes are about to be committed, if all goes well: listeners are asked to expect them,
  // meanwhile, as far as there is time before they are told of them. They stay where they are until
  // then, or until forget_expected() returned.
  void expect(std::span<const Change> changes);
  void forget_expected();
  // Returns when the listeners know this and all that was before.
  void tell(const Effects& effects);
  // Returns as soon as they know all that was before. The writes of the batch are answered portion
  // by portion, as they know each: who is answered first comes back while the others are told of.
  void tell_meanwhile(Effects effects, std::shared_ptr<WriteBatch> batch);
  // A listener is being told by the thread that asks, which is ours.
  bool is_this_thread() const;
  // Ends the thread when everything has been told. Nothing is told after it.
  void close();

 private:
  struct Publication {
    Effects effects = {};
    std::shared_ptr<WriteBatch> batch = nullptr;
  };

  // One of both.
  struct Task {
    std::optional<Publication> publication = std::nullopt;
    std::span<const Change> expected = {};
  };

  void start();
  void loop() noexcept;
  // Nothing: closed.
  std::optional<Task> take();
  void publish(const Publication& publication);
  void tell_to_expect(std::span<const Change> changes);
  // Nobody is asked to expect anything any more.
  void stop_expecting(MutexLock& lock) HOLDFAST_REQUIRES(mutex_);
  // `batch`: to be answered meanwhile, but for what comes with the last portion; or nullptr.
  void tell_listeners(const Effects& effects, WriteBatch* batch);
  void await_told(MutexLock& lock) HOLDFAST_REQUIRES(mutex_);

  // Held while they are told, so that a removed one is not called any more.
  Mutex listeners_mutex_;
  std::vector<CommitListener*> listeners_ HOLDFAST_GUARDED_BY(listeners_mutex_);
  std::atomic<bool> has_listeners_ = false;

  Mutex mutex_;
  CondVar handed_over_;
  CondVar told_;
  std::optional<Publication> next_ HOLDFAST_GUARDED_BY(mutex_);
  // Of the commit after that.
  std::deque<std::span<const Change>> expected_ HOLDFAST_GUARDED_BY(mutex_);
  bool expecting_ HOLDFAST_GUARDED_BY(mutex_) = false;  // listeners are being asked to
  bool telling_ HOLDFAST_GUARDED_BY(mutex_) = false;    // from being handed over until told
  bool closed_ HOLDFAST_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // from the first batch that is worth it
  std::atomic<std::thread::id> thread_id_ = std::thread::id();
};

}  // namespace holdfast::storage::sqlite
