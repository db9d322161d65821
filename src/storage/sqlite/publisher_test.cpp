#include "storage/sqlite/publisher.h"

#include <future>
#include <stdexcept>

#include <gtest/gtest.h>

namespace holdfast::storage::sqlite {
namespace {

// A change at this position, made by the first `writes` of the batch.
void add_portion(Effects& effects, JournalPosition position, size_t writes) {
  Portion& portion = effects.portions.emplace_back();
  portion.changes.push_back({.entry = {.position = position}});
  portion.writes = writes;
}

Effects effects_at(JournalPosition position) {
  Effects effects;
  add_portion(effects, position, 1);
  return effects;
}

// Stops inside on_commit until it is let go, and keeps what it was told.
class SlowListener : public CommitListener {
 public:
  void on_commit(const std::vector<Change>& changes) override {
    if (changes.front().entry.position >= stops_at) {
      begun_ = true;
      begun_.notify_all();
      let_go_.wait(false);
    }
    for (const Change& change : changes) seen.push_back(change.entry.position);
  }
  void on_jobs() override { ++jobs; }

  void await_begun() { begun_.wait(false); }
  void let_go() {
    let_go_ = true;
    let_go_.notify_all();
  }

  JournalPosition stops_at = 0;       // or later
  std::vector<JournalPosition> seen;  // read when nobody is told
  int jobs = 0;

 private:
  std::atomic<bool> begun_ = false;
  std::atomic<bool> let_go_ = false;
};

class PublisherTest : public testing::Test {
 protected:
  std::shared_ptr<WriteBatch> tell_meanwhile(JournalPosition position) {
    auto batch = std::make_shared<WriteBatch>();
    publisher_.tell_meanwhile(effects_at(position), batch);
    return batch;
  }
  static bool is_answered(const WriteBatch& batch, size_t place = 0) {
    return batch.answered.wait_until(place, std::chrono::steady_clock::now());
  }
  static void await(const WriteBatch& batch, size_t place = 0) {
    ASSERT_TRUE(batch.answered.wait_until(place, kNoDeadline));
  }
  // Something that must not happen yet is given a moment to happen.
  template <typename T>
  static bool is_done(const std::future<T>& future) {
    return future.wait_for(std::chrono::milliseconds(20)) == std::future_status::ready;
  }

  SlowListener listener_;
  Publisher publisher_;
};

// Keeps what it was asked to expect, and may stop inside.
class ExpectingListener : public SlowListener {
 public:
  void expect(std::span<const Change> changes) override {
    asked_ = true;
    asked_.notify_all();
    go_on_.wait(false);
    for (const Change& change : changes) expected.push_back(change.entry.position);
  }
  void forget_expected() override { ++forgotten; }

  void await_asked() { asked_.wait(false); }
  void go_on() {
    go_on_ = true;
    go_on_.notify_all();
  }

  std::vector<JournalPosition> expected;  // read when nobody is asked
  int forgotten = 0;

