// Who hears of a commit, in which order, and when its callers are answered.
#include <atomic>
#include <functional>
#include <thread>

#include <fmt/format.h>

#include "store_harness.h"

namespace holdfast::storage {
namespace {

class RecordingListener : public CommitListener {
 public:
  void on_commit(const std::vector<Change>& changes) override {
    for (const Change& change : changes) seen.push_back(change);
  }
  void on_jobs() override { ++jobs; }

  std::vector<Change> seen;
  int jobs = 0;
};

TEST_P(StoreConformance, ListenersSeeChangesInOrderBeforeTheCallerIsAnswered) {
  RecordingListener listener;
  store().add_listener(listener);
  const Projection projection{.facets = {Facet::of("tag", "x")}, .text = {.title = "T"}};

  const Object first = put({.key = {"note", "n"}, .body = "b", .projection = projection});

  ASSERT_EQ(listener.seen.size(), 1u);
  EXPECT_EQ(listener.seen[0].what, Change::What::kPut);
  EXPECT_EQ(listener.seen[0].space, kDefaultSpace);
  EXPECT_EQ(listener.seen[0].object, first);
  EXPECT_EQ(listener.seen[0].projection.text.title, "T");
  EXPECT_EQ(listener.seen[0].entry.position, first.position);

  put({.key = {"note", "n"}, .body = "b", .projection = projection});
  EXPECT_EQ(listener.seen.size(), 1u) << "nothing changed";
  put({.key = {"note", "n"}, .body = "b"});
  ASSERT_EQ(listener.seen.size(), 2u);
  EXPECT_EQ(listener.seen[1].entry.position, 0) << "facets were refreshed, the journal was not";

  remove({"note", "n"});
  ASSERT_EQ(listener.seen.size(), 3u);
  EXPECT_EQ(listener.seen[2].what, Change::What::kDeleted);
  EXPECT_EQ(listener.seen[2].object.number, first.number);
  EXPECT_EQ(listener.seen[2].object.body, "");
  erase({"note", "n"});
  ASSERT_EQ(listener.seen.size(), 4u);
  EXPECT_EQ(listener.seen[3].what, Change::What::kErased);
  EXPECT_EQ(listener.seen[3].object.number, first.number);

  EXPECT_EQ(listener.jobs, 0);
  enqueue({.queue = "q"});
  EXPECT_EQ(listener.jobs, 1);
}

TEST_P(StoreConformance, ListenersHearOfNothingThatFailed) {
  RecordingListener listener;
  store().add_listener(listener);
  const auto access = engine();

  EXPECT_FALSE(write([&](WriteTxn& txn) -> Status {
                 HOLDFAST_CHECK_OK(txn.put(access, {.key = {"note", "n"}}));
                 return conflict("", "no");
               }).has_value());
  const auto scope = admin();
  put({.key = {"note", "n"}}, "other");
  ASSERT_TRUE(write([&](WriteTxn& txn) { return txn.erase_space(scope, SpaceId{"other"}); }));

  ASSERT_EQ(listener.seen.size(), 2u);
  EXPECT_EQ(listener.seen[1].what, Change::What::kErased);
  EXPECT_EQ(listener.seen[1].space, SpaceId{"other"});
  EXPECT_EQ(listener.seen[1].object.key, ObjectKey{});
}

TEST_P(StoreConformance, ListenersHearConcurrentChangesInTheOrderOfTheJournal) {
  RecordingListener listener;
  store().add_listener(listener);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) put_text(std::to_string(t * 100 + i), "x");
    });
  }
  for (auto& thread : threads) thread.join();

  ASSERT_EQ(listener.seen.size(), 160u);
  for (size_t i = 0; i < listener.seen.size(); ++i) {
    EXPECT_EQ(listener.seen[i].entry.position, static_cast<JournalPosition>(i + 1));
  }
}

