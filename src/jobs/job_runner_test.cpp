#include "jobs/job_runner.h"

#include <filesystem>
#include <stdexcept>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "base/log.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::jobs {
namespace {

using std::chrono::seconds;
using storage::Job;
using storage::JobState;
using storage::WriteClosure;
using storage::WriteTxn;

constexpr Timestamp kStart = from_micros(1'700'000'000'000'000);

class JobRunnerTest : public testing::Test {
 protected:
  JobRunnerTest() {
    log::configure(log::Format::kText, log::Level::kOff);
    std::string name = (std::filesystem::temp_directory_path() / "holdfast_jobs_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    store_ = std::move(
        *storage::open_sqlite_store({.path = (folder_ / "h.db").string(), .clock = clock_}));
    gatekeeper_.emplace(*store_, true);
  }
  ~JobRunnerTest() override {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }

  void enqueue(const Job& job) {
    const auto access = gatekeeper_->engine_access(kDefaultSpace);
    EXPECT_TRUE(store_->write({}, [&](WriteTxn& txn) -> Status {
      HOLDFAST_CHECK_OK(txn.enqueue(access, job));
      return {};
    }));
  }

  // A handler's effect: an object named after the job.
  Result<WriteClosure> store_note(const Job& job) {
    const auto access = gatekeeper_->engine_access(job.space);
    return WriteClosure([access, id = job.payload](WriteTxn& txn) -> Status {
      HOLDFAST_CHECK_OK(txn.put(access, {.key = {"note", id}, .expected = 0}));
      return {};
    });
  }

  bool stored(const std::string& id) {
    return (*store_->begin_read(kNoDeadline))
        ->get(gatekeeper_->engine_access(kDefaultSpace), {"note", id})
        .has_value();
  }
  std::vector<Job> jobs(JobState state) {
    return *(*store_->begin_read(kNoDeadline))
                ->jobs(gatekeeper_->engine_access(kDefaultSpace), "", state, 1000);
  }
  static Deadline soon() { return std::chrono::steady_clock::now() + seconds(30); }

  ManualClock clock_{kStart};
  std::filesystem::path folder_;
  std::unique_ptr<storage::Store> store_;
  std::optional<access::Gatekeeper> gatekeeper_;
};

TEST_F(JobRunnerTest, CommitsTheEffectWithTheEndOfTheJob) {
  JobRunner runner(*store_, *gatekeeper_, clock_);
  runner.add({.queue = "q", .run = [&](const Job& job) { return store_note(job); }});
  ASSERT_TRUE(runner.start());

  for (int i = 0; i < 20; ++i) enqueue({.queue = "q", .payload = std::to_string(i)});
  ASSERT_TRUE(runner.drain(soon()));

  for (int i = 0; i < 20; ++i) EXPECT_TRUE(stored(std::to_string(i)));
  EXPECT_EQ(jobs(JobState::kDone).size(), 20u);
  EXPECT_EQ(runner.counts().succeeded, 20);
  EXPECT_EQ(runner.counts().running, 0);
}

TEST_F(JobRunnerTest, RunsJobsThatWereWaitingBeforeItStarted) {
  enqueue({.queue = "q", .payload = "early"});
  JobRunner runner(*store_, *gatekeeper_, clock_);
  runner.add({.queue = "q", .run = [&](const Job& job) { return store_note(job); }});

  ASSERT_TRUE(runner.start());
  ASSERT_TRUE(runner.drain(soon()));

  EXPECT_TRUE(stored("early"));
}

TEST_F(JobRunnerTest, ReleasesWhatAnEarlierProcessHadClaimed) {
  enqueue({.queue = "q", .payload = "left"});
  const auto admin = gatekeeper_->engine_admin();
  ASSERT_TRUE(store_->write({}, [&](WriteTxn& txn) -> Status {
    HOLDFAST_CHECK_OK(txn.claim_jobs(admin, {.queues = {"q"}, .worker = "dead", .now = txn.now()}));
    return {};
  }));
  JobRunner runner(*store_, *gatekeeper_, clock_);
  runner.add({.queue = "q", .run = [&](const Job& job) { return store_note(job); }});

  ASSERT_TRUE(runner.start());
  ASSERT_TRUE(runner.drain(soon()));

  EXPECT_TRUE(stored("left"));
}

TEST_F(JobRunnerTest, RetriesWithGrowingPauses) {
  std::atomic<int> attempts = 0;
  JobRunner runner(*store_, *gatekeeper_, clock_);
  runner.add({.queue = "q",
              .max_attempts = 4,
              .backoff_base = seconds(10),
              .backoff_cap = seconds(25),
              .run = [&](const Job&) -> Result<WriteClosure> {
                ++attempts;
                return unavailable("not yet");
              }});
  ASSERT_TRUE(runner.start());

  enqueue({.queue = "q", .max_attempts = 9});
  ASSERT_TRUE(runner.drain(soon()));
  EXPECT_EQ(attempts, 1);
  clock_.advance(seconds(9));
  ASSERT_TRUE(runner.drain(soon()));
  EXPECT_EQ(attempts, 1) << "10 seconds have not passed";
  clock_.advance(seconds(2));
  ASSERT_TRUE(runner.drain(soon()));
  EXPECT_EQ(attempts, 2);
  clock_.advance(seconds(21));
  ASSERT_TRUE(runner.drain(soon()));
  EXPECT_EQ(attempts, 3);
  clock_.advance(seconds(26));
  ASSERT_TRUE(runner.drain(soon()));

  EXPECT_EQ(attempts, 4);
  const auto failed = jobs(JobState::kFailed);
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].failure_category, "unavailable");
  EXPECT_EQ(failed[0].error, "not yet");
  EXPECT_EQ(runner.counts().retried, 3);
  EXPECT_EQ(runner.counts().failed, 1);
}

