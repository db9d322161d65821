// Runs durable jobs: claims what is due, lets the queue's handler work, and commits the effect
// together with the end of the job. A crash at any moment repeats work; it neither loses nor
// doubles an effect.
//
//   JobRunner runner(store, gatekeeper, clock);
//   runner.add({.queue = "extract", .run = extract});
//   HOLDFAST_CHECK_OK(runner.start());
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "access/gatekeeper.h"
#include "base/clock.h"
#include "jobs/handler.h"
#include "jobs/wake_signal.h"
#include "storage/store.h"

namespace holdfast::jobs {

struct RunnerOptions {
  size_t workers = 2;
  // Finished jobs are kept this long for inspection; they and expired stored answers are swept this
  // often.
  std::chrono::seconds keep_finished{24 * 3600};
  std::chrono::seconds sweep_every{60};
};

// Since the start, for metrics.
struct RunnerCounts {
  int64_t succeeded = 0;
  int64_t retried = 0;  // attempts that failed and will be repeated
  int64_t failed = 0;   // jobs given up
  // Attempts whose effect was dropped because another worker had taken over.
  int64_t lease_lost = 0;
  int64_t running = 0;  // now
};

// Thread-safe. The store, the gatekeeper and the clock outlive it.
class JobRunner : private storage::CommitListener {
 public:
  JobRunner(storage::Store& store, const access::Gatekeeper& gatekeeper, Clock& clock,
            RunnerOptions options = {});
  ~JobRunner() override;
  JobRunner(const JobRunner&) = delete;
  JobRunner& operator=(const JobRunner&) = delete;

  // Before start(). One handler a queue.
  void add(Handler handler);

  // Makes the jobs of an earlier process pending again and starts the workers. Errors are those of
  // the store.
  Status start();

  // Finishes the attempts under way and ends the workers. Claimed work is never left claimed.
  void stop();

  // Waits until nothing is due and nothing runs; false if the deadline passes first. For tests and
  // shutting down.
  bool drain(Deadline deadline);

  RunnerCounts counts() const;

 private:
  struct Outcome;

  void on_commit(const std::vector<storage::Change>&) override {}
  void on_jobs() override { signal_->raise(); }

  void work(const std::string& worker);
  // Due jobs of one queue, as many as its handler takes at once. A serial queue is busy from here
  // until release().
  Result<std::vector<storage::Job>> claim(const std::string& worker);
  Status claim_from(storage::WriteTxn& txn, size_t handler, const std::string& worker,
                    std::vector<storage::Job>& claimed);
  void release(const std::string& queue);
  void run(const std::vector<storage::Job>& jobs);
  Status succeed(const std::vector<storage::Job>& jobs, const storage::WriteClosure& effect);
  void fail(const storage::Job& job, const Handler& handler, const Error& error);
  Status finish(storage::WriteTxn& txn, const storage::Job& job, const Outcome& outcome);
  void sweep_if_time();
  Deadline next_look() const;
  const Handler* handler_of(const std::string& queue) const;
  std::vector<std::string> queues() const;
  CallContext call_for(const storage::Job& job) const;

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  Clock& clock_;
  const RunnerOptions options_;
  std::vector<Handler> handlers_;  // fixed from start() on
  // Shared with the clock, whose listeners cannot be removed and may outlive the runner.
  const std::shared_ptr<WakeSignal> signal_ = std::make_shared<WakeSignal>();
  std::vector<std::thread> workers_;
  // Which serial queues are being worked on, in the order of the handlers.
  std::vector<std::unique_ptr<std::atomic<bool>>> taken_;
  std::atomic<bool> stopping_ = false;
  std::atomic<size_t> turn_ = 0;         // which queue is asked first
  std::atomic<int64_t> next_sweep_ = 0;  // microseconds of the clock
  std::atomic<int64_t> busy_ = 0;        // workers that are claiming or running
  std::atomic<int64_t> succeeded_ = 0;
  std::atomic<int64_t> retried_ = 0;
  std::atomic<int64_t> failed_ = 0;
  std::atomic<int64_t> lease_lost_ = 0;
  std::atomic<int64_t> running_ = 0;
};

}  // namespace holdfast::jobs
