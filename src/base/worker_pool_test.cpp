#include "base/worker_pool.h"

#include <atomic>
#include <future>

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(WorkerPoolTest, RunsEveryJob) {
  std::atomic<int> done = 0;
  {
    WorkerPool pool(4, 10'000);
    for (int i = 0; i < 5000; ++i) ASSERT_TRUE(pool.push([&done] { ++done; }));
    pool.stop();
    EXPECT_FALSE(pool.push([] {}));
  }

  EXPECT_EQ(done, 5000);
}

TEST(WorkerPoolTest, RefusesWhatItCannotKeep) {
  std::promise<void> release;
  const std::shared_future<void> released = release.get_future().share();
  WorkerPool pool(1, 2);
  std::promise<void> began;
  ASSERT_TRUE(pool.push([&began, released] {
    began.set_value();
    released.wait();
  }));
  began.get_future().wait();

  EXPECT_TRUE(pool.push([] {}));
  EXPECT_TRUE(pool.push([] {}));
  EXPECT_FALSE(pool.push([] {}));
  EXPECT_TRUE(pool.push_always([] {}));
  EXPECT_EQ(pool.waiting(), 3U);
  release.set_value();
}

}  // namespace
}  // namespace holdfast
