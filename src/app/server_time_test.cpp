#include "app/server_time.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "access/gatekeeper.h"
#include "base/ids.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::app {
namespace {

namespace fs = std::filesystem;
using std::chrono::hours;

class ServerTimeTest : public testing::Test {
 protected:
  ServerTimeTest() {
    std::string name = (fs::temp_directory_path() / "holdfast_time_XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~ServerTimeTest() override { fs::remove_all(folder_); }

  std::unique_ptr<storage::Store> open(const Clock& clock) {
    auto store = storage::open_sqlite_store({.path = folder_ / "store.db", .clock = clock});
    EXPECT_TRUE(store.has_value());
    return std::move(*store);
  }
  // An id made in a write that leaves something.
  static std::string write(storage::Store& store, UlidGenerator& ids) {
    const auto admin = access::Gatekeeper(store, false).engine_admin();
    const auto made = storage::write_returning<std::string>(
        store, {}, [&](storage::WriteTxn& txn) -> Result<std::string> {
          std::string id = ids.next();
          HOLDFAST_CHECK_OK(txn.set_meta(admin, "id", id));
          return id;
        });
    EXPECT_TRUE(made.has_value());
    return made.value_or("");
  }

  const ManualClock late_{from_micros(1'800'000'000'000'000)};
  ManualClock early_{late_.now() - hours(24)};
  fs::path folder_;
};

TEST_F(ServerTimeTest, IdsGrowFromStartToStartWhileTheClockIsBehind) {
  UlidGenerator before(late_);
  std::string last = write(*open(late_), before);

  for (int start = 0; start < 20; ++start) {
    const auto store = open(early_);
    const LaterClock clock(early_, resume_time(*store, {}, early_));
    UlidGenerator ids(clock);
    for (int i = 0; i < 3; ++i) {
      const std::string next = write(*store, ids);
      ASSERT_LT(last, next) << start;
      last = next;
    }
  }
}

TEST_F(ServerTimeTest, ATestClockResumesWhereTheStoreIs) {
  OffsetClock moved;
  moved.advance(hours(24));
  UlidGenerator ids(moved);
  write(*open(moved), ids);
  const Timestamp written = moved.now();

  OffsetClock clock;
  const auto store = open(clock);
  resume_time(*store, {}, clock);

  EXPECT_GE(clock.now(), written);
  EXPECT_LT(clock.now(), moved.now() + hours(1));
}

TEST_F(ServerTimeTest, AClockThatIsNotBehindStaysAsItIs) {
  UlidGenerator ids(early_);
  write(*open(early_), ids);

  const auto store = open(late_);
  ManualClock clock(late_.now());

  EXPECT_EQ(resume_time(*store, {}, clock), Timestamp{});
}

}  // namespace
}  // namespace holdfast::app
