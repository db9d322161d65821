#include "storage/sqlite/log_copier.h"

#include <pthread.h>

#include "base/log.h"

namespace holdfast::storage::sqlite {
namespace {

// Before the first checkpoint something must be read: only then does a connection know of the log.
constexpr char kCopierSettings[] =
    "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -256;"
    "SELECT 1 FROM sqlite_schema LIMIT 1";
// The second copies what was written during the first.
constexpr int kPasses = 2;

Result<std::unique_ptr<Connection>> connect(const std::string& path) {
  HOLDFAST_TRY(auto db, Connection::open(path, Connection::Mode::kReadWrite));
  HOLDFAST_CHECK_OK(db->execute(kCopierSettings));
  return db;
}

// SQLite makes a copy durable only when it is whole. What is durable now need not be later, when
// somebody waits.
Status make_durable(const Connection& db) {
  sqlite3_file* file = nullptr;
  const int code = sqlite3_file_control(db.handle(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK || file == nullptr) return db.error(code);
  const int synced = file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
  if (synced != SQLITE_OK) return db.error(synced);
  return {};
}

}  // namespace

void LogCopier::begin() {
  const MutexLock lock(mutex_);
  if (closed_ || stage_ == Stage::kCopying) return;
  stage_ = Stage::kCopying;
  if (!thread_.joinable()) thread_ = std::thread([this] { loop(); });
  changed_.notify_all();
}

bool LogCopier::is_copying() const {
  const MutexLock lock(mutex_);
  return stage_ == Stage::kCopying;
}

bool LogCopier::is_done() const {
  const MutexLock lock(mutex_);
  return stage_ == Stage::kDone;
}

bool LogCopier::take_done() {
  const MutexLock lock(mutex_);
  if (stage_ != Stage::kDone) return false;
  stage_ = Stage::kIdle;
  return true;
}

void LogCopier::await() const {
  MutexLock lock(mutex_);
  while (stage_ == Stage::kCopying) changed_.wait(lock);
}

void LogCopier::close() {
  std::thread thread;
  {
    const MutexLock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
    thread = std::move(thread_);
  }
  if (thread.joinable()) thread.join();
}

void LogCopier::loop() {
  pthread_setname_np(pthread_self(), "hf-log-copier");
  std::unique_ptr<Connection> db;
  for (;;) {
    {
      MutexLock lock(mutex_);
      while (stage_ != Stage::kCopying && !closed_) changed_.wait(lock);
      if (stage_ != Stage::kCopying) return;
    }
    if (const Status copied = copy(db); !copied)
      log::warn("checkpoint_failed", {{"detail", copied.error().detail}});
    const MutexLock lock(mutex_);
    stage_ = Stage::kDone;
    changed_.notify_all();
  }
}

Status LogCopier::copy(std::unique_ptr<Connection>& db) const {
  if (!db) {
    HOLDFAST_TRY(db, connect(database_));
  }
  for (int pass = 0; pass < kPasses; ++pass) {
    const int code = sqlite3_wal_checkpoint_v2(db->handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE,
                                               nullptr, nullptr);
    // Somebody else is copying: whoever erases does it in one go.
    if ((code & 0xff) == SQLITE_BUSY) return {};
    if (code != SQLITE_OK) return db->error(code);
    HOLDFAST_CHECK_OK(make_durable(*db));
  }
  return {};
}

}  // namespace holdfast::storage::sqlite
