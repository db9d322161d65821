#include "base/turns.h"

#include <deque>
#include <semaphore>
#include <thread>

#include <gtest/gtest.h>

namespace holdfast {
namespace {

// A source of the steps it was made with, one after the other.
Turns::Next source_of(std::deque<Turns::Step>& steps) {
  return [&steps]() -> Turns::Step {
    if (steps.empty()) return {.ended = true};
    Turns::Step step = std::move(steps.front());
    steps.pop_front();
    return step;
  };
}

TEST(TurnsTest, TheSourceGoesOnWhileWorkIsDone) {
  std::binary_semaphore reached_the_second{0};
  std::deque<Turns::Step> steps;
  steps.push_back({.work = [&] { reached_the_second.acquire(); }});
  steps.push_back({});
  steps.push_back({.work = [&] { reached_the_second.release(); }});
  Turns turns(8, source_of(steps));
  turns.run();
  EXPECT_TRUE(steps.empty());
}

TEST(TurnsTest, TheThreadThatTookWorkDoesIt) {
  std::thread::id taker;
  std::thread::id doer;
  int asked = 0;
  {
    Turns turns(4, [&]() -> Turns::Step {
      if (++asked > 1) return {.ended = true};
      taker = std::this_thread::get_id();
      return {.work = [&] { doer = std::this_thread::get_id(); }};
    });
    turns.run();
  }
  EXPECT_EQ(taker, doer);
  EXPECT_NE(doer, std::this_thread::get_id());
}

TEST(TurnsTest, WorkWaitsWhenEveryThreadIsBusyAndTheSourceDoesNot) {
  constexpr int kWorks = 20;
  std::counting_semaphore<kWorks> may_end{0};
  std::atomic<int> done = 0;
  std::atomic<int> at_once = 0;
  std::atomic<int> most_at_once = 0;
  std::deque<Turns::Step> steps;
  for (int i = 0; i < kWorks; ++i) {
    steps.push_back({.work = [&] {
      const int now = ++at_once;
      int most = most_at_once.load();
      while (most < now && !most_at_once.compare_exchange_weak(most, now)) {
      }
      may_end.acquire();
      --at_once;
      ++done;
    }});
  }
  {
    Turns turns(3, source_of(steps));
    turns.run();  // ends although nothing was done yet
    EXPECT_EQ(done.load(), 0);
    may_end.release(kWorks);
  }
  EXPECT_EQ(done.load(), kWorks);
  EXPECT_LE(most_at_once.load(), 3);
}

}  // namespace
}  // namespace holdfast
