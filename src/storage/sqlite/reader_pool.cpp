#include "storage/sqlite/reader_pool.h"

#include "base/log.h"

namespace holdfast::storage::sqlite {
namespace {

// Every commit empties a reader's page cache, so a large one would hold nothing. The file is mapped
// instead (file_window.h, which decides how much of it; SQLite only asks if it may).
constexpr char kReaderSettings[] =
    "PRAGMA cache_size = -2048; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 536870912";

// Of several readers at a time the others end their own: whoever writes ends these, and should not
// have to end many.
constexpr size_t kMostKept = 2;

void end_snapshot(Connection& connection) {
  if (const auto ended = connection.run(kCommit); !ended) {
    log::error("read_not_ended", {{"detail", ended.error().detail}});
  }
}

}  // namespace

ReaderPool::Lease::~Lease() {
  if (connection_) pool_->give_back(*this);
}

Result<ReaderPool::Lease> ReaderPool::take(Deadline deadline) {
  HOLDFAST_TRY(Lease lease, take_snapshot(deadline));
  if (std::exchange(lease.position_, std::nullopt)) end_snapshot(*lease);
  return lease;
}

Result<ReaderPool::Lease> ReaderPool::take_snapshot(Deadline deadline) {
  if (deadline != kNoDeadline && std::chrono::steady_clock::now() >= deadline) {
    return Error{.code = ErrorCode::kDeadlineExceeded,
                 .message = "The request took too long; ask for less at once."};
  }
  Lease lease(*this, 0);
  {
    MutexLock lock(mutex_);
    while (!closed_ && idle_.empty() && on_loan_ >= size_) {
      if (deadline == kNoDeadline) {
        returned_.wait(lock);
      } else if (!returned_.wait_until(lock, deadline) && idle_.empty() && on_loan_ >= size_) {
        return Error{.code = ErrorCode::kDeadlineExceeded,
                     .message = "Too many reads at once; try again."};
      }
    }
    if (closed_) return unavailable("The store is shutting down.");
    ++on_loan_;
    lease.state_ = state_;
    if (!idle_.empty()) {
      lease.connection_ = std::move(idle_.back().connection);
      lease.position_ = idle_.back().position;
      if (lease.position_) --kept_;
      idle_.pop_back();
      return lease;
    }
  }
  auto connection = open();
  if (!connection) {
    give_back_idle({});
    return std::move(connection).error();
  }
  lease.connection_ = std::move(*connection);
  return lease;
}

void ReaderPool::close() {
  std::vector<Idle> idle;
  MutexLock lock(mutex_);
  closed_ = true;
  idle.swap(idle_);
  returned_.notify_all();
}

void ReaderPool::begin_writing() {
  const MutexLock lock(mutex_);
  ++writing_;
  ++state_;
  for (Idle& idle : idle_) {
    if (std::exchange(idle.position, std::nullopt)) end_snapshot(*idle.connection);
  }
  kept_ = 0;
}

void ReaderPool::end_writing() {
  const MutexLock lock(mutex_);
  --writing_;
  ++state_;
}

void ReaderPool::give_back(Lease& lease) {
  Idle idle{.connection = std::move(lease.connection_), .position = lease.position_};
  const bool is_open = idle.connection->in_transaction();
  if (is_open && idle.position) {
    MutexLock lock(mutex_);
    if (writing_ == 0 && state_ == lease.state_ && kept_ < kMostKept && !closed_) {
      --on_loan_;
      ++kept_;
      idle_.push_back(std::move(idle));
      returned_.notify_one();
      return;
    }
  }
  idle.position.reset();
  if (is_open) end_snapshot(*idle.connection);
  give_back_idle(std::move(idle));
}

void ReaderPool::give_back_idle(Idle idle) {
  MutexLock lock(mutex_);
  --on_loan_;
  if (idle.connection && !closed_) idle_.push_back(std::move(idle));
  returned_.notify_one();
}

Result<std::unique_ptr<Connection>> ReaderPool::open() const {
  HOLDFAST_TRY(auto connection, Connection::open(path_, Connection::Mode::kRead));
  HOLDFAST_CHECK_OK(connection->execute(kReaderSettings));
  return connection;
}

}  // namespace holdfast::storage::sqlite
