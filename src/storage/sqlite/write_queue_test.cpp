#include "storage/sqlite/write_queue.h"

#include <thread>

#include <gtest/gtest.h>

namespace holdfast::storage::sqlite {
namespace {

constexpr Gathering kLone;
constexpr Gathering kCrowd{.callers = 2, .at_most = std::chrono::milliseconds(1)};

// A writer that counts instead of writing, and complains when two threads write at once.
class WriteQueueTest : public testing::Test {
 protected:
  // What the writer's thread does with a batch, or a caller who is alone.
  bool write(WriteBatch& batch) {
    EXPECT_FALSE(writing_.exchange(true)) << "two threads write";
    for (WriteRequest& request : batch.requests) {
      if (request.take()) ++written_;
    }
    EXPECT_TRUE(writing_.exchange(false));
    return untidy_.load();
  }
  bool write_here(WriteBatch& batch) {
    ++written_here_;
    return write(batch);
  }
  Status submit() { return queue_.submit(call_, closure_); }
  // Runs the writer's thread until the queue is closed. It tidies up whatever next() returned.
  void serve(const Gathering& gathering) {
    while (!queue_.closed()) {
      if (const auto batch = queue_.next(kNoDeadline, gathering)) {
        write(*batch);
        batch->answered.set();
      }
      untidy_ = false;
      ++tidied_;
    }
  }
  // Waits until the writer's thread sleeps, so that a caller can be alone.
  void submit_until_alone() {
    while (written_here_ == 0) ASSERT_TRUE(submit());
  }

  const CallContext call_ = {};
  const WriteClosure closure_ = [](WriteTxn&) { return Status(); };
  std::atomic<bool> writing_ = false;
  std::atomic<bool> untidy_ = false;
  std::atomic<int> written_ = 0;
  std::atomic<int> written_here_ = 0;
  std::atomic<int> tidied_ = 0;
  WriteQueue queue_{1000, [this](WriteBatch& batch) { return write_here(batch); }};
};

TEST_F(WriteQueueTest, ACallerWhoIsAloneWritesItself) {
  std::thread writer([&] { serve(kLone); });
  submit_until_alone();
  const int before = written_here_;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(submit());
  EXPECT_EQ(written_here_, before + 100);
  queue_.close();
  writer.join();
}

TEST_F(WriteQueueTest, ACrowdLeavesItToTheWriter) {
  std::thread writer([&] { serve(kCrowd); });
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(submit());
  EXPECT_EQ(written_, 100);
  EXPECT_EQ(written_here_, 0);
  queue_.close();
  writer.join();
}

TEST_F(WriteQueueTest, CallersWhoAreAloneDoNotKeepTheWriterFromTidyingUp) {
  std::thread writer([&] { serve(kLone); });
  submit_until_alone();
  for (int i = 0; i < 100; ++i) {
    const int before = tidied_;
    untidy_ = true;
    while (tidied_ == before) ASSERT_TRUE(submit());
    EXPECT_FALSE(untidy_);
  }
  queue_.close();
  writer.join();
}

TEST_F(WriteQueueTest, EveryWriteHappensOnceAndOneAtATime) {
  constexpr int kCallers = 8;
  constexpr int kWrites = 2000;
  std::thread writer([&] { serve(kLone); });
  std::vector<std::thread> callers;
  for (int c = 0; c < kCallers; ++c) {
    callers.emplace_back([&, c] {
      for (int i = 0; i < kWrites; ++i) {
        EXPECT_TRUE(submit());
        if (i % (c + 2) == 0) std::this_thread::yield();
      }
    });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(written_, kCallers * kWrites);
  queue_.close();
  writer.join();
}

// Nobody serves the queue while they gather, so the batches are as full as they may be.
TEST_F(WriteQueueTest, WhatABatchHasNoRoomForGoesIntoTheNext) {
  constexpr Gathering kPairs{.callers = 2, .writes = 2};
  ASSERT_EQ(queue_.next(std::chrono::steady_clock::now(), kPairs), nullptr);
  std::vector<std::thread> callers;
  for (int c = 0; c < 5; ++c) callers.emplace_back([&] { EXPECT_TRUE(submit()); });
  while (queue_.waiting() < 5) std::this_thread::yield();
  std::vector<size_t> sizes;
  for (int i = 0; i < 3; ++i) {
    const auto batch = queue_.next(kNoDeadline, kPairs);
    sizes.push_back(batch->requests.size());
    write(*batch);
    batch->answered.set();
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(sizes, (std::vector<size_t>{2, 2, 1}));
  EXPECT_EQ(queue_.waiting(), 0U);
  EXPECT_EQ(written_, 5);
}

TEST_F(WriteQueueTest, TheLimitCountsEveryBatch) {
  constexpr Gathering kOne{.callers = 2, .writes = 1};
  WriteQueue queue(3, [](WriteBatch&) { return false; });
  ASSERT_EQ(queue.next(std::chrono::steady_clock::now(), kOne), nullptr);
  std::vector<std::thread> callers;
  for (int c = 0; c < 3; ++c) {
    callers.emplace_back([&] { EXPECT_TRUE(queue.submit(call_, closure_)); });
  }
  while (queue.waiting() < 3) std::this_thread::yield();
  const Status refused = queue.submit(call_, closure_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  for (int i = 0; i < 3; ++i) {
    const auto batch = queue.next(kNoDeadline, kOne);
    write(*batch);
    batch->answered.set();
  }
  for (auto& caller : callers) caller.join();
}

TEST_F(WriteQueueTest, ClosingWaitsForACallerWhoWrites) {
  std::atomic<bool> begun = false;
  std::atomic<bool> go_on = false;
  WriteQueue queue(10, [&](WriteBatch& batch) {
    begun = true;
    while (!go_on) std::this_thread::yield();
    return write(batch);
  });
  std::thread writer([&] {
    while (!queue.closed()) {
      if (const auto batch = queue.next(kNoDeadline, kLone)) {
        write(*batch);
        batch->answered.set();
      }
    }
    EXPECT_TRUE(go_on) << "the writer ended while a caller wrote";
  });
  std::thread caller([&] {
    while (!begun) EXPECT_TRUE(queue.submit(call_, closure_));
  });
  while (!begun) std::this_thread::yield();
  queue.close();
  EXPECT_FALSE(queue.submit(call_, closure_));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  go_on = true;
  caller.join();
  writer.join();
}

}  // namespace
}  // namespace holdfast::storage::sqlite