TEST_F(JobRunnerTest, DoesNotRepeatWhatRepeatingCannotHelp) {
  JobRunner runner(*store_, *gatekeeper_, clock_);
  runner.add({.queue = "q", .run = [](const Job&) -> Result<WriteClosure> {
                Error error = invalid_argument("no such model");
                error.reason = "bad_model";
                return error;
              }});
  ASSERT_TRUE(runner.start());

  enqueue({.queue = "q"});
  ASSERT_TRUE(runner.drain(soon()));

  ASSERT_EQ(jobs(JobState::kFailed).size(), 1u);
  EXPECT_EQ(jobs(JobState::kFailed)[0].failure_category, "bad_model");
}

TEST_F(JobRunnerTest, AnExceptionIsAFailedAttempt) {
  JobRunner runner(*store_, *gatekeeper_, clock_);
  runner.add({.queue = "q", .max_attempts = 1, .run = [](const Job&) -> Result<WriteClosure> {
                throw std::runtime_error("boom");
              }});
  ASSERT_TRUE(runner.start());

  enqueue({.queue = "q"});
  ASSERT_TRUE(runner.drain(soon()));

  ASSERT_EQ(jobs(JobState::kFailed).size(), 1u);
  EXPECT_NE(jobs(JobState::kFailed)[0].error.find("boom"), std::string::npos);
}

TEST_F(JobRunnerTest, AFailingEffectIsUndoneAndRetried) {
  std::atomic<int> attempts = 0;
  const auto access = gatekeeper_->engine_access(kDefaultSpace);
  JobRunner runner(*store_, *gatekeeper_, clock_);
  runner.add({.queue = "q", .run = [&](const Job&) -> Result<WriteClosure> {
                const bool first = ++attempts == 1;
                return WriteClosure([=](WriteTxn& txn) -> Status {
                  HOLDFAST_CHECK_OK(txn.put(access, {.key = {"note", first ? "wrong" : "right"}}));
                  if (first) return conflict("raced", "again");
                  return {};
                });
              }});
  ASSERT_TRUE(runner.start());

  enqueue({.queue = "q"});
  ASSERT_TRUE(runner.drain(soon()));
  clock_.advance(seconds(5));
  ASSERT_TRUE(runner.drain(soon()));

  EXPECT_FALSE(stored("wrong"));
  EXPECT_TRUE(stored("right"));
}

TEST_F(JobRunnerTest, DropsTheEffectOfAnAttemptThatLostItsLease) {
  const auto admin = gatekeeper_->engine_admin();
  JobRunner runner(*store_, *gatekeeper_, clock_, {.workers = 1});
  runner.add({.queue = "q", .lease = seconds(10), .max_attempts = 1, .run = [&](const Job& job) {
                // Somebody else takes the job over while this attempt is still at work.
                EXPECT_TRUE(store_->write({}, [&](WriteTxn& txn) -> Status {
                  HOLDFAST_CHECK_OK(txn.claim_jobs(
                      admin, {.queues = {"q"}, .worker = "other", .now = txn.now() + seconds(11)}));
                  return {};
                }));
                return store_note(job);
              }});
  ASSERT_TRUE(runner.start());

  enqueue({.queue = "q", .payload = "doubled"});
  ASSERT_TRUE(runner.drain(soon()));

  EXPECT_FALSE(stored("doubled"));
  EXPECT_EQ(runner.counts().lease_lost, 1);
}

