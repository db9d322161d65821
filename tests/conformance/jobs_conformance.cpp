// Durable background work.
#include <atomic>
#include <set>
#include <thread>

#include "base/mutex.h"
#include "store_harness.h"

namespace holdfast::storage {
namespace {

using std::chrono::seconds;

TEST_P(StoreConformance, AnEnqueuedJobReadsBack) {
  const auto id = enqueue({.queue = "extract", .payload = "{}", .max_attempts = 5});

  const auto jobs = *read()->jobs(engine(), "extract", JobState::kPending, 10);

  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].id, id);
  EXPECT_EQ(jobs[0].space, kDefaultSpace);
  EXPECT_EQ(jobs[0].payload, "{}");
  EXPECT_EQ(jobs[0].attempts, 0);
  EXPECT_EQ(jobs[0].max_attempts, 5);
  EXPECT_GE(jobs[0].created_at, kStart);
  EXPECT_TRUE(read()->jobs(engine(), "other", JobState::kPending, 10)->empty());
  EXPECT_EQ(read()->jobs(engine(), "", JobState::kPending, 10)->size(), 1u);
}

TEST_P(StoreConformance, APendingJobWithTheSameKeyIsNotDoubled) {
  const auto first = enqueue({.queue = "q", .dedupe_key = "k"});
  EXPECT_EQ(enqueue({.queue = "q", .dedupe_key = "k"}), first);
  EXPECT_NE(enqueue({.queue = "q", .dedupe_key = "other"}), first);
  EXPECT_NE(enqueue({.queue = "other", .dedupe_key = "k"}), first);
  EXPECT_NE(enqueue({.queue = "q"}), enqueue({.queue = "q"}));

  ASSERT_FALSE(claim({.queues = {"q"}, .worker = "w", .now = clock_.now() + seconds(1)}).empty());

  EXPECT_NE(enqueue({.queue = "q", .dedupe_key = "k"}), first)
      << "the first is running, no longer pending";
}

TEST_P(StoreConformance, JobsAreClaimedOldestFirstWhenDue) {
  const Timestamp now = clock_.now() + seconds(100);
  const auto late = enqueue({.queue = "q", .run_at = now - seconds(1)});
  const auto early = enqueue({.queue = "q", .run_at = now - seconds(5)});
  enqueue({.queue = "q", .run_at = now + seconds(1)});
  enqueue({.queue = "unasked"});

  const auto jobs =
      claim({.queues = {"q", "r"}, .worker = "w", .now = now, .lease = seconds(30), .limit = 10});

  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].id, early);
  EXPECT_EQ(jobs[1].id, late);
  EXPECT_EQ(jobs[0].state, JobState::kRunning);
  EXPECT_EQ(jobs[0].attempts, 1);
  EXPECT_EQ(jobs[0].worker, "w");
  EXPECT_EQ(jobs[0].lease_until, now + seconds(30));
  EXPECT_TRUE(claim({.queues = {"q"}, .worker = "v", .now = now}).empty());
}

TEST_P(StoreConformance, JobsOfAllSpacesAreClaimed) {
  const auto red = engine("red");
  const auto blue = engine("blue");
  ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
    HOLDFAST_CHECK_OK(txn.enqueue(red, {.queue = "q", .run_at = kStart + seconds(2)}));
    HOLDFAST_CHECK_OK(txn.enqueue(blue, {.queue = "q", .run_at = kStart + seconds(1)}));
    return {};
  }));
  harness_->reopen();

  const auto first = claim({.queues = {"q"}, .worker = "w", .now = kStart + seconds(9)});
  const auto second = claim({.queues = {"q"}, .worker = "w", .now = kStart + seconds(9)});

  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].space, SpaceId{"blue"});
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0].space, SpaceId{"red"});
}

