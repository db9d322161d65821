#include "storage/sqlite/reader_pool.h"

namespace holdfast::storage::sqlite {
namespace {

// Every commit empties a reader's page cache, so a large one would hold nothing. The file is mapped
// instead (file_window.h, which decides how much of it; SQLite only asks if it may).
constexpr char kSettings[] =
    "PRAGMA cache_size = -2048; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 536870912";

}  // namespace

ReaderPool::Lease::~Lease() {
  if (connection_) pool_->give_back(std::move(connection_));
}

Result<ReaderPool::Lease> ReaderPool::take(Deadline deadline) {
  if (deadline != kNoDeadline && std::chrono::steady_clock::now() >= deadline) {
    return Error{.code = ErrorCode::kDeadlineExceeded,
                 .message = "The request took too long; ask for less at once."};
  }
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
    if (!idle_.empty()) {
      std::unique_ptr<Connection> connection = std::move(idle_.back());
      idle_.pop_back();
      return Lease(*this, std::move(connection));
    }
  }
  auto connection = open();
  if (!connection) {
    give_back(nullptr);
    return std::move(connection).error();
  }
  return Lease(*this, std::move(*connection));
}

void ReaderPool::close() {
  std::vector<std::unique_ptr<Connection>> idle;
  MutexLock lock(mutex_);
  closed_ = true;
  idle.swap(idle_);
  returned_.notify_all();
}

void ReaderPool::give_back(std::unique_ptr<Connection> connection) {
  MutexLock lock(mutex_);
  --on_loan_;
  if (connection && !closed_) idle_.push_back(std::move(connection));
  returned_.notify_one();
}

Result<std::unique_ptr<Connection>> ReaderPool::open() const {
  HOLDFAST_TRY(auto connection, Connection::open(path_, Connection::Mode::kRead));
  HOLDFAST_CHECK_OK(connection->execute(kSettings));
  return connection;
}

}  // namespace holdfast::storage::sqlite
