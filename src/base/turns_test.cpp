#include "base/turns.h"

#include <deque>
#include <functional>
#include <semaphore>
#include <thread>

#include <gtest/gtest.h>

namespace holdfast {
namespace {

// A source of the steps it was made with, one after the other, and of those that are added.
class Steps : public Turns::Source {
 public:
  void add(Turns::Step step) {
    MutexLock lock(mutex_);
    steps_.push_back(std::move(step));
    changed_.notify_all();
  }
  void end() { add({.ended = true}); }
  // Of those that stood by, so far.
  int alerted() {
    MutexLock lock(mutex_);
    return alerted_;
  }
  bool is_empty() {
    MutexLock lock(mutex_);
    return steps_.empty();
  }
  // Waits until somebody stands by.
  void await_stand_by() {
    MutexLock lock(mutex_);
    while (!stands_by_) changed_.wait(lock);
  }

  Turns::Step next() override {
    MutexLock lock(mutex_);
    while (steps_.empty()) changed_.wait(lock);
    Turns::Step step = std::move(steps_.front());
    steps_.pop_front();
    return step;
  }
  void stand_by() override {
    MutexLock lock(mutex_);
    stands_by_ = true;
    changed_.notify_all();
    while (!woken_ && !(alert_ && !steps_.empty())) changed_.wait(lock);
    stands_by_ = woken_ = alert_ = false;
    ++alerted_;
  }
  void alert() override { set(alert_, true); }
  void relax() override { set(alert_, false); }
  void wake() override { set(woken_, true); }

 private:
  void set(bool& flag, bool value) {
    MutexLock lock(mutex_);
    flag = value;
    changed_.notify_all();
  }

  Mutex mutex_;
  CondVar changed_;
  std::deque<Turns::Step> steps_;
  bool alert_ = false;
  bool woken_ = false;
  bool stands_by_ = false;
  int alerted_ = 0;
};

// Work with nothing to tell.
Turns::Step work(std::function<void()> act, bool more = false) {
  return {.work =
              [act = std::move(act)] {
                act();
                return [] {};
              },
          .more = more};
}

TEST(TurnsTest, TheSourceGoesOnWhileWorkIsDone) {
  std::binary_semaphore reached_the_second{0};
  Steps steps;
  steps.add(work([&] { reached_the_second.acquire(); }));
  steps.add({});
  steps.add(work([&] { reached_the_second.release(); }));
  steps.end();
  Turns turns(8, steps);
  turns.run();
  EXPECT_TRUE(steps.is_empty());
}

TEST(TurnsTest, TheThreadThatTookWorkDoesIt) {
  class Once : public Steps {
   public:
    Turns::Step next() override {
      Turns::Step step = Steps::next();
      if (step.work) taker = std::this_thread::get_id();
      return step;
    }
    std::thread::id taker;
  };
  std::thread::id doer;
  Once steps;
  steps.add(work([&] { doer = std::this_thread::get_id(); }));
  steps.end();
  {
    Turns turns(4, steps);
    turns.run();
  }
  EXPECT_EQ(steps.taker, doer);
  EXPECT_NE(doer, std::this_thread::get_id());
}

// One at a time, as of a caller that waits for each answer.
TEST(TurnsTest, ShortWorkWakesNobody) {
  std::binary_semaphore answered{0};  // longer than the work that touches it
  Steps steps;
  std::thread caller([&] {
    steps.add(work([&] { answered.release(); }));
    answered.acquire();
    steps.await_stand_by();
    for (int i = 0; i < 100; ++i) {
      steps.add({.work = [&] { return [&] { answered.release(); }; }});
      answered.acquire();
    }
    EXPECT_EQ(steps.alerted(), 0);
    steps.end();
  });
  {
    Turns turns(8, steps);
    turns.run();
  }
  caller.join();
}

// The second work ends only if the third is taken meanwhile. `more`: that is there already.
void expect_third_is_taken(size_t threads, bool more) {
  std::binary_semaphore first{0};  // both longer than the work that touches them
  std::binary_semaphore second{0};
  Steps steps;
  std::thread caller([&] {
    steps.add(work([&] { first.release(); }));
    first.acquire();
    steps.await_stand_by();
    steps.add(work([&] { second.acquire(); }, more));
    steps.add(work([&] { second.release(); }));
    steps.end();
  });
  {
    Turns turns(threads, steps);
    turns.run();
  }
  caller.join();
  EXPECT_TRUE(steps.is_empty());
}

TEST(TurnsTest, WhoStandsByTakesWhatComesDuringLongWork) { expect_third_is_taken(8, false); }

TEST(TurnsTest, WhatIsThereAlreadyIsTakenAtOnce) { expect_third_is_taken(2, true); }

TEST(TurnsTest, WorkWaitsWhenEveryThreadIsBusyAndTheSourceDoesNot) {
  constexpr int kWorks = 20;
  std::counting_semaphore<kWorks> may_end{0};
  std::atomic<int> done = 0;
  std::atomic<int> at_once = 0;
  std::atomic<int> most_at_once = 0;
  Steps steps;
  for (int i = 0; i < kWorks; ++i) {
    steps.add(work([&] {
      const int now = ++at_once;
      int most = most_at_once.load();
      while (most < now && !most_at_once.compare_exchange_weak(most, now)) {
      }
      may_end.acquire();
      --at_once;
      ++done;
    }));
  }
  steps.end();
  {
    Turns turns(3, steps);
    turns.run();  // ends although nothing was done yet
    EXPECT_EQ(done.load(), 0);
    may_end.release(kWorks);
  }
  EXPECT_EQ(done.load(), kWorks);
  EXPECT_LE(most_at_once.load(), 3);
}

}  // namespace
}  // namespace holdfast
