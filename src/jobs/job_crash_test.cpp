// Killing the process at any moment loses no effect of a job and doubles none.
#include <filesystem>
#include <sys/wait.h>

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "jobs/job_runner.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::jobs {
namespace {

using storage::Job;
using storage::WriteClosure;
using storage::WriteTxn;

constexpr int kJobs = 400;
constexpr int kKills = 6;

std::unique_ptr<storage::Store> open_store(const std::filesystem::path& folder,
                                           const Clock& clock) {
  auto store = storage::open_sqlite_store({.path = (folder / "h.db").string(), .clock = clock});
  if (!store) abort();
  return std::move(*store);
}

// Every job adds one to a counter and makes one object that must not exist yet: a lost effect
// leaves the counter low, a doubled one leaves it high.
Handler counting_handler(const access::Gatekeeper& gatekeeper) {
  return {.queue = "q",
          .max_attempts = 1000,
          .backoff_base = std::chrono::milliseconds(1),
          .run = [&gatekeeper](const Job& job) -> Result<WriteClosure> {
            const auto access = gatekeeper.engine_access(job.space);
            return WriteClosure([access, id = job.payload](WriteTxn& txn) -> Status {
              HOLDFAST_CHECK_OK(txn.put(access, {.key = {"effect", id}, .expected = 0}));
              HOLDFAST_CHECK_OK(txn.count(access, {"total", "t"}, "done", 1));
              return {};
            });
          }};
}

[[noreturn]] void work_until_killed(const std::filesystem::path& folder, int ready) {
  log::configure(log::Format::kText, log::Level::kOff);
  SystemClock clock;
  const auto store = open_store(folder, clock);
  const access::Gatekeeper gatekeeper(*store, true);
  JobRunner runner(*store, gatekeeper, clock);
  runner.add(counting_handler(gatekeeper));
  if (!runner.start()) abort();
  while (runner.counts().succeeded < 3) std::this_thread::yield();
  if (write(ready, "r", 1) != 1) abort();
  for (;;) pause();
}

TEST(JobCrashTest, NoEffectIsLostOrDoubled) {
  log::configure(log::Format::kText, log::Level::kOff);
  std::string name = (std::filesystem::temp_directory_path() / "holdfast_crash_XXXXXX").string();
  const std::filesystem::path folder = mkdtemp(name.data());
  SystemClock clock;
  {
    const auto store = open_store(folder, clock);
    const auto access = access::Gatekeeper(*store, true).engine_access(kDefaultSpace);
    ASSERT_TRUE(store->write({}, [&](WriteTxn& txn) -> Status {
      HOLDFAST_CHECK_OK(txn.put(access, {.key = {"total", "t"}}));
      for (int i = 0; i < kJobs; ++i) {
        HOLDFAST_CHECK_OK(txn.enqueue(
            access, {.queue = "q", .payload = std::to_string(i), .max_attempts = 1000}));
      }
      return {};
    }));
  }

  for (int kill_number = 0; kill_number < kKills; ++kill_number) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) work_until_killed(folder, ready[1]);
    close(ready[1]);
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    usleep(static_cast<useconds_t>(kill_number * 3000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    close(ready[0]);
  }

  const auto store = open_store(folder, clock);
  const access::Gatekeeper gatekeeper(*store, true);
  {
    JobRunner runner(*store, gatekeeper, clock);
    runner.add(counting_handler(gatekeeper));
    ASSERT_TRUE(runner.start());
    ASSERT_TRUE(runner.drain(std::chrono::steady_clock::now() + std::chrono::seconds(120)));
  }
  const auto access = gatekeeper.engine_access(kDefaultSpace);
  const auto txn = *store->begin_read(kNoDeadline);
  EXPECT_EQ(txn->facets(access, {"total", "t"})->front().number, kJobs);
  EXPECT_EQ(txn->scan(access, {.kind = "effect", .limit = 1000})->objects.size(), size_t{kJobs});
  EXPECT_TRUE(txn->jobs(access, "q", storage::JobState::kFailed, 10)->empty());
  EXPECT_TRUE(store->check()->empty());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace holdfast::jobs
