// Writes batches: takes one from the queue, runs every closure in a savepoint of its own, commits
// once, tells the directory and the listeners, and only then answers. This happens on the writer's
// thread, or on that of a caller who is alone; of a large batch the listeners are told while the
// next is written (publisher.h). After a batch the writer's thread keeps the WAL short.
#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "base/mutex.h"
#include "storage/sqlite/directory.h"
#include "storage/sqlite/ledger.h"
#include "storage/sqlite/publisher.h"
#include "storage/sqlite/reader_pool.h"
#include "storage/sqlite/wal.h"
#include "storage/sqlite/write_queue.h"
#include "storage/sqlite/write_txn.h"

namespace holdfast::storage::sqlite {

// What became of a batch.
struct Processed {
  size_t writes = 0;
  std::chrono::steady_clock::duration work{0};  // all but the commit
  std::chrono::steady_clock::duration commit{0};
  bool answered = false;  // else it is when the listeners know
};

// What readers have in common, and a write changes.
struct ReadersParts {
  Directory& directory;
  ReaderPool& pool;
};

// Thread-safe. The readers' parts and the clock outlive it.
class Writer {
 public:
  Writer(std::unique_ptr<Connection> db, Ledger ledger, const ReadersParts& readers,
         const Clock& clock, size_t queue_limit);
  ~Writer();

  Status write(const CallContext& call, const WriteClosure& closure);
  void add_listener(CommitListener& listener) { publisher_.add(listener); }
  void remove_listener(CommitListener& listener) { publisher_.remove(listener); }
  // Finishes what is queued and ends the threads.
  void close();

 private:
  void loop();
  // Writes a batch and answers it.
  Processed process(const std::shared_ptr<WriteBatch>& batch);
  // Writes a batch on the thread of its only caller, who knows when it is answered.
  void process_here(WriteBatch& batch);
  // Runs and commits. What is left to tell; nothing if the commit failed.
  Effects write_batch(WriteBatch& batch);
  // Where the changes of the next write go.
  Portion& open_portion(Effects& effects);
  // Runs one closure inside the batch's transaction and adds what it did to `effects`. `alone`: the
  // batch has no other.
  Status run_one(WriteRequest& request, bool alone, Effects& effects);
  // Makes durable what the closures did.
  Status commit(const Effects& effects);
  void fail_all(WriteBatch& batch, const Error& error);
  // Brings memory up to a commit, which the next closure relies on.
  void follow(const Effects& effects);
  void follow_grants(const Effects& effects);
  // Brings listeners and the WAL up to a commit.
  void tell(const Effects& effects);

  const std::unique_ptr<Connection> db_;
  Ledger ledger_;
  Directory& directory_;
  ReaderPool& readers_;
  SqliteWriteTxn txn_;
  Wal wal_;
  WriteQueue queue_;
  Publisher publisher_;
  std::chrono::steady_clock::duration commit_took_{0};        // of the batch at hand
  size_t last_changes_ = 0;                                   // of the portion before
  std::atomic<std::thread::id> writing_ = std::thread::id();  // who runs process()
  Mutex close_mutex_;                                         // makes close() safe to call twice
  std::thread thread_;
};

}  // namespace holdfast::storage::sqlite
