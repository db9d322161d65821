// Which job comes next.
#include <algorithm>

#include "base/log.h"
#include "jobs/job_runner.h"

namespace holdfast::jobs {

using storage::Job;
using storage::WriteTxn;

Status JobRunner::claim_from(WriteTxn& txn, size_t handler, const std::string& worker,
                             std::vector<Job>& claimed) {
  const Handler& asked = handlers_[handler];
  if (asked.serial && taken_[handler]->exchange(true)) return {};
  // The store's time, not the clock's: a job enqueued just now is due even while the clock stands
  // still.
  auto jobs = txn.claim_jobs(gatekeeper_.engine_admin(),
                             {.queues = {asked.queue},
                              .worker = worker,
                              .now = txn.now(),
                              .lease = asked.lease,
                              .limit = asked.run_many ? asked.most_at_once : 1});
  if (jobs) claimed = std::move(*jobs);
  if (claimed.empty()) *taken_[handler] = false;
  return jobs ? Status() : Status(std::move(jobs).error());
}

Result<std::vector<Job>> JobRunner::claim(const std::string& worker) {
  const size_t first = turn_++;
  std::vector<Job> claimed;
  const auto done = store_.write(call_for({}), [&](WriteTxn& txn) -> Status {
    // A write that is run again has claimed nothing yet.
    if (!claimed.empty()) release(claimed.front().queue);
    claimed.clear();
    for (size_t i = 0; i < handlers_.size() && claimed.empty(); ++i)
      HOLDFAST_CHECK_OK(claim_from(txn, (first + i) % handlers_.size(), worker, claimed));
    return {};
  });
  if (done) return claimed;
  if (!claimed.empty()) release(claimed.front().queue);
  if (done.error().code != ErrorCode::kUnavailable) {
    log::warn("jobs_not_claimed", {{"detail", done.error().detail}});
  }
  return done.error();
}

void JobRunner::release(const std::string& queue) {
  for (size_t i = 0; i < handlers_.size(); ++i) {
    if (handlers_[i].queue == queue && handlers_[i].serial) *taken_[i] = false;
  }
}

const Handler* JobRunner::handler_of(const std::string& queue) const {
  const auto found = std::ranges::find(handlers_, queue, &Handler::queue);
  return found == handlers_.end() ? nullptr : &*found;
}

std::vector<std::string> JobRunner::queues() const {
  std::vector<std::string> names;
  for (const Handler& handler : handlers_) names.push_back(handler.queue);
  return names;
}

}  // namespace holdfast::jobs
