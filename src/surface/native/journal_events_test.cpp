#include "surface/native/journal_events.h"

#include <gtest/gtest.h>

#include "service/native/memory_fixture.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::surface::native {
namespace {

using http::EventSource;
using service::MemoryFixture;

std::unique_ptr<storage::Store> open_store(const std::string& folder, const Clock& clock) {
  return std::move(*storage::open_sqlite_store({.path = folder + "/store.db", .clock = clock}));
}

class JournalEventsTest : public ::testing::Test {
 protected:
  JournalEvents events(const CallContext& call) {
    return {call, 0, [this] { return allowed_; }, memory_.objects, hub_};
  }

  bool allowed_ = true;
  ManualClock clock_{from_micros(1'800'000'000'000'000)};
  MemoryFixture memory_{::testing::UnitTest::GetInstance()->current_test_info()->name(), clock_,
                        open_store};
  service::EventHub hub_;
};

TEST_F(JournalEventsTest, AStreamOutlivesTheDeadlineOfTheCallThatBeganIt) {
  CallContext call = MemoryFixture::owner();
  ASSERT_TRUE(memory_.memories.remember(call, {.id = "m", .text = "one"}).has_value());
  call.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  JournalEvents stream = events(call);

  std::vector<http::Event> out;
  const auto pulled = stream.pull(out);

  EXPECT_EQ(pulled, EventSource::Pull::kWait);
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].event, "created");
}

TEST_F(JournalEventsTest, WhatTheReaderMayNotSeeIsPassedOnce) {
  const CallContext bob = MemoryFixture::as("bob");
  ASSERT_TRUE(memory_.memories
                  .remember(MemoryFixture::as("ann"),
                            {.id = "a", .text = "one", .visibility = service::Audience::kPrivate})
                  .has_value());
  const auto page = memory_.objects.journal(bob, {.after = 0});
  ASSERT_TRUE(page.has_value());
  EXPECT_TRUE(page->entries.empty());
  EXPECT_EQ(page->position, 1) << "so that the next page begins behind it";
  JournalEvents stream = events(bob);
  std::vector<http::Event> out;
  ASSERT_EQ(stream.pull(out), EventSource::Pull::kWait);

  ASSERT_TRUE(memory_.memories.remember(bob, {.id = "b", .text = "two"}).has_value());

  ASSERT_EQ(stream.pull(out), EventSource::Pull::kWait);
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].id, "2");
}

TEST_F(JournalEventsTest, ACallerWhoMayNoLongerReadGetsNothingMore) {
  const CallContext call = MemoryFixture::owner();
  ASSERT_TRUE(memory_.memories.remember(call, {.id = "m", .text = "one"}).has_value());
  JournalEvents stream = events(call);
  allowed_ = false;

  std::vector<http::Event> out;

  EXPECT_EQ(stream.pull(out), EventSource::Pull::kEnd);
  EXPECT_TRUE(out.empty());
}

}  // namespace
}  // namespace holdfast::surface::native
