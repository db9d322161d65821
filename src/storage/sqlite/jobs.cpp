#include "storage/sqlite/jobs.h"

#include <algorithm>
#include <tuple>

#include "storage/store.h"

namespace holdfast::storage::sqlite {
namespace {

#define HOLDFAST_JOB_COLUMNS                                                                     \
  "id, queue, dedupe_key, payload, state, attempts, max_attempts, run_at, worker, lease_until, " \
  "error, "                                                                                      \
  "failure_category, created_at, completed_at"

constexpr char kListJobs[] =
    "SELECT " HOLDFAST_JOB_COLUMNS
    " FROM jobs WHERE space_id = ?1 AND state = ?2 AND (?3 = '' OR queue = ?3) "
    "ORDER BY id LIMIT ?4";

// Named, because the planner takes the index of live jobs otherwise and walks through all of them.
constexpr char kFindPending[] =
    "SELECT id FROM jobs INDEXED BY jobs_by_dedupe_key WHERE space_id = ?1 AND queue = ?2 AND "
    "dedupe_key = ?3 AND state = 0 "
    "AND dedupe_key <> '' LIMIT 1";

constexpr char kInsertJob[] =
    "INSERT INTO jobs (space_id, id, queue, dedupe_key, state, attempts, max_attempts, run_at, "
    "due_at, "
    "worker, error, failure_category, created_at, payload) "
    "VALUES (?1, ?2, ?3, ?4, 0, 0, ?5, ?6, ?6, '', '', '', ?7, ?8)";

constexpr char kDuePending[] = "SELECT " HOLDFAST_JOB_COLUMNS
                               " FROM jobs WHERE state IN (0, 1) AND space_id = ?1 AND queue = ?2 "
                               "AND state = 0 AND due_at <= ?3 ORDER BY due_at, id LIMIT ?4";

constexpr char kLapsed[] = "SELECT " HOLDFAST_JOB_COLUMNS
                           " FROM jobs WHERE state IN (0, 1) AND space_id = ?1 AND queue = ?2 "
                           "AND state = 1 AND due_at <= ?3";

constexpr char kLease[] =
    "UPDATE jobs SET state = 1, attempts = attempts + 1, worker = ?3, lease_until = ?4, due_at = "
    "?4 "
    "WHERE space_id = ?1 AND id = ?2";

constexpr char kHolder[] =
    "SELECT state, worker, attempts, max_attempts FROM jobs WHERE space_id = ?1 AND id = ?2";

constexpr char kEndJob[] =
    "UPDATE jobs SET state = ?3, error = ?4, failure_category = ?5, completed_at = ?6, worker = "
    "'', "
    "lease_until = NULL WHERE space_id = ?1 AND id = ?2";

constexpr char kRetryJob[] =
    "UPDATE jobs SET state = 0, error = ?3, failure_category = ?4, run_at = ?5, due_at = ?5, "
    "worker = '', "
    "lease_until = NULL WHERE space_id = ?1 AND id = ?2";

constexpr char kReleaseJobs[] =
    "UPDATE jobs SET state = 0, due_at = run_at, worker = '', lease_until = NULL "
    "WHERE state IN (0, 1) AND state = 1";

constexpr char kSweep[] =
    "DELETE FROM jobs WHERE (space_id, id) IN (SELECT space_id, id FROM jobs "
    "WHERE space_id = ?1 AND completed_at < ?2 AND completed_at IS NOT NULL LIMIT ?3)";

constexpr char kLiveSpaces[] =
    "SELECT DISTINCT space_id FROM jobs INDEXED BY jobs_live WHERE state IN (0, 1)";
constexpr char kLiveIn[] =
    "SELECT 1 FROM jobs INDEXED BY jobs_live WHERE state IN (0, 1) AND space_id = ?1 LIMIT 1";

constexpr char kNextDue[] =
    "SELECT min(due_at) FROM jobs INDEXED BY jobs_live WHERE state IN (0, 1) AND space_id = ?1 "
    "AND queue = ?2 AND state = ?3";

constexpr size_t kMaxErrorBytes = 1000;

Job read_job(const Row& row, const SpaceId& space) {
  return Job{.space = space,
             .id = row.integer(0),
             .queue = row.text(1),
             .dedupe_key = row.text(2),
             .payload = row.text(3),
             .state = static_cast<JobState>(row.number(4)),
             .attempts = row.number(5),
             .max_attempts = row.number(6),
             .run_at = row.time(7),
             .worker = row.text(8),
             .lease_until = row.optional_time(9),
             .error = row.text(10),
             .failure_category = row.text(11),
             .created_at = row.time(12),
             .completed_at = row.optional_time(13)};
}

// At most kMaxErrorBytes, not ending inside a character.
std::string_view cut(std::string_view text) {
  if (text.size() <= kMaxErrorBytes) return text;
  size_t end = kMaxErrorBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace

Result<std::vector<Job>> list_jobs(Connection& db, const Scope& scope, std::string_view queue,
                                   JobState state, size_t limit) {
  std::vector<Job> jobs;
  HOLDFAST_CHECK_OK(db.each(
      kListJobs, [&](const Row& row) { jobs.push_back(read_job(row, scope.access.space())); },
      scope.space, static_cast<int>(state), queue, limit));
  return jobs;
}

Result<int64_t> find_pending(Connection& db, SpaceNumber space, const Job& job) {
  if (job.dedupe_key.empty()) return 0;
  return db.integer_or(0, kFindPending, space, job.queue, job.dedupe_key);
}

Status insert_job(Connection& db, SpaceNumber space, const Job& job) {
  return db.run(kInsertJob, space, job.id, job.queue, job.dedupe_key, job.max_attempts, job.run_at,
                job.created_at, job.payload);
}

Result<std::vector<Job>> due_jobs(Connection& db, SpaceNumber space, std::string_view queue,
                                  Timestamp now, size_t limit) {
  std::vector<Job> jobs;
  std::vector<Job> spent;
  const auto read = [&](const Row& row) {
    Job job = read_job(row, {});
    (job.attempts < job.max_attempts ? jobs : spent).push_back(std::move(job));
  };
  HOLDFAST_CHECK_OK(db.each(kDuePending, read, space, queue, now, limit));
  HOLDFAST_CHECK_OK(db.each(kLapsed, read, space, queue, now));
  for (const Job& job : spent) {
    HOLDFAST_CHECK_OK(db.run(kEndJob, space, job.id, static_cast<int>(JobState::kFailed),
                             "The worker did not come back in time.", "lease_lost", now));
  }
  std::ranges::sort(jobs, {}, [](const Job& job) { return std::tuple(job.run_at, job.id); });
  if (jobs.size() > limit) jobs.resize(limit);
  return jobs;
}

Status lease_job(Connection& db, SpaceNumber space, const JobClaim& claim, Job& job) {
  job.state = JobState::kRunning;
  job.worker = claim.worker;
  job.lease_until = claim.now + claim.lease;
  ++job.attempts;
  return db.run(kLease, space, job.id, job.worker, *job.lease_until);
}

Status finish_job(Connection& db, SpaceNumber space, const JobOutcome& outcome) {
  bool held = false;
  bool last_attempt = false;
  const auto read = [&](const Row& row) {
    held = static_cast<JobState>(row.number(0)) == JobState::kRunning &&
           row.bytes(1) == outcome.worker;
    last_attempt = row.number(2) >= row.number(3);
  };
  HOLDFAST_TRY(const bool found, db.one_or_none(kHolder, read, space, outcome.id));
  if (!found || !held) {
    return conflict(reason::kLeaseLost, "The job is no longer held by this worker.");
  }
  if (outcome.succeeded) {
    return db.run(kEndJob, space, outcome.id, static_cast<int>(JobState::kDone), "", "",
                  outcome.now);
  }
  if (outcome.final || last_attempt) {
    return db.run(kEndJob, space, outcome.id, static_cast<int>(JobState::kFailed),
                  cut(outcome.error), outcome.failure_category, outcome.now);
  }
  return db.run(kRetryJob, space, outcome.id, cut(outcome.error), outcome.failure_category,
                outcome.retry_at.value_or(outcome.now));
}

Status release_jobs(Connection& db) { return db.run(kReleaseJobs); }

Result<size_t> sweep_jobs(Connection& db, const std::vector<SpaceNumber>& spaces, Timestamp before,
                          size_t limit) {
  size_t swept = 0;
  for (const SpaceNumber space : spaces) {
    if (swept == limit) break;
    HOLDFAST_CHECK_OK(db.run(kSweep, space, before, limit - swept));
    swept += static_cast<size_t>(db.changes());
  }
  return swept;
}

Result<std::optional<Timestamp>> next_job_at(Connection& db, const std::vector<SpaceNumber>& spaces,
                                             const std::vector<std::string>& queues) {
  int64_t next = INT64_MAX;
  for (const SpaceNumber space : spaces) {
    for (const std::string& queue : queues) {
      for (const JobState state : {JobState::kPending, JobState::kRunning}) {
        HOLDFAST_TRY(const int64_t due,
                     db.integer_or(INT64_MAX, kNextDue, space, queue, static_cast<int>(state)));
        next = std::min(next, due);
      }
    }
  }
  if (next == INT64_MAX) return std::optional<Timestamp>();
  return std::optional<Timestamp>(from_micros(next));
}

Result<std::vector<SpaceNumber>> spaces_with_jobs(Connection& db) {
  std::vector<SpaceNumber> spaces;
  HOLDFAST_CHECK_OK(
      db.each(kLiveSpaces, [&](const Row& row) { spaces.push_back(row.integer(0)); }));
  return spaces;
}

Result<bool> has_live_jobs(Connection& db, SpaceNumber space) {
  return db.one_or_none(
      kLiveIn, [](const Row&) {}, space);
}

}  // namespace holdfast::storage::sqlite