TEST_P(StoreConformance, TheNextJobIsTheEarliestRunOrLapse) {
  const auto next = [&] { return *read()->next_job_at(admin(), {"q", "r"}); };
  EXPECT_FALSE(next().has_value());
  enqueue({.queue = "q", .run_at = kStart + seconds(50)});
  enqueue({.queue = "r", .run_at = kStart + seconds(40)});
  enqueue({.queue = "unasked", .run_at = kStart + seconds(1)});
  EXPECT_EQ(next(), kStart + seconds(40));

  claim({.queues = {"r"}, .worker = "w", .now = kStart + seconds(40), .lease = seconds(5)});

  EXPECT_EQ(next(), kStart + seconds(45));
}

TEST_P(StoreConformance, AFinishedJobIsDone) {
  const auto id = enqueue({.queue = "q"});
  claim({.queues = {"q"}, .worker = "w", .now = kStart + seconds(1)});
  const auto access = admin();

  ASSERT_TRUE(write([&](WriteTxn& txn) {
    return txn.finish_job(
        access, {.space = kDefaultSpace, .id = id, .worker = "w", .now = kStart + seconds(2)});
  }));

  const auto done = *read()->jobs(engine(), "q", JobState::kDone, 10);
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].completed_at, kStart + seconds(2));
  EXPECT_TRUE(claim({.queues = {"q"}, .worker = "w", .now = kStart + seconds(99999)}).empty());
}

TEST_P(StoreConformance, AFailedAttemptIsRetriedUntilNoneIsLeft) {
  const auto id = enqueue({.queue = "q", .max_attempts = 2});
  const auto access = admin();
  const auto fail = [&](bool final) {
    return write([&](WriteTxn& txn) {
      return txn.finish_job(access, {.space = kDefaultSpace,
                                     .id = id,
                                     .worker = "w",
                                     .succeeded = false,
                                     .final = final,
                                     .error = std::string(3000, 'e'),
                                     .failure_category = "model",
                                     .retry_at = kStart + seconds(60),
                                     .now = kStart + seconds(2)});
    });
  };

  ASSERT_EQ(claim({.queues = {"q"}, .worker = "w", .now = kStart + seconds(1)}).size(), 1u);
  ASSERT_TRUE(fail(false));
  EXPECT_TRUE(claim({.queues = {"q"}, .worker = "w", .now = kStart + seconds(59)}).empty());
  const auto again = claim({.queues = {"q"}, .worker = "w", .now = kStart + seconds(60)});
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again[0].attempts, 2);
  EXPECT_EQ(again[0].error.size(), 1000u);
  EXPECT_EQ(again[0].failure_category, "model");
  ASSERT_TRUE(fail(false));

  EXPECT_EQ(read()->jobs(engine(), "q", JobState::kFailed, 10)->size(), 1u);
}

TEST_P(StoreConformance, AFinalFailureIsNotRetried) {
  const auto id = enqueue({.queue = "q", .max_attempts = 9});
  claim({.queues = {"q"}, .worker = "w", .now = kStart + seconds(1)});
  const auto access = admin();

  ASSERT_TRUE(write([&](WriteTxn& txn) {
    return txn.finish_job(
        access,
        {.space = kDefaultSpace, .id = id, .worker = "w", .succeeded = false, .final = true});
  }));

  EXPECT_EQ(read()->jobs(engine(), "q", JobState::kFailed, 10)->size(), 1u);
}

TEST_P(StoreConformance, ALapsedLeaseGoesToTheNextWorkerAndUndoesTheFirstOnesWrite) {
  const auto id = enqueue({.queue = "q"});
  claim({.queues = {"q"}, .worker = "slow", .now = kStart + seconds(1), .lease = seconds(10)});
  const auto taken =
      claim({.queues = {"q"}, .worker = "fast", .now = kStart + seconds(11), .lease = seconds(10)});
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken[0].attempts, 2);
  const auto access = engine();
  const auto scope = admin();

  const auto late = write([&](WriteTxn& txn) -> Status {
    HOLDFAST_CHECK_OK(txn.put(access, {.key = {"note", "effect"}}));
    return txn.finish_job(scope, {.space = kDefaultSpace, .id = id, .worker = "slow"});
  });

  ASSERT_FALSE(late.has_value());
  EXPECT_EQ(late.error().code, ErrorCode::kConflict);
  EXPECT_EQ(late.error().reason, reason::kLeaseLost);
  EXPECT_EQ(code_of(get({"note", "effect"})), ErrorCode::kNotFound);
}

