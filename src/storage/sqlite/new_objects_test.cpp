// Objects inserted many at a time are, for everybody, as if they were inserted one by one.
#include "storage/sqlite/new_objects.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "access/gatekeeper.h"
#include "base/log.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::storage {
namespace {

namespace fs = std::filesystem;

// Two groups and a rest.
constexpr int kMany = 47;

// Objects wait only where somebody is told of changes.
class Listener final : public CommitListener {
 public:
  void on_commit(const std::vector<Change>& changes) override { told += changes.size(); }
  size_t told = 0;
};

class NewObjectsTest : public testing::Test {
 protected:
  NewObjectsTest() {
    log::configure(log::Format::kText, log::Level::kOff);
    std::string name = (fs::temp_directory_path() / "holdfast_new_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    store_ = *open_sqlite_store({.path = (folder_ / "holdfast.db").string(), .clock = clock_});
    store_->add_listener(listener_);
  }
  ~NewObjectsTest() override {
    store_.reset();
    fs::remove_all(folder_);
  }

  access::SpaceAccess access() const {
    return access::Gatekeeper(*store_, true).engine_access(kDefaultSpace);
  }
  static Put fresh(int n) {
    return {.key = {"note", "n" + std::to_string(n)},
            .body = "body " + std::to_string(n),
            .label = {.container = "c", .compartments = {"one", "two"}},
            .fresh = true};
  }
  Result<Object> get(ReadTxn& txn, int n) const { return txn.get(access(), fresh(n).key); }
  int count() const {
    const auto txn = *store_->begin_read(kNoDeadline);
    int found = 0;
    for (int n = 0; n < kMany; ++n) found += get(*txn, n).has_value() ? 1 : 0;
    return found;
  }

  SystemClock clock_;
  fs::path folder_;
  Listener listener_;
  std::unique_ptr<Store> store_;
};

TEST_F(NewObjectsTest, AreStoredAsTheyWerePut) {
  std::vector<Object> told;
  ASSERT_TRUE(store_->write({}, [&](WriteTxn& txn) -> Status {
    for (int n = 0; n < kMany; ++n) {
      HOLDFAST_TRY(told.emplace_back(), txn.put(access(), fresh(n)));
    }
    return {};
  }));

  const auto txn = *store_->begin_read(kNoDeadline);
  const auto entries = *txn->journal_after(access(), 0, 100);
  ASSERT_EQ(entries.size(), size_t{kMany});
  for (int n = 0; n < kMany; ++n) {
    const auto stored = get(*txn, n);
    ASSERT_TRUE(stored) << n;
    const Object& object = told[static_cast<size_t>(n)];
    EXPECT_EQ(*stored, object);
    EXPECT_EQ(stored->body, fresh(n).body);
    const JournalEntry& entry = entries[static_cast<size_t>(n)];
    EXPECT_EQ(entry.key, object.key);
    EXPECT_EQ(entry.position, object.position);
    EXPECT_EQ(entry.label, object.label);
    EXPECT_EQ(entry.change, entries.front().position);
  }
  EXPECT_EQ(listener_.told, size_t{kMany});
  EXPECT_TRUE(store_->check()->empty());
}

// What rows have in common is given to a statement once: whoever differs must not get another's.
TEST_F(NewObjectsTest, OfManySortsAreStoredAsTheyWerePut) {
  const auto varied = [](int n) {
    Put put = fresh(n);
    // Each of these is another than before for a while, and long enough alike to be a group.
    const int sort = n / 22;
    if (sort == 1) put.key.kind = "other";
    if (sort == 2) put.state = "draft";
    if (sort == 3) put.label.container = "d";
    if (sort == 4) put.label.compartments = {"one"};
    if (sort == 5) put.label.sensitivity = Sensitivity::kSensitive;
    if (sort == 6) put.created_at = from_micros(1'000'000);
    if (sort == 7) put.updated_at = from_micros(4'000'000'000'000'000);
    if (sort == 8) put.action = "noted";
    if (sort == 9) put.message = "why";
    if (sort == 10 && n % 2 == 0) put.label.owner = "somebody";
    return put;
  };
  constexpr int kVaried = 11 * 22;
  std::vector<Object> told;
  ASSERT_TRUE(store_->write({}, [&](WriteTxn& txn) -> Status {
    for (int n = 0; n < kVaried; ++n) {
      HOLDFAST_TRY(told.emplace_back(), txn.put(access(), varied(n)));
    }
    return {};
  }));

  const auto txn = *store_->begin_read(kNoDeadline);
  const auto entries = *txn->journal_after(access(), 0, 1000);
  ASSERT_EQ(entries.size(), size_t{kVaried});
  for (int n = 0; n < kVaried; ++n) {
    const Put put = varied(n);
    const auto stored = txn->get(access(), put.key);
    ASSERT_TRUE(stored) << n;
    EXPECT_EQ(*stored, told[static_cast<size_t>(n)]) << n;
    EXPECT_EQ(stored->body, put.body) << n;
    EXPECT_EQ(stored->state, put.state) << n;
    EXPECT_EQ(stored->label, put.label) << n;
    const JournalEntry& entry = entries[static_cast<size_t>(n)];
    EXPECT_EQ(entry.key, put.key) << n;
    EXPECT_EQ(entry.label, put.label) << n;
    EXPECT_EQ(entry.message, put.message) << n;
    EXPECT_EQ(entry.action, put.action.empty() ? journal_action::kCreated : put.action) << n;
  }
  EXPECT_TRUE(store_->check()->empty());
}

TEST_F(NewObjectsTest, AreSeenByTheirOwnWrite) {
  const Status done = store_->write({}, [&](WriteTxn& txn) -> Status {
    for (int n = 0; n < kMany; ++n) {
      HOLDFAST_CHECK_OK(txn.put(access(), fresh(n)));
      if (n % 7 == 0) HOLDFAST_CHECK_OK(get(txn, n));
    }
    return txn.remove(access(), fresh(kMany - 1).key, "");
  });

  ASSERT_TRUE(done);
  EXPECT_EQ(count(), kMany - 1);
}

TEST_F(NewObjectsTest, GoWithAWriteThatFails) {
  const Status failed = store_->write({}, [&](WriteTxn& txn) -> Status {
    for (int n = 0; n < kMany; ++n) HOLDFAST_CHECK_OK(txn.put(access(), fresh(n)));
    return invalid_argument("no");
  });

  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(count(), 0);
  EXPECT_EQ(listener_.told, size_t{0});
  ASSERT_TRUE(store_->write({}, [&](WriteTxn& txn) -> Status {
    return txn.set_meta(access::Gatekeeper(*store_, true).engine_admin(), "name", "value");
  }));
  EXPECT_EQ(count(), 0);
}

TEST_F(NewObjectsTest, ThatCannotBeInsertedUndoTheirWriteWhateverItMakesOfTheError) {
  for (const int taken : {3, kMany - 1}) {  // in a group, and in the rest
    const ObjectKey key = fresh(taken).key;
    ASSERT_TRUE(store_->write({}, [&](WriteTxn& txn) -> Status {
      HOLDFAST_CHECK_OK(txn.put(access(), {.key = key}));
      return {};
    }));

    const Status failed = store_->write({}, [&](WriteTxn& txn) -> Status {
      for (int n = 0; n < kMany; ++n) {
        static_cast<void>(txn.put(access(), fresh(n)).has_value());
        if (n % 20 == 19) static_cast<void>(get(txn, n).has_value());
      }
      return {};
    });

    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::kInternal);
    EXPECT_EQ(count(), 1) << "the one that was there before";
    ASSERT_TRUE(store_->write({}, [&](WriteTxn& txn) { return txn.erase(access(), key, ""); }));
  }
}

}  // namespace
}  // namespace holdfast::storage