// Several callers at once, each with writes of many objects, so that one batch is told while the
// next is written. One write of six fails. `check` is given the last position of each that did not.
template <typename Check>
void write_much(Store& store, const CallContext& call, const access::SpaceAccess& access,
                const Check& check) {
  constexpr int kObjects = 100;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 6; ++i) {
        JournalPosition last = 0;
        const auto done = store.write(call, [&](WriteTxn& txn) -> Status {
          for (int n = 0; n < kObjects; ++n) {
            const std::string id = fmt::format("{}.{}.{}", t, i, n);
            HOLDFAST_TRY(const Object object,
                         txn.put(access, {.key = {"note", id}, .body = "x", .fresh = true}));
            last = object.position;
          }
          return i == 3 ? Status(conflict("fourth", "no")) : Status();
        });
        EXPECT_EQ(done.has_value(), i != 3);
        if (done) check(last);
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST_P(StoreConformance, CallersOfLargeWritesAreAnsweredWhenListenersKnow) {
  class Listener : public CommitListener {
   public:
    void on_commit(const std::vector<Change>& changes) override {
      for (const Change& change : changes) {
        if (change.entry.position != last + 1) ++out_of_order;
        last = change.entry.position;
      }
    }
    std::atomic<JournalPosition> last = 0;
    std::atomic<int> out_of_order = 0;
  };
  Listener listener;
  store().add_listener(listener);
  std::atomic<int> early = 0;

  write_much(store(), call(), engine(), [&](JournalPosition mine) {
    if (listener.last < mine) ++early;
  });

  EXPECT_EQ(early, 0);
  EXPECT_EQ(listener.out_of_order, 0);
  EXPECT_EQ(listener.last, 8 * 5 * 100);
  store().remove_listener(listener);
}

TEST_P(StoreConformance, AWriteInsideAListenerIsRefusedNotStuck) {
  class Listener : public CommitListener {
   public:
    explicit Listener(std::function<Status()> write) : write_(std::move(write)) {}
    void on_commit(const std::vector<Change>&) override {
      ++(code_of(write_()) == ErrorCode::kInternal ? refused : let_through);
    }
    std::atomic<int> refused = 0;
    std::atomic<int> let_through = 0;

   private:
    const std::function<Status()> write_;
  };
  Listener listener([&] { return write([](WriteTxn&) -> Status { return {}; }); });
  store().add_listener(listener);

  put_text("alone", "x");
  write_much(store(), call(), engine(), [](JournalPosition) {});

  EXPECT_GT(listener.refused, 1);
  EXPECT_EQ(listener.let_through, 0);
  store().remove_listener(listener);
}

TEST_P(StoreConformance, AListenerHearsNothingAfterItsRemoval) {
  class Listener : public CommitListener {
   public:
    void on_commit(const std::vector<Change>&) override {
      if (removed) ++late;
    }
    std::atomic<bool> removed = false;
    std::atomic<int> late = 0;
  };
  Listener listener;
  store().add_listener(listener);
  std::thread remover([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    store().remove_listener(listener);
    listener.removed = true;
  });

  write_much(store(), call(), engine(), [](JournalPosition) {});
  remover.join();

  EXPECT_EQ(listener.late, 0);
}

TEST_P(StoreConformance, ClosingAnswersLargeWritesWhenListenersKnow) {
  RecordingListener listener;
  store().add_listener(listener);
  std::atomic<int> acknowledged = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0;; ++i) {
        const auto result = write([&](WriteTxn& txn) -> Status {
          for (int n = 0; n < 100; ++n) {
            const std::string id = fmt::format("{}.{}.{}", t, i, n);
            HOLDFAST_CHECK_OK(txn.put(engine(), {.key = {"note", id}, .fresh = true}));
          }
          return {};
        });
        if (!result) return;
        ++acknowledged;
      }
    });
  }
  while (acknowledged < 10) std::this_thread::yield();
  store().close();
  for (auto& thread : threads) thread.join();

  EXPECT_EQ(listener.seen.size(), static_cast<size_t>(acknowledged) * 100);
}

}  // namespace
}  // namespace holdfast::storage
