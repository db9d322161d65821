// Read connections, opened when first needed and then reused. Thread-safe. Outlives its leases.
//
// A snapshot that its reader has done with is kept until somebody writes: taking one and letting go
// of it costs more than many reads do, and until then the next reader would get the same.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "model/object.h"
#include "storage/sqlite/connection.h"

namespace holdfast::storage::sqlite {

class ReaderPool {
 public:
  // A connection for one transaction; goes back to the pool.
  class Lease {
   public:
    Lease(Lease&&) = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease();
    Connection& operator*() const { return *connection_; }
    Connection* operator->() const { return connection_.get(); }
    // Of the snapshot that it has already, if it has one.
    const std::optional<JournalPosition>& position() const { return position_; }
    // Its transaction is a snapshot of this position, which the next reader may go on with.
    void keep(JournalPosition position) { position_ = position; }

   private:
    friend class ReaderPool;
    Lease(ReaderPool& pool, uint64_t state) : pool_(&pool), state_(state) {}

    ReaderPool* pool_;
    std::unique_ptr<Connection> connection_;
    std::optional<JournalPosition> position_;
    uint64_t state_;  // of the store when it was taken
  };

  // While one lives nobody else's snapshot is kept, and those that were are gone: older states of
  // pages must not outlive a write. Made before the write begins.
  class Writing {
   public:
    explicit Writing(ReaderPool& pool) : pool_(pool) { pool_.begin_writing(); }
    ~Writing() { pool_.end_writing(); }
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;

   private:
    ReaderPool& pool_;
  };

  ReaderPool(std::string path, size_t size) : path_(std::move(path)), size_(size) {}

  // Waits for a free connection until the deadline. kDeadlineExceeded, also where there is one but
  // the deadline has passed: who reads piece by piece ends with it. kUnavailable after close().
  Result<Lease> take(Deadline deadline);
  // The same, perhaps with a snapshot of the present state.
  Result<Lease> take_snapshot(Deadline deadline);
  // Refuses from now on and closes idle connections; those on loan close when they come back.
  void close();

 private:
  struct Idle {
    std::unique_ptr<Connection> connection;
    std::optional<JournalPosition> position;  // of the snapshot that is kept
  };

  void begin_writing();
  void end_writing();
  void give_back(Lease& lease);
  void give_back_idle(Idle idle);
  Result<std::unique_ptr<Connection>> open() const;

  const std::string path_;
  const size_t size_;
  Mutex mutex_;
  CondVar returned_;
  std::vector<Idle> idle_ HOLDFAST_GUARDED_BY(mutex_);
  size_t on_loan_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  size_t kept_ HOLDFAST_GUARDED_BY(mutex_) = 0;  // snapshots in idle_
  size_t writing_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  uint64_t state_ HOLDFAST_GUARDED_BY(mutex_) = 0;  // another one whenever a write begins or ends
  bool closed_ HOLDFAST_GUARDED_BY(mutex_) = false;
};

}  // namespace holdfast::storage::sqlite
