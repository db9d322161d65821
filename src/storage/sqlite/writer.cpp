#include "storage/sqlite/writer.h"

#include <algorithm>
#include <exception>

#include <pthread.h>

#include "base/log.h"

namespace holdfast::storage::sqlite {
namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;

constexpr char kSavepoint[] = "SAVEPOINT one_write";
constexpr char kReleaseSavepoint[] = "RELEASE one_write";
constexpr char kUndo[] = "ROLLBACK TO one_write";

constexpr microseconds kLongestGathering(1000);
// So many changes take listeners longer than waking a thread that tells them, or a caller who
// waits.
constexpr size_t kManyChanges = 64;
constexpr size_t kMostReserved = 1000;  // changes

Status guarded(const WriteClosure& closure, WriteTxn& txn) {
  try {
    return closure(txn);
  } catch (const std::exception& e) {
    return internal_error(std::string("a write threw: ") + e.what());
  } catch (...) {
    return internal_error("a write threw something unknown");
  }
}

// A quarter of what a batch takes is well spent if it saves one.
microseconds worth_waiting(steady_clock::duration batch_took) {
  return std::min(std::chrono::duration_cast<microseconds>(batch_took / 4), kLongestGathering);
}

// Callers who are answered together leave the writer nothing to do until they are back. In two
// halves one comes back while the other is written. That is a commit more a round, so it is worth
// it only where a round's other work is longer than its commits.
size_t writes_a_batch(const Processed& last, size_t waiting) {
  const size_t callers = last.writes + waiting;
  const bool worth_it = last.work * callers > 2 * last.commit * last.writes;
  return worth_it ? (callers + 1) / 2 : Gathering::kAnyNumber;
}

Error too_late() {
  return Error{.code = ErrorCode::kDeadlineExceeded,
               .message = "The write waited longer than the call allows; nothing was changed."};
}

}  // namespace

Writer::Writer(std::unique_ptr<Connection> db, Ledger ledger, const ReadersParts& readers,
               const Clock& clock, size_t queue_limit)
    : db_(std::move(db)),
      ledger_(std::move(ledger)),
      directory_(readers.directory),
      readers_(readers.pool),
      txn_(*db_, ledger_, clock),
      wal_(*db_),
      queue_(queue_limit,
             [this](WriteBatch& batch) {
               process_here(batch);
               return wal_.is_long();
             }),
      thread_([this] { loop(); }) {}

Writer::~Writer() { close(); }

Status Writer::write(const CallContext& call, const WriteClosure& closure) {
  if (std::this_thread::get_id() == writing_.load(std::memory_order_relaxed) ||
      publisher_.is_this_thread()) {
    return internal_error("write() was called inside a write or a commit listener");
  }
  return queue_.submit(call, closure);
}

void Writer::close() {
  MutexLock lock(close_mutex_);
  queue_.close();
  if (thread_.joinable()) thread_.join();
  publisher_.close();
  wal_.close();
}

void Writer::loop() {
  pthread_setname_np(pthread_self(), "hf-writer");
  Gathering gathering;
  size_t last_writes = 1;
  for (;;) {
    const auto batch = queue_.next(wal_.next_attempt(), gathering);
    if (batch) {
      const Processed done = process(batch);
      gathering = {.callers = std::max(done.writes, last_writes),
                   .writes = writes_a_batch(done, queue_.waiting())};
      // A lone caller has nobody to wait for, and who has not been answered does not come back.
      if (gathering.callers > 1 && done.answered) {
        gathering.at_most = worth_waiting(done.work + done.commit);
      }
      last_writes = done.writes;
    } else if (queue_.closed()) {
      return;
    }
    const ReaderPool::Writing writing(readers_);
    wal_.keep_short();
  }
}

Processed Writer::process(const std::shared_ptr<WriteBatch>& batch) {
  writing_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  const auto start = steady_clock::now();
  const ReaderPool::Writing writing(readers_);
  Effects effects = write_batch(*batch);
  const bool later = effects.change_count() >= kManyChanges && !effects.erased;
  if (later) {
    publisher_.tell_meanwhile(std::move(effects), batch);
  } else {
    tell(effects);
    batch->answered.set();
  }
  writing_.store(std::thread::id(), std::memory_order_relaxed);
  return {.writes = batch->requests.size(),
          .work = steady_clock::now() - start - commit_took_,
          .commit = commit_took_,
          .answered = !later};
}

void Writer::process_here(WriteBatch& batch) {
  writing_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  const ReaderPool::Writing writing(readers_);
  tell(write_batch(batch));
  writing_.store(std::thread::id(), std::memory_order_relaxed);
}

