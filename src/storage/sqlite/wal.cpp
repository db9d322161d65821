#include "storage/sqlite/wal.h"

#include "base/log.h"

namespace holdfast::storage::sqlite {
namespace {

// 16 MiB of 4 KiB pages: long enough that hot pages are copied once for many commits.
constexpr int kCheckpointPages = 4096;
// Readers kept the log from starting over for this long (128 MiB): cut it as soon as they let go.
constexpr int kTruncatePages = 32768;
constexpr int kWaitForReadersMs = 2000;
constexpr int kUsualWaitMs = 5000;
constexpr std::chrono::milliseconds kBetweenAttempts(50);

}  // namespace

Wal::Wal(Connection& db) : db_(db) { sqlite3_wal_hook(db_.handle(), &Wal::on_commit, this); }

int Wal::on_commit(void* self, sqlite3*, const char*, int pages) {
  static_cast<Wal*>(self)->pages_ = pages;
  return SQLITE_OK;
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
  // Somebody who reads for long (a backup) holds up one erasure, not every one that follows.
  const int wait_ms = truncation_wanted_ ? 0 : kWaitForReadersMs;
  truncation_wanted_ = !checkpoint(SQLITE_CHECKPOINT_TRUNCATE, wait_ms);
  if (!truncation_wanted_) pages_ = 0;
}

bool Wal::is_long() const { return truncation_wanted_ || pages_ >= kCheckpointPages; }

void Wal::keep_short() {
  next_attempt_ = kNoDeadline;
  if (truncation_wanted_ || pages_ >= kTruncatePages) {
    if (checkpoint(SQLITE_CHECKPOINT_TRUNCATE, 0)) {
      truncation_wanted_ = false;
      pages_ = 0;
    } else if (truncation_wanted_) {
      next_attempt_ = std::chrono::steady_clock::now() + kBetweenAttempts;
    }
  } else if (pages_ >= kCheckpointPages) {
    checkpoint(SQLITE_CHECKPOINT_PASSIVE, 0);
  }
}

}  // namespace holdfast::storage::sqlite
