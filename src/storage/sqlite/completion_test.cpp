#include "storage/sqlite/completion.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace holdfast::storage::sqlite {
namespace {

Deadline now() { return std::chrono::steady_clock::now(); }

TEST(CompletionTest, ThingsHappenInTheirOrder) {
  Completion completion;
  EXPECT_FALSE(completion.wait_until(0, now()));
  completion.set_first(2);
  EXPECT_TRUE(completion.wait_until(0, now()));
  EXPECT_TRUE(completion.wait_until(1, now()));
  EXPECT_FALSE(completion.wait_until(2, now()));
  completion.set();
  EXPECT_TRUE(completion.wait_until(1000, now()));
}

// More waiters than there are bits to tell them apart.
TEST(CompletionTest, EveryWaiterIsWokenHoweverManyThereAre) {
  constexpr size_t kWaiters = 80;
  Completion completion;
  std::atomic<size_t> woken = 0;
  std::vector<std::thread> waiters;
  for (size_t place = 0; place < kWaiters; ++place) {
    waiters.emplace_back([&, place] {
      if (completion.wait_until(place, kNoDeadline)) ++woken;
    });
  }
  for (size_t count = 1; count < kWaiters / 2; count += 3) completion.set_first(count);
  completion.set();
  for (std::thread& waiter : waiters) waiter.join();
  EXPECT_EQ(woken, kWaiters);
}

}  // namespace
}  // namespace holdfast::storage::sqlite
