// Copies the write-ahead log into the database on a thread and a connection of its own, so that
// nobody who writes waits for the disk meanwhile. A log that is written to all the time is never
// copied to its end this way: the rest, which is short then, is for whoever writes.
#pragma once

#include <memory>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "storage/sqlite/connection.h"

namespace holdfast::storage::sqlite {

// Thread-safe. Costs nothing before it is first asked for.
class LogCopier {
 public:
  explicit LogCopier(std::string database) : database_(std::move(database)) {}
  ~LogCopier() { close(); }
  LogCopier(const LogCopier&) = delete;
  LogCopier& operator=(const LogCopier&) = delete;

  // Starts to copy, unless it is at it.
  void begin();
  bool is_copying() const;
  // True once after each begin(), when it is done or could not be.
  bool take_done();
  bool is_done() const;  // take_done() would be true
  // Waits until it does nothing.
  void await() const;
  // Ends the thread. There is nothing to begin after it.
  void close();

 private:
  enum class Stage { kIdle, kCopying, kDone };

  void loop();
  Status copy(std::unique_ptr<Connection>& db) const;

  const std::string database_;
  mutable Mutex mutex_;
  mutable CondVar changed_;
  Stage stage_ HOLDFAST_GUARDED_BY(mutex_) = Stage::kIdle;
  bool closed_ HOLDFAST_GUARDED_BY(mutex_) = false;
  std::thread thread_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::storage::sqlite
