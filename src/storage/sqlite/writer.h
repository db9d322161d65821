// Writes batches: takes one from the queue, runs every closure in a savepoint of its own, commits
// once, tells the directory and the listeners, and only then answers. This happens on the writer's
// thread, or on that of a caller who is alone. After a batch the writer's thread keeps the WAL
// short.
#pragma once

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "storage/sqlite/directory.h"
#include "storage/sqlite/ledger.h"
#include "storage/sqlite/wal.h"
#include "storage/sqlite/write_queue.h"
#include "storage/sqlite/write_txn.h"

namespace holdfast::storage::sqlite {

// Thread-safe. The directory and the clock outlive it.
class Writer {
 public:
  Writer(std::unique_ptr<Connection> db, Ledger ledger, Directory& directory, const Clock& clock,
         size_t queue_limit);
  ~Writer();

  Status write(const CallContext& call, const WriteClosure& closure);
  void add_listener(CommitListener& listener);
  void remove_listener(CommitListener& listener);
  // Finishes what is queued and ends the thread.
  void close();

 private:
  void loop();
  // One thread at a time, whom the queue chose.
  void process(WriteBatch& batch);
  void write_batch(WriteBatch& batch);
  // Runs one closure inside the batch's transaction and adds what it did to `effects`. `alone`: the
  // batch has no other.
  Status run_one(WriteRequest& request, bool alone, Effects& effects);
  // Makes durable what the closures did.
  Status commit(const Effects& effects);
  void fail_all(WriteBatch& batch, const Error& error);
  // Brings memory, listeners and the WAL up to a commit.
  void publish(const Effects& effects);
  void publish_grants(const Effects& effects);
  bool has_listeners();

  const std::unique_ptr<Connection> db_;
  Ledger ledger_;
  Directory& directory_;
  SqliteWriteTxn txn_;
  Wal wal_;
  WriteQueue queue_;
  std::atomic<std::thread::id> writing_ = std::thread::id();  // who runs process()
  Mutex listeners_mutex_;  // held while they are told, so that a removed one is not called any more
  std::vector<CommitListener*> listeners_ HOLDFAST_GUARDED_BY(listeners_mutex_);
  Mutex close_mutex_;  // makes close() safe to call twice
  std::thread thread_;
};

}  // namespace holdfast::storage::sqlite
