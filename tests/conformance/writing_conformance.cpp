// Many callers, one writer: isolation, durability of answers, deadlines, closing.
#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>

#include "store_harness.h"

namespace holdfast::storage {
namespace {

TEST_P(StoreConformance, AFailedWriteLeavesNothing) {
  put_text("kept", "old");
  const auto access = engine();

  const auto failed = write([&](WriteTxn& txn) -> Status {
    HOLDFAST_CHECK_OK(txn.put(access, {.key = {"note", "n"}, .body = "new"}));
    HOLDFAST_CHECK_OK(txn.put(access, {.key = {"note", "kept"}, .body = "new"}));
    HOLDFAST_CHECK_OK(txn.enqueue(access, {.queue = "q"}));
    HOLDFAST_CHECK_OK(txn.erase(access, {"note", "kept"}, ""));
    return conflict("changed_my_mind", "No.");
  });

  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().reason, "changed_my_mind");
  EXPECT_EQ(code_of(get({"note", "n"})), ErrorCode::kNotFound);
  EXPECT_EQ(get({"note", "kept"})->body, "old");
  EXPECT_EQ(*read()->position(), 1);
  EXPECT_TRUE(read()->jobs(engine(), "q", JobState::kPending, 10)->empty());
  EXPECT_EQ(put_text("next", "x").number, 2);
}

TEST_P(StoreConformance, AClosureThatThrowsIsAnInternalErrorOfItsOwn) {
  const auto access = engine();

  const auto failed = write([&](WriteTxn& txn) -> Status {
    HOLDFAST_CHECK_OK(txn.put(access, {.key = {"note", "n"}}));
    throw std::runtime_error("oops");
  });

  EXPECT_EQ(code_of(failed), ErrorCode::kInternal);
  EXPECT_EQ(code_of(get({"note", "n"})), ErrorCode::kNotFound);
  put_text("n", "works");
}

TEST_P(StoreConformance, AWriteSeesItsOwnChanges) {
  const auto access = engine();

  ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
                HOLDFAST_CHECK_OK(txn.put(access, {.key = {"note", "n"}, .body = "b"}));
                EXPECT_EQ(txn.get(access, {"note", "n"})->body, "b");
                EXPECT_EQ(*txn.position(), 1);
                EXPECT_EQ(txn.scan(access, {})->objects.size(), 1u);
                return txn.remove(access, {"note", "n"}, "");
              }).has_value());
}

TEST_P(StoreConformance, AReaderKeepsTheStateItStartedWith) {
  put_text("n", "before");
  const auto txn = read();

  put_text("n", "after");
  put_text("m", "new");

  EXPECT_EQ(txn->get(engine(), {"note", "n"})->body, "before");
  EXPECT_EQ(code_of(txn->get(engine(), {"note", "m"})), ErrorCode::kNotFound);
  EXPECT_EQ(*txn->position(), 1);
  EXPECT_EQ(get({"note", "n"})->body, "after");
}

TEST_P(StoreConformance, FailuresAmongManyConcurrentWritesStayAlone) {
  constexpr int kThreads = 16;
  constexpr int kEach = 40;
  const auto access = engine();
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        const std::string id = std::to_string(t) + "." + std::to_string(i);
        const auto result = write([&](WriteTxn& txn) -> Status {
          HOLDFAST_CHECK_OK(txn.put(access, {.key = {"note", id}, .body = id}));
          if (i % 3 == 1) return conflict("third", "no");
          if (i % 3 == 2) throw std::runtime_error("no");
          return {};
        });
        if (result.has_value() != (i % 3 == 0)) ++wrong;
        const bool there = read()->get(access, {"note", id}).has_value();
        if (there != result.has_value()) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();

  EXPECT_EQ(wrong, 0);
  const auto all = *read()->scan(access, {.limit = 1000});
  EXPECT_EQ(all.objects.size(), size_t{kThreads} * 14);
  for (size_t i = 0; i < all.objects.size(); ++i) {
    EXPECT_EQ(all.objects[i].number, static_cast<ObjectNumber>(i + 1)) << "numbers have no holes";
  }
  EXPECT_EQ(*read()->position(), static_cast<JournalPosition>(all.objects.size()));
  EXPECT_TRUE(store().check()->empty());
}

