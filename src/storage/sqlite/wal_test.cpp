#include "storage/sqlite/wal.h"

#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

namespace holdfast::storage::sqlite {
namespace {

constexpr char kInsert[] = "INSERT INTO texts VALUES (?1)";
constexpr char kCount[] = "SELECT count(*) FROM texts";
constexpr size_t kLong = size_t{20} << 20U;  // longer than a log should be

class WalTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "wal_" +
            testing::UnitTest::GetInstance()->current_test_info()->name() + ".db";
    remove_files();
    db_ = Connection::open(path_, Connection::Mode::kReadWrite).value();
    ASSERT_TRUE(
        db_->execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
                     "CREATE TABLE texts (text TEXT)"));
    wal_ = std::make_unique<Wal>(*db_);
  }
  void TearDown() override {
    wal_.reset();
    db_.reset();
    remove_files();
  }

  void write(size_t bytes) { ASSERT_TRUE(db_->run(kInsert, std::string(bytes, 'x'))); }
  uintmax_t log_bytes() const { return std::filesystem::file_size(path_ + "-wal"); }
  // Until keep_short() has nothing left to do.
  void shorten() {
    while (wal_->is_long()) {
      wal_->keep_short();
      wal_->await_copy();
    }
  }

  std::string path_;
  std::unique_ptr<Connection> db_;
  std::unique_ptr<Wal> wal_;

 private:
  void remove_files() const {
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path_ + end);
  }
};

TEST_F(WalTest, ALongLogStartsOver) {
  write(kLong);
  EXPECT_TRUE(wal_->is_long());
  shorten();
  for (int i = 0; i < 10; ++i) {
    write(kLong / 10);
    shorten();
  }
  EXPECT_LT(log_bytes(), 2 * kLong);
  EXPECT_EQ(*db_->integer_or(0, kCount), 11);
}

TEST_F(WalTest, AShortLogIsLeftAlone) {
  write(1000);
  EXPECT_FALSE(wal_->is_long());
}

TEST_F(WalTest, ATruncationComesThroughWhileTheLogIsCopied) {
  write(kLong);
  const auto before = std::filesystem::file_size(path_);
  wal_->keep_short();
  while (std::filesystem::file_size(path_) == before) std::this_thread::yield();
  wal_->truncate();
  EXPECT_EQ(log_bytes(), 0U);
}

TEST_F(WalTest, AReaderInTheWayIsNotTriedAgainAllTheTime) {
  const auto reader = Connection::open(path_, Connection::Mode::kRead).value();
  write(1000);
  ASSERT_TRUE(reader->run(kBegin));
  ASSERT_EQ(*reader->integer_or(0, kCount), 1);
  write(kLong);
  shorten();
  write(1000);
  EXPECT_FALSE(wal_->is_long()) << "little was written since";
  ASSERT_TRUE(reader->run(kCommit));
  write(kLong / 2);
  shorten();
  write(1000);
  write(1000);
  EXPECT_FALSE(wal_->is_long());
  EXPECT_LT(log_bytes(), 2 * kLong);
}

}  // namespace
}  // namespace holdfast::storage::sqlite
