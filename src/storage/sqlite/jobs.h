// The table jobs. The contracts are those of the transactions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/jobs_table.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/row_key.h"

namespace holdfast::storage::sqlite {

Result<std::vector<Job>> list_jobs(Connection& db, const Scope& scope, std::string_view queue,
                                   JobState state, size_t limit);

// The pending job with this queue and dedupe key; 0 if there is none.
Result<int64_t> find_pending(Connection& db, SpaceNumber space, const Job& job);
Status insert_job(Connection& db, SpaceNumber space, const Job& job);

// Due jobs of one space and queue, oldest run_at first, unclaimed yet. Those on their last attempt
// are failed here.
Result<std::vector<Job>> due_jobs(Connection& db, SpaceNumber space, std::string_view queue,
                                  Timestamp now, size_t limit);
// Takes one of them for this worker; updates it to what was stored.
Status lease_job(Connection& db, SpaceNumber space, const JobClaim& claim, Job& job);
Status finish_job(Connection& db, SpaceNumber space, const JobOutcome& outcome);
Status release_jobs(Connection& db);
Result<size_t> sweep_jobs(Connection& db, const std::vector<SpaceNumber>& spaces, Timestamp before,
                          size_t limit);

// When the next pending job is due or the next lease ends, in these spaces and queues.
Result<std::optional<Timestamp>> next_job_at(Connection& db, const std::vector<SpaceNumber>& spaces,
                                             const std::vector<std::string>& queues);

// Spaces that have pending or running jobs.
Result<std::vector<SpaceNumber>> spaces_with_jobs(Connection& db);
Result<bool> has_live_jobs(Connection& db, SpaceNumber space);

}  // namespace holdfast::storage::sqlite