 private:
  std::atomic<bool> asked_ = false;
  std::atomic<bool> go_on_ = false;
};

TEST_F(PublisherTest, TheWriterGoesOnAndTheBatchIsAnsweredWhenListenersKnow) {
  publisher_.add(listener_);
  const auto batch = tell_meanwhile(1);
  listener_.await_begun();
  EXPECT_TRUE(publisher_.has_listeners()) << "asking does not wait for a listener";
  EXPECT_FALSE(is_answered(*batch));
  listener_.let_go();
  await(*batch);
  EXPECT_EQ(listener_.seen, std::vector<JournalPosition>({1}));
}

TEST_F(PublisherTest, WritesAreAnsweredWhenListenersKnowTheirPortion) {
  publisher_.add(listener_);
  listener_.stops_at = 2;
  Effects effects = effects_at(1);
  add_portion(effects, 2, 3);
  const auto batch = std::make_shared<WriteBatch>();
  publisher_.tell_meanwhile(std::move(effects), batch);

  await(*batch, 0);
  listener_.await_begun();
  EXPECT_FALSE(is_answered(*batch, 1));
  EXPECT_FALSE(is_answered(*batch, 2));
  listener_.let_go();
  await(*batch, 1);
  await(*batch, 2);
  EXPECT_EQ(listener_.seen, std::vector<JournalPosition>({1, 2}));
}

TEST_F(PublisherTest, WhatIsToldHereWaitsForWhatWasBefore) {
  publisher_.add(listener_);
  const auto batch = tell_meanwhile(1);
  listener_.await_begun();
  auto later = std::async(std::launch::async, [&] {
    publisher_.tell(effects_at(2));
    return is_answered(*batch) ? 0 : static_cast<int>(listener_.seen.size());
  });
  EXPECT_FALSE(is_done(later));
  listener_.let_go();
  later.wait();
  EXPECT_EQ(listener_.seen, std::vector<JournalPosition>({1, 2}));
}

TEST_F(PublisherTest, ABatchThatChangedNothingIsNotAnsweredBeforeThoseBefore) {
  publisher_.add(listener_);
  const auto batch = tell_meanwhile(1);
  listener_.await_begun();
  auto later = std::async(std::launch::async, [&] { publisher_.tell({}); });
  EXPECT_FALSE(is_done(later));
  listener_.let_go();
  later.wait();
  EXPECT_EQ(listener_.seen, std::vector<JournalPosition>({1}));
}

TEST_F(PublisherTest, OneBatchIsOnItsWayAtATime) {
  publisher_.add(listener_);
  const auto first = tell_meanwhile(1);
  listener_.await_begun();
  auto second = std::async(std::launch::async, [&] { return tell_meanwhile(2); });
  EXPECT_FALSE(is_done(second));
  listener_.let_go();
  await(*second.get());
  EXPECT_TRUE(is_answered(*first));
  EXPECT_EQ(listener_.seen, std::vector<JournalPosition>({1, 2}));
}

TEST_F(PublisherTest, ListenersHearEverythingInOrder) {
  constexpr JournalPosition kLast = 2000;
  publisher_.add(listener_);
  listener_.let_go();
  std::shared_ptr<WriteBatch> last;
  for (JournalPosition position = 1; position <= kLast; ++position) {
    if (position % 3 == 0) {
      publisher_.tell(effects_at(position));
    } else {
      last = tell_meanwhile(position);
    }
  }
  await(*last);
  publisher_.close();
  ASSERT_EQ(listener_.seen.size(), size_t{kLast});
  for (JournalPosition position = 1; position <= kLast; ++position)
    EXPECT_EQ(listener_.seen[static_cast<size_t>(position - 1)], position);
}

TEST_F(PublisherTest, RemovingWaitsForACallUnderWayAndThereIsNoneAfterIt) {
  SlowListener other;
  other.let_go();
  publisher_.add(listener_);
  publisher_.add(other);
  const auto batch = tell_meanwhile(1);
  listener_.await_begun();
  auto removal = std::async(std::launch::async, [&] { publisher_.remove(listener_); });
  EXPECT_FALSE(is_done(removal));
  listener_.let_go();
  removal.wait();
  const std::vector<JournalPosition> seen = listener_.seen;
  await(*tell_meanwhile(2));
  EXPECT_EQ(seen, std::vector<JournalPosition>({1}));
  EXPECT_EQ(listener_.seen, seen);
  EXPECT_EQ(other.seen, std::vector<JournalPosition>({1, 2}));
}

TEST_F(PublisherTest, ClosingFinishesWhatIsUnderWay) {
  publisher_.add(listener_);
  const auto batch = tell_meanwhile(1);
  listener_.await_begun();
  auto closing = std::async(std::launch::async, [&] { publisher_.close(); });
  EXPECT_FALSE(is_done(closing));
  listener_.let_go();
  closing.wait();
  EXPECT_TRUE(is_answered(*batch));
  EXPECT_EQ(listener_.seen, std::vector<JournalPosition>({1}));
}

TEST_F(PublisherTest, ListenersExpectWhileTheWriterGoesOn) {
  ExpectingListener expecting;
  expecting.let_go();
  publisher_.add(expecting);
  Effects effects = effects_at(1);
  const auto batch = std::make_shared<WriteBatch>();

  publisher_.expect(effects.portions.front().changes);
  expecting.await_asked();
  publisher_.tell_meanwhile(std::move(effects), batch);
  EXPECT_FALSE(is_answered(*batch));
  expecting.go_on();
  await(*batch);

  EXPECT_EQ(expecting.expected, std::vector<JournalPosition>({1}));
  EXPECT_EQ(expecting.seen, std::vector<JournalPosition>({1}));
  EXPECT_EQ(expecting.forgotten, 0);
}

TEST_F(PublisherTest, WhatWaitsToBeExpectedIsNotAskedForOnceItIsTold) {
  ExpectingListener expecting;
  expecting.let_go();
  publisher_.add(expecting);
  Effects effects = effects_at(1);
  add_portion(effects, 2, 2);
  const auto batch = std::make_shared<WriteBatch>();

  for (const Portion& portion : effects.portions) publisher_.expect(portion.changes);
  expecting.await_asked();
  publisher_.tell_meanwhile(std::move(effects), batch);
  expecting.go_on();
  await(*batch, 1);

  EXPECT_EQ(expecting.expected, std::vector<JournalPosition>({1}));
  EXPECT_EQ(expecting.seen, std::vector<JournalPosition>({1, 2}));
}

// Whoever calls frees the changes next.
TEST_F(PublisherTest, TellingHereAndForgettingWaitForListenersThatAreAsked) {
  ExpectingListener expecting;
  expecting.let_go();
  publisher_.add(expecting);
  const Effects effects = effects_at(1);

  publisher_.expect(effects.portions.front().changes);
  expecting.await_asked();
  auto telling = std::async(std::launch::async, [&] { publisher_.tell(effects); });
  auto forgetting = std::async(std::launch::async, [&] { publisher_.forget_expected(); });
  EXPECT_FALSE(is_done(telling));
  EXPECT_FALSE(is_done(forgetting));
  expecting.go_on();
  telling.wait();
  forgetting.wait();

  EXPECT_EQ(expecting.seen, std::vector<JournalPosition>({1}));
  EXPECT_EQ(expecting.forgotten, 1);
}

TEST_F(PublisherTest, JobsAreToldAfterChanges) {
  publisher_.add(listener_);
  listener_.let_go();
  Effects effects = effects_at(1);
  effects.jobs = true;
  const auto batch = std::make_shared<WriteBatch>();
  publisher_.tell_meanwhile(std::move(effects), batch);
  await(*batch);
  EXPECT_EQ(listener_.jobs, 1);
}

TEST(PublisherDeathTest, AListenerThatThrowsEndsTheProcess) {
  class Throwing : public CommitListener {
    void on_commit(const std::vector<Change>&) override { throw std::runtime_error("broken"); }
  };
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        Throwing listener;
        Publisher publisher;
        publisher.add(listener);
        const auto batch = std::make_shared<WriteBatch>();
        publisher.tell_meanwhile(effects_at(1), batch);
        static_cast<void>(batch->answered.wait_until(0, kNoDeadline));
      },
      "broken");
}

}  // namespace
}  // namespace holdfast::storage::sqlite
