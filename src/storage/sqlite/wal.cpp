#include "storage/sqlite/wal.h"

#include "base/log.h"

namespace holdfast::storage::sqlite {
namespace {

// 16 MiB of 4 KiB pages: long enough that hot pages are copied once for many commits.
constexpr int kCheckpointPages = 4096;
// Where readers keep a copied log from starting over, it is looked at again after so many more.
constexpr int kMorePages = 512;
// A log that grows faster than it is copied: who writes waits for the copy.
constexpr int kWaitPages = 2 * kCheckpointPages;
// Readers kept the log from starting over for this long (128 MiB): cut it as soon as they let go.
constexpr int kTruncatePages = 32768;
constexpr int kWaitForReadersMs = 2000;
constexpr int kUsualWaitMs = 5000;
constexpr std::chrono::milliseconds kBetweenAttempts(50);

}  // namespace

Wal::Wal(Connection& db)
    : db_(db), copier_(sqlite3_db_filename(db.handle(), "main")), long_from_(kCheckpointPages) {
  sqlite3_wal_hook(db_.handle(), &Wal::on_commit, this);
}

int Wal::on_commit(void* self, sqlite3*, const char*, int pages) {
  Wal& wal = *static_cast<Wal*>(self);
  if (pages < wal.pages_) wal.start_over();
  wal.pages_ = pages;
  return SQLITE_OK;
}

void Wal::start_over() {
  pages_ = 0;
  long_from_ = kCheckpointPages;
}

bool Wal::checkpoint(int mode, int wait_ms) {
  int in_log = 0;
  int copied = 0;
  sqlite3_busy_timeout(db_.handle(), wait_ms);
  const int code = sqlite3_wal_checkpoint_v2(db_.handle(), nullptr, mode, &in_log, &copied);
  sqlite3_busy_timeout(db_.handle(), kUsualWaitMs);
  if (code == SQLITE_OK) return true;
  if ((code & 0xff) != SQLITE_BUSY) {
    log::warn("checkpoint_failed", {{"detail", db_.error(code).detail}});
  }
  return false;
}

void Wal::truncate() {
  copier_.await();  // two at a time cannot copy
  // Somebody who reads for long (a backup) holds up one erasure, not every one that follows.
  const int wait_ms = truncation_wanted_ ? 0 : kWaitForReadersMs;
  truncation_wanted_ = !checkpoint(SQLITE_CHECKPOINT_TRUNCATE, wait_ms);
  if (!truncation_wanted_) start_over();
}

bool Wal::is_long() const {
  return truncation_wanted_ || copier_.is_done() || (pages_ >= long_from_ && !copier_.is_copying());
}

void Wal::keep_short() {
  next_attempt_ = kNoDeadline;
  if (truncation_wanted_ || pages_ >= kWaitPages) copier_.await();
  if (truncation_wanted_ || pages_ >= kTruncatePages) {
    if (checkpoint(SQLITE_CHECKPOINT_TRUNCATE, 0)) {
      truncation_wanted_ = false;
      start_over();
    } else if (truncation_wanted_) {
      next_attempt_ = std::chrono::steady_clock::now() + kBetweenAttempts;
    }
  } else if (copier_.take_done()) {
    checkpoint(SQLITE_CHECKPOINT_PASSIVE, 0);
    long_from_ = pages_ + kMorePages;
  } else if (pages_ >= long_from_) {
    copier_.begin();
  }
}

}  // namespace holdfast::storage::sqlite