TEST_P(StoreConformance, ConcurrentChangesOfOneObjectLoseNone) {
  put_text("n", "0");
  const auto access = engine();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 25; ++i) {
        EXPECT_TRUE(write([&](WriteTxn& txn) -> Status {
                      HOLDFAST_TRY(const Object now, txn.get(access, {"note", "n"}));
                      HOLDFAST_CHECK_OK(
                          txn.put(access, {.key = now.key,
                                           .body = std::to_string(std::stoi(now.body) + 1),
                                           .expected = now.revision}));
                      return {};
                    }).has_value());
      }
    });
  }
  for (auto& thread : threads) thread.join();

  EXPECT_EQ(get({"note", "n"})->body, "200");
  EXPECT_EQ(get({"note", "n"})->revision, 201);
}

TEST_P(StoreConformance, AWriteWhoseDeadlineHasPassedDoesNotRun) {
  CallContext late = call();
  late.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  bool ran = false;

  const auto result = store().write(late, [&](WriteTxn&) -> Status {
    ran = true;
    return {};
  });

  EXPECT_EQ(code_of(result), ErrorCode::kDeadlineExceeded);
  EXPECT_FALSE(ran);
}

TEST_P(StoreConformance, AWriteIsGivenUpWhenItsDeadlinePassesInTheQueue) {
  std::promise<void> entered;
  std::promise<void> leave;
  std::thread slow([&] {
    EXPECT_TRUE(write([&](WriteTxn&) -> Status {
                  entered.set_value();
                  leave.get_future().wait();
                  return {};
                }).has_value());
  });
  entered.get_future().wait();
  CallContext hasty = call();
  hasty.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  std::atomic<bool> ran = false;

  const auto result = store().write(hasty, [&](WriteTxn&) -> Status {
    ran = true;
    return {};
  });
  leave.set_value();
  slow.join();
  put_text("after", "x");

  EXPECT_EQ(code_of(result), ErrorCode::kDeadlineExceeded);
  EXPECT_FALSE(ran);
}

TEST_P(StoreConformance, AWriteInsideAWriteIsRefusedNotStuck) {
  Status inner;
  ASSERT_TRUE(write([&](WriteTxn&) -> Status {
                inner = write([](WriteTxn&) -> Status { return {}; });
                return {};
              }).has_value());

  EXPECT_EQ(code_of(inner), ErrorCode::kInternal);
}

TEST_P(StoreConformance, AClosedStoreKeepsItsDataAndRefusesCalls) {
  put_text("n", "kept");

  store().close();

  EXPECT_EQ(code_of(write([](WriteTxn&) -> Status { return {}; })), ErrorCode::kUnavailable);
  EXPECT_EQ(code_of(store().begin_read(kNoDeadline)), ErrorCode::kUnavailable);
  store().close();
  harness_->reopen();
  EXPECT_EQ(get({"note", "n"})->body, "kept");
}

TEST_P(StoreConformance, ClosingFinishesWhatIsQueued) {
  std::atomic<int> acknowledged = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0;; ++i) {
        const auto access = engine();
        const std::string id = std::to_string(t) + "." + std::to_string(i);
        const auto result = write([&](WriteTxn& txn) -> Status {
          HOLDFAST_CHECK_OK(txn.put(access, {.key = {"note", id}}));
          return {};
        });
        if (!result) return;
        ++acknowledged;
      }
    });
  }
  while (acknowledged < 50) std::this_thread::yield();
  store().close();
  for (auto& thread : threads) thread.join();

  harness_->reopen();

  EXPECT_EQ(*read()->position(), acknowledged);
}

}  // namespace
}  // namespace holdfast::storage
