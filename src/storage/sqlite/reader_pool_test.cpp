#include "storage/sqlite/reader_pool.h"

#include <atomic>
#include <filesystem>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace holdfast::storage::sqlite {
namespace {

constexpr char kRead[] = "SELECT n FROM t";
constexpr char kWrite[] = "UPDATE t SET n = n + 1";

class ReaderPoolTest : public ::testing::Test {
 protected:
  ReaderPoolTest() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    db_ = *Connection::open(path(), Connection::Mode::kReadWrite);
    EXPECT_TRUE(
        db_->execute("PRAGMA journal_mode = WAL; CREATE TABLE t (n); "
                     "INSERT INTO t VALUES (1);"));
    pool_.emplace(path(), 4);
  }
  ~ReaderPoolTest() override {
    pool_.reset();
    db_.reset();
    std::filesystem::remove_all(folder_);
  }

  std::string path() const { return folder_ + "/x.db"; }
  ReaderPool::Lease take() { return std::move(*pool_->take_snapshot(kNoDeadline)); }
  // What a reader sees that goes on with a snapshot or takes one, and leaves it behind.
  int64_t read(ReaderPool::Lease lease) {
    EXPECT_TRUE(lease.position() || lease->run(kBegin));
    const int64_t n = *lease->integer_or(0, kRead);
    lease.keep(n);
    return n;
  }

  const std::string folder_ =
      std::filesystem::temp_directory_path() / ("reader_pool_" + std::to_string(getpid()));
  std::unique_ptr<Connection> db_;
  std::optional<ReaderPool> pool_;
};

TEST_F(ReaderPoolTest, TheNextReaderGoesOnWithASnapshot) {
  EXPECT_EQ(read(take()), 1);

  const auto lease = take();

  EXPECT_EQ(lease.position(), 1);
  EXPECT_TRUE(lease->in_transaction());
}

TEST_F(ReaderPoolTest, OfManyReadersAtATimeTwoLeaveTheirSnapshots) {
  const auto all_at_once = [&](auto&& use) {
    std::vector<ReaderPool::Lease> leases;
    for (int i = 0; i < 4; ++i) leases.push_back(take());
    int kept = 0;
    for (ReaderPool::Lease& lease : leases) {
      kept += lease.position() ? 1 : 0;
      use(lease);
    }
    return kept;
  };
  const auto read_in = [](ReaderPool::Lease& lease) {
    EXPECT_TRUE(lease.position() || lease->run(kBegin));
    lease.keep(*lease->integer_or(0, kRead));
  };
  EXPECT_EQ(all_at_once(read_in), 0);
  EXPECT_EQ(all_at_once(read_in), 2);
  { const ReaderPool::Writing writing(*pool_); }
  EXPECT_EQ(all_at_once(read_in), 0);
  EXPECT_EQ(all_at_once(read_in), 2);
}

TEST_F(ReaderPoolTest, WhoWantsNoneGetsNone) {
  EXPECT_EQ(read(take()), 1);

  const auto lease = pool_->take(kNoDeadline);

  EXPECT_FALSE(lease->position());
  EXPECT_FALSE((*lease)->in_transaction());
}

TEST_F(ReaderPoolTest, NoSnapshotIsThereWhenAWriteBegins) {
  EXPECT_EQ(read(take()), 1);
  {
    const ReaderPool::Writing writing(*pool_);
    // Only without readers can the log be cut.
    EXPECT_TRUE(db_->run(kWrite));
    EXPECT_EQ(sqlite3_wal_checkpoint_v2(db_->handle(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr,
                                        nullptr),
              SQLITE_OK);
    EXPECT_EQ(read(take()), 2);
    EXPECT_FALSE(take().position());
  }
  EXPECT_FALSE(take().position());
  EXPECT_EQ(read(take()), 2);
  EXPECT_EQ(take().position(), 2);
}

TEST_F(ReaderPoolTest, ASnapshotOfBeforeAWriteIsNotKept) {
  auto before = take();
  EXPECT_TRUE(before->run(kBegin));
  EXPECT_EQ(*before->integer_or(0, kRead), 1);
  before.keep(1);
  {
    const ReaderPool::Writing writing(*pool_);
    EXPECT_TRUE(db_->run(kWrite));
  }
  { const auto gone = std::move(before); }

  EXPECT_EQ(read(take()), 2);
}

TEST_F(ReaderPoolTest, ASnapshotTakenDuringAWriteIsNotKept) {
  std::optional<ReaderPool::Lease> during;
  {
    const ReaderPool::Writing writing(*pool_);
    during.emplace(take());
    EXPECT_TRUE((*during)->run(kBegin));
    EXPECT_EQ(*(*during)->integer_or(0, kRead), 1);
    during->keep(1);
    EXPECT_TRUE(db_->run(kWrite));
  }
  during.reset();

  EXPECT_EQ(read(take()), 2);
}

TEST_F(ReaderPoolTest, EveryReaderSeesWhatWasWrittenBefore) {
  std::atomic<int64_t> written = 1;
  std::atomic<bool> done = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!done.load()) {
        const int64_t least = written.load();
        EXPECT_GE(read(take()), least);
      }
    });
  }
  for (int i = 0; i < 300; ++i) {
    {
      const ReaderPool::Writing writing(*pool_);
      EXPECT_TRUE(db_->run(kWrite));
    }
    ++written;
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
}

}  // namespace
}  // namespace holdfast::storage::sqlite
