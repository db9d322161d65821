// Keeps the write-ahead log short, and empties it after an erasure. Used by whoever writes.
#pragma once

#include "base/clock.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/log_copier.h"

namespace holdfast::storage::sqlite {

class Wal {
 public:
  explicit Wal(Connection& db);

  // Moves everything into the database file and cuts the log to nothing, so that erased bytes are
  // gone from the folder. Waits a bounded time for readers of older states; if they do not finish,
  // keep_short() goes on trying.
  void truncate();

  // keep_short() has something to do.
  bool is_long() const;
  // After every batch of the writer's thread, since it may take a moment: has a long log copied
  // into the database, and copies the rest when that is done, so that it starts over; retries a
  // truncation.
  void keep_short();
  // When keep_short() wants to be called again although nothing is written; kNoDeadline: not at
  // all.
  Deadline next_attempt() const { return next_attempt_; }
  // Waits until the log is not being copied.
  void await_copy() const { copier_.await(); }
  // Nothing is copied after it.
  void close() { copier_.close(); }

 private:
  static int on_commit(void* self, sqlite3* db, const char* name, int pages);
  // The log begins anew.
  void start_over();
  // False while readers are in the way.
  bool checkpoint(int mode, int wait_ms);

  Connection& db_;
  LogCopier copier_;
  int pages_ = 0;  // in the log after the last commit
  int long_from_;  // so many are worth copying
  bool truncation_wanted_ = false;
  Deadline next_attempt_ = kNoDeadline;
};

}  // namespace holdfast::storage::sqlite
