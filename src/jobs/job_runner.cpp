#include "jobs/job_runner.h"

#include <algorithm>
#include <exception>

#include <fmt/format.h>
#include <pthread.h>

#include "base/assert.h"
#include "base/ids.h"
#include "base/log.h"

namespace holdfast::jobs {
namespace {

using std::chrono::milliseconds;
using storage::Job;
using storage::WriteClosure;
using storage::WriteTxn;

// A clock that stands still must not make a worker look all the time.
constexpr milliseconds kShortestSleep(5);
// Claiming failed (a full disk, say): try again, but not at once.
constexpr milliseconds kAfterTrouble(500);
constexpr size_t kSweptAtOnce = 500;

Result<WriteClosure> guarded(const Handler& handler, const std::vector<Job>& jobs) {
  try {
    return handler.run_many ? handler.run_many(jobs) : handler.run(jobs.front());
  } catch (const std::exception& e) {
    return internal_error(fmt::format("the handler of '{}' threw: {}", handler.queue, e.what()));
  } catch (...) {
    return internal_error(fmt::format("the handler of '{}' threw", handler.queue));
  }
}

std::string category_of(const Error& error) {
  return error.reason.empty() ? std::string(error_code_name(error.code)) : error.reason;
}

bool lease_was_lost(const Error& error) {
  return error.code == ErrorCode::kConflict && error.reason == storage::reason::kLeaseLost;
}

}  // namespace

struct JobRunner::Outcome {
  bool succeeded = true;
  bool final = false;
  std::string error = {};
  std::string category = {};
  milliseconds wait{0};
};

JobRunner::JobRunner(storage::Store& store, const access::Gatekeeper& gatekeeper, Clock& clock,
                     RunnerOptions options)
    : store_(store), gatekeeper_(gatekeeper), clock_(clock), options_(options) {
  store_.add_listener(*this);
  clock_.on_jump([signal = signal_] { signal->raise(); });
}

JobRunner::~JobRunner() {
  stop();
  store_.remove_listener(*this);
}

void JobRunner::add(Handler handler) {
  HOLDFAST_ASSERT(workers_.empty() && handler_of(handler.queue) == nullptr);
  handlers_.push_back(std::move(handler));
  taken_.push_back(std::make_unique<std::atomic<bool>>(false));
}

Status JobRunner::start() {
  const auto admin = gatekeeper_.engine_admin();
  HOLDFAST_CHECK_OK(
      store_.write(call_for({}), [&](WriteTxn& txn) { return txn.release_jobs(admin); }));
  const std::string process = make_uuid();
  for (size_t i = 0; i < options_.workers; ++i) {
    workers_.emplace_back([this, name = fmt::format("{}/{}", process, i)] { work(name); });
  }
  return {};
}

void JobRunner::stop() {
  stopping_ = true;
  signal_->raise();
  for (auto& worker : workers_) {
    if (worker.joinable()) worker.join();
  }
}

RunnerCounts JobRunner::counts() const {
  return {.succeeded = succeeded_,
          .retried = retried_,
          .failed = failed_,
          .lease_lost = lease_lost_,
          .running = running_};
}

void JobRunner::work(const std::string& worker) {
  pthread_setname_np(pthread_self(), "hf-job");
  while (!stopping_) {
    const uint64_t seen = signal_->count();
    sweep_if_time();
    ++busy_;
    const auto jobs = claim(worker);
    const bool any = jobs && !jobs->empty();
    if (any) {
      run(*jobs);
      release(jobs->front().queue);
    }
    --busy_;
    if (stopping_ || any) continue;
    signal_->wait(seen, jobs ? next_look() : std::chrono::steady_clock::now() + kAfterTrouble);
  }
}

void JobRunner::run(const std::vector<Job>& jobs) {
  const Handler* handler = handler_of(jobs.front().queue);
  HOLDFAST_ASSERT(handler != nullptr);
  const auto count = static_cast<int64_t>(jobs.size());
  running_ += count;
  auto effect = guarded(*handler, jobs);
  const Status done = effect ? succeed(jobs, *effect) : Status(std::move(effect).error());
  running_ -= count;
  if (done) {
    succeeded_ += count;
  } else if (jobs.size() > 1) {
    for (const Job& job : jobs) run({job});
  } else if (lease_was_lost(done.error())) {
    ++lease_lost_;
  } else {
    fail(jobs.front(), *handler, done.error());
  }
}

Status JobRunner::succeed(const std::vector<Job>& jobs, const WriteClosure& effect) {
  return store_.write(call_for(jobs.front()), [&](WriteTxn& txn) -> Status {
    // First, so that a lost lease is noticed before the effect does anything.
    for (const Job& job : jobs) HOLDFAST_CHECK_OK(finish(txn, job, {}));
    if (effect) return effect(txn);
    return {};
  });
}

void JobRunner::fail(const Job& job, const Handler& handler, const Error& error) {
  const bool final = !is_worth_retrying(error.code) ||
                     job.attempts >= std::min(job.max_attempts, handler.max_attempts);
  const Outcome outcome{
      .succeeded = false,
      .final = final,
      .error = error.detail.empty() ? error.message : error.message + " " + error.detail,
      .category = category_of(error),
      .wait = backoff_after(handler, job.attempts)};
  log::warn("job_attempt_failed", {{"queue", job.queue},
                                   {"job", job.id},
                                   {"attempt", job.attempts},
                                   {"category", outcome.category},
                                   {"detail", error.detail}});
  const Status told =
      store_.write(call_for(job), [&](WriteTxn& txn) { return finish(txn, job, outcome); });
  if (!told) {
    // The lease lapses and the job is repeated then.
    log::error("job_failure_not_stored", {{"job", job.id}, {"detail", told.error().detail}});
    return;
  }
  ++(final ? failed_ : retried_);
  signal_->raise();
}

Status JobRunner::finish(WriteTxn& txn, const Job& job, const Outcome& outcome) {
  return txn.finish_job(gatekeeper_.engine_admin(), {.space = job.space,
                                                     .id = job.id,
                                                     .worker = job.worker,
                                                     .succeeded = outcome.succeeded,
                                                     .final = outcome.final,
                                                     .error = outcome.error,
                                                     .failure_category = outcome.category,
                                                     .retry_at = txn.now() + outcome.wait,
                                                     .now = txn.now()});
}

void JobRunner::sweep_if_time() {
  const Timestamp now = clock_.now();
  int64_t due = next_sweep_;
  if (to_micros(now) < due ||
      !next_sweep_.compare_exchange_strong(due, to_micros(now + options_.sweep_every))) {
    return;
  }
  const auto admin = gatekeeper_.engine_admin();
  size_t swept = kSweptAtOnce;
  while (swept >= kSweptAtOnce && !stopping_) {
    swept = 0;
    const Status done = store_.write(call_for({}), [&](WriteTxn& txn) -> Status {
      HOLDFAST_TRY(const size_t jobs,
                   txn.sweep_jobs(admin, now - options_.keep_finished, kSweptAtOnce));
      HOLDFAST_TRY(const size_t answers, txn.sweep_idempotency(admin, now, kSweptAtOnce));
      swept = std::max(jobs, answers);
      return {};
    });
    if (!done) return;
  }
}

Deadline JobRunner::next_look() const {
  const auto real_now = std::chrono::steady_clock::now();
  const auto txn = store_.begin_read(real_now + kAfterTrouble);
  if (!txn) return real_now + kAfterTrouble;
  const auto next = (*txn)->next_job_at(gatekeeper_.engine_admin(), queues());
  if (!next) return real_now + kAfterTrouble;
  Timestamp at = from_micros(next_sweep_);
  if (*next) at = std::min(at, **next);
  const auto wait = std::max<std::chrono::microseconds>(at - clock_.now(), kShortestSleep);
  return real_now + wait;
}

bool JobRunner::drain(Deadline deadline) {
  const auto admin = gatekeeper_.engine_admin();
  while (std::chrono::steady_clock::now() < deadline) {
    const int64_t busy_before = busy_;
    const size_t turn_before = turn_;
    bool due = true;
    const Status looked = store_.write(call_for({}), [&](WriteTxn& txn) -> Status {
      HOLDFAST_TRY(const auto next, txn.next_job_at(admin, queues()));
      due = next && *next <= txn.now();
      return {};
    });
    // A worker that started and ended meanwhile may have left new work.
    if (looked && !due && busy_before == 0 && busy_ == 0 && turn_ == turn_before) return true;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return false;
}

CallContext JobRunner::call_for(const Job& job) const {
  CallContext call;
  call.surface = "jobs";
  call.principal = PrincipalId{"holdfast"};
  if (job.id != 0) call.request_id = fmt::format("job-{}", job.id);
  return call;
}

}  // namespace holdfast::jobs