TEST_F(JobRunnerTest, JobsTakenTogetherAreOneCommitInTheirOrder) {
  std::vector<std::string> order;
  for (const char* id : {"a", "b", "c", "bad", "d"}) enqueue({.queue = "q", .payload = id});
  JobRunner runner(*store_, *gatekeeper_, clock_);
  runner.add({.queue = "q",
              .max_attempts = 1,
              .run_many = [&](const std::vector<Job>& jobs) -> Result<WriteClosure> {
                for (const Job& job : jobs) {
                  if (job.payload == "bad") return internal_error("cannot");
                }
                for (const Job& job : jobs) order.push_back(job.payload);
                return store_note(jobs.front());
              },
              .most_at_once = 3,
              .serial = true});
  ASSERT_TRUE(runner.start());
  ASSERT_TRUE(runner.drain(std::chrono::steady_clock::now() + seconds(10)));

  EXPECT_EQ(order, (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_TRUE(stored("a"));
  EXPECT_FALSE(stored("b")) << "one effect for the three of them";
  EXPECT_EQ(jobs(JobState::kDone).size(), 4U);
  EXPECT_EQ(jobs(JobState::kFailed).size(), 1U) << "the bad one alone";
}

TEST_F(JobRunnerTest, WaitsForAFutureJobUntilTheClockGetsThere) {
  JobRunner runner(*store_, *gatekeeper_, clock_);
  runner.add({.queue = "q", .run = [&](const Job& job) { return store_note(job); }});
  ASSERT_TRUE(runner.start());
  enqueue({.queue = "q", .payload = "later", .run_at = kStart + seconds(100)});
  ASSERT_TRUE(runner.drain(soon()));
  EXPECT_FALSE(stored("later"));

  clock_.advance(seconds(101));
  ASSERT_TRUE(runner.drain(soon()));

  EXPECT_TRUE(stored("later"));
}

TEST_F(JobRunnerTest, SweepsFinishedJobsAndExpiredAnswers) {
  const auto access = gatekeeper_->engine_access(kDefaultSpace);
  ASSERT_TRUE(store_->write({}, [&](WriteTxn& txn) {
    return txn.put_idempotency(access,
                               {.key = {"a", "b", "c"}, .expires_at = kStart + seconds(10)});
  }));
  JobRunner runner(*store_, *gatekeeper_, clock_, {.keep_finished = seconds(600)});
  runner.add({.queue = "q", .run = [&](const Job& job) { return store_note(job); }});
  ASSERT_TRUE(runner.start());
  enqueue({.queue = "q", .payload = "n"});
  ASSERT_TRUE(runner.drain(soon()));
  ASSERT_EQ(jobs(JobState::kDone).size(), 1u);

  clock_.advance(seconds(700));

  const auto until = soon();
  while (!jobs(JobState::kDone).empty() && std::chrono::steady_clock::now() < until)
    std::this_thread::yield();
  EXPECT_TRUE(jobs(JobState::kDone).empty());
}

TEST_F(JobRunnerTest, StoppingFinishesTheJobUnderWay) {
  std::atomic<bool> entered = false;
  std::atomic<bool> leave = false;
  JobRunner runner(*store_, *gatekeeper_, clock_, {.workers = 1});
  runner.add({.queue = "q", .run = [&](const Job& job) {
                entered = true;
                while (!leave) std::this_thread::yield();
                return store_note(job);
              }});
  ASSERT_TRUE(runner.start());
  enqueue({.queue = "q", .payload = "under way"});
  while (!entered) std::this_thread::yield();

  std::thread stopper([&] { runner.stop(); });
  leave = true;
  stopper.join();

  EXPECT_TRUE(stored("under way"));
  EXPECT_TRUE(jobs(JobState::kRunning).empty());
}

TEST(HandlerTest, BackOffDoublesUpToItsCap) {
  const Handler handler{.backoff_base = seconds(2), .backoff_cap = seconds(9)};

  EXPECT_EQ(backoff_after(handler, 1), seconds(2));
  EXPECT_EQ(backoff_after(handler, 2), seconds(4));
  EXPECT_EQ(backoff_after(handler, 3), seconds(8));
  EXPECT_EQ(backoff_after(handler, 4), seconds(9));
  EXPECT_EQ(backoff_after(handler, 40), seconds(9));
}

}  // namespace
}  // namespace holdfast::jobs
