// Read connections, opened when first needed and then reused. Thread-safe. Outlives its leases.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "storage/sqlite/connection.h"

namespace holdfast::storage::sqlite {

class ReaderPool {
 public:
  // A connection for one transaction; goes back to the pool.
  class Lease {
   public:
    Lease(ReaderPool& pool, std::unique_ptr<Connection> connection)
        : pool_(&pool), connection_(std::move(connection)) {}
    Lease(Lease&&) = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease();
    Connection& operator*() const { return *connection_; }
    Connection* operator->() const { return connection_.get(); }

   private:
    ReaderPool* pool_;
    std::unique_ptr<Connection> connection_;
  };

  ReaderPool(std::string path, size_t size) : path_(std::move(path)), size_(size) {}

  // Waits for a free connection until the deadline. kDeadlineExceeded, also where there is one but
  // the deadline has passed: who reads piece by piece ends with it. kUnavailable after close().
  Result<Lease> take(Deadline deadline);
  // Refuses from now on and closes idle connections; those on loan close when they come back.
  void close();

 private:
  void give_back(std::unique_ptr<Connection> connection);
  Result<std::unique_ptr<Connection>> open() const;

  const std::string path_;
  const size_t size_;
  Mutex mutex_;
  CondVar returned_;
  std::vector<std::unique_ptr<Connection>> idle_ HOLDFAST_GUARDED_BY(mutex_);
  size_t on_loan_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  bool closed_ HOLDFAST_GUARDED_BY(mutex_) = false;
};

}  // namespace holdfast::storage::sqlite