TEST_P(StoreConformance, ALeaseLostOnTheLastAttemptFailsTheJob) {
  enqueue({.queue = "q", .max_attempts = 1});
  claim({.queues = {"q"}, .worker = "w", .now = kStart + seconds(1), .lease = seconds(10)});

  EXPECT_TRUE(claim({.queues = {"q"}, .worker = "v", .now = kStart + seconds(20)}).empty());

  const auto failed = *read()->jobs(engine(), "q", JobState::kFailed, 10);
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].failure_category, "lease_lost");
}

TEST_P(StoreConformance, ReleasedJobsArePendingAgainWithTheirAttempts) {
  enqueue({.queue = "q"});
  claim({.queues = {"q"}, .worker = "gone", .now = kStart + seconds(1)});
  const auto access = admin();

  ASSERT_TRUE(write([&](WriteTxn& txn) { return txn.release_jobs(access); }));

  const auto again = claim({.queues = {"q"}, .worker = "w", .now = kStart + seconds(1)});
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again[0].attempts, 2);
}

TEST_P(StoreConformance, TwoWorkersNeverHoldTheSameJob) {
  constexpr int kJobs = 100;
  for (int i = 0; i < kJobs; ++i) enqueue({.queue = "q"});
  Mutex mutex;
  std::multiset<int64_t> held;
  std::vector<std::thread> workers;
  for (int w = 0; w < 4; ++w) {
    workers.emplace_back([&, w] {
      for (;;) {
        const auto jobs = claim({.queues = {"q"},
                                 .worker = "w" + std::to_string(w),
                                 .now = kStart + seconds(10),
                                 .limit = 3});
        if (jobs.empty()) return;
        MutexLock lock(mutex);
        for (const Job& job : jobs) held.insert(job.id);
      }
    });
  }
  for (auto& worker : workers) worker.join();

  EXPECT_EQ(held.size(), size_t{kJobs});
  EXPECT_EQ(std::set<int64_t>(held.begin(), held.end()).size(), size_t{kJobs});
}

TEST_P(StoreConformance, FinishedJobsAreSweptInPortions) {
  const auto access = admin();
  for (int i = 0; i < 5; ++i) {
    const auto id = enqueue({.queue = "q"});
    claim({.queues = {"q"}, .worker = "w", .now = kStart + seconds(9)});
    ASSERT_TRUE(write([&](WriteTxn& txn) {
      return txn.finish_job(
          access, {.space = kDefaultSpace, .id = id, .worker = "w", .now = kStart + seconds(i)});
    }));
  }
  enqueue({.queue = "q"});
  const auto sweep = [&](Timestamp before, size_t limit) {
    return *write_returning<size_t>(
        store(), call(), [&](WriteTxn& txn) { return txn.sweep_jobs(access, before, limit); });
  };

  EXPECT_EQ(sweep(kStart + seconds(3), 2), 2u);
  EXPECT_EQ(sweep(kStart + seconds(3), 9), 1u);
  EXPECT_EQ(sweep(kStart + seconds(3), 9), 0u);
  EXPECT_EQ(read()->jobs(engine(), "q", JobState::kDone, 10)->size(), 2u);
  EXPECT_EQ(read()->jobs(engine(), "q", JobState::kPending, 10)->size(), 1u);
}

}  // namespace
}  // namespace holdfast::storage