Effects Writer::write_batch(WriteBatch& batch) {
  const Ledger::Mark start = ledger_.mark();
  Effects effects;
  commit_took_ = {};
  Status done = db_->run(kBeginWrite);
  size_t writes = 0;
  for (WriteRequest& request : batch.requests) {
    if (!done) break;
    ++writes;
    if (!request.take()) continue;
    Portion& portion = open_portion(effects);
    request.result = run_one(request, batch.requests.size() == 1, effects);
    portion.writes = writes;
    if (portion.changes.size() >= kManyChanges) publisher_.expect(portion.changes);
    // SQLite undoes the whole transaction by itself when it has no room to go on.
    if (!db_->in_transaction()) done = request.result;
  }
  if (done) done = commit(effects);
  if (!done) {
    if (db_->in_transaction()) static_cast<void>(db_->run(kRollback).has_value());
    ledger_.back_to(start);
    publisher_.forget_expected();
    log::error("commit_failed", {{"detail", done.error().detail}});
    fail_all(batch, done.error());
    return {};
  }
  ledger_.keep();
  if (!effects.portions.empty() && effects.portions.back().changes.empty())
    effects.portions.pop_back();
  follow(effects);
  return effects;
}

Portion& Writer::open_portion(Effects& effects) {
  auto& portions = effects.portions;
  if (!portions.empty()) {
    last_changes_ = std::min(portions.back().changes.size(), kMostReserved);
    if (last_changes_ < kManyChanges) return portions.back();
  }
  // Changes are large to move; a portion has about as many as the last one.
  portions.emplace_back().changes.reserve(last_changes_);
  return portions.back();
}

Status Writer::run_one(WriteRequest& request, bool alone, Effects& effects) {
  if (request.call.deadline <= steady_clock::now()) return too_late();
  const Ledger::Mark mark = ledger_.mark();
  // A write that is alone in its batch is undone with the transaction; a savepoint would copy every
  // page it touches.
  if (!alone) HOLDFAST_CHECK_OK(db_->run(kSavepoint));
  const int64_t rows_before = db_->total_changes();
  std::vector<Change>& changes = effects.portions.back().changes;
  const size_t changes_before = changes.size();
  txn_.begin(request.call, publisher_.has_listeners() ? &changes : nullptr);
  Status result = guarded(request.closure, txn_);
  if (result) result = txn_.finish();
  if (result && !alone) result = db_->run(kReleaseSavepoint);
  if (result) {
    txn_.effects().rows = db_->total_changes() != rows_before;
    effects.add(std::move(txn_.effects()));
    return result;
  }
  txn_.give_up();
  ledger_.back_to(mark);
  changes.resize(changes_before);
  if (!db_->in_transaction()) return result;
  if (alone) {
    HOLDFAST_CHECK_OK(db_->run(kRollback));
    HOLDFAST_CHECK_OK(db_->run(kBeginWrite));
  } else {
    HOLDFAST_CHECK_OK(db_->run(kUndo));
    HOLDFAST_CHECK_OK(db_->run(kReleaseSavepoint));
  }
  return result;
}

Status Writer::commit(const Effects& effects) {
  const auto start = steady_clock::now();
  // A batch that changed nothing costs no fsync.
  if (effects.rows) HOLDFAST_CHECK_OK(write_state(*db_, ledger_.state()));
  Status done = db_->run(kCommit);
  commit_took_ = steady_clock::now() - start;
  return done;
}

void Writer::fail_all(WriteBatch& batch, const Error& error) {
  for (WriteRequest& request : batch.requests) {
    // A write that failed on its own keeps its own reason; one whose caller gave up has nobody to
    // tell.
    request.take();
    if (request.result) request.result = error;
  }
}

void Writer::follow(const Effects& effects) {
  for (const auto& [space, number] : effects.spaces) {
    if (number == 0) {
      directory_.remove_space(space);
    } else {
      directory_.add_space(space, number);
    }
  }
  follow_grants(effects);
  for (const SpaceId& space : effects.without_due_jobs) {
    const SpaceRow* row = ledger_.find(space);
    const auto live = row == nullptr ? Result<bool>(false) : has_live_jobs(*db_, row->number);
    if (live && !*live) ledger_.spaces_with_jobs().erase(space);
  }
}

void Writer::tell(const Effects& effects) {
  publisher_.tell(effects);
  if (effects.erased) wal_.truncate();
}

void Writer::follow_grants(const Effects& effects) {
  for (const PrincipalId& id : effects.principals) {
    const auto principal = find_principal(*db_, id);
    if (principal && *principal) directory_.put_principal(**principal);
  }
  for (const std::string& id : effects.tokens) {
    const auto token = find_token(*db_, id);
    if (!token) continue;
    if (*token) {
      directory_.put_token(**token);
    } else {
      directory_.remove_token(id);
    }
  }
}

}  // namespace holdfast::storage::sqlite
