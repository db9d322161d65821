#include "storage/sqlite/log_copier.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace holdfast::storage::sqlite {
namespace {

constexpr char kInsert[] = "INSERT INTO texts VALUES (?1)";
constexpr char kCount[] = "SELECT count(*) FROM texts";

class LogCopierTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "log_copier_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    db_ = Connection::open(path(), Connection::Mode::kReadWrite).value();
    ASSERT_TRUE(
        db_->execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
                     "CREATE TABLE texts (text TEXT)"));
  }
  void TearDown() override {
    db_.reset();
    std::filesystem::remove_all(folder_);
  }

  std::string path() const { return folder_ + "/test.db"; }
  // What the database file alone has, whatever is in the log.
  bool file_has(const std::string& text) const {
    std::ifstream file(path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    return bytes.find(text) != std::string::npos;
  }

  std::string folder_;
  std::unique_ptr<Connection> db_;
};

TEST_F(LogCopierTest, TheLogIsCopiedWhileSomebodyWrites) {
  LogCopier copier(path());
  ASSERT_TRUE(db_->run(kInsert, std::string("written before")));
  ASSERT_TRUE(db_->run(kBeginWrite));
  ASSERT_TRUE(db_->run(kInsert, std::string("not committed yet")));
  EXPECT_FALSE(file_has("written before"));

  copier.begin();
  copier.await();

  EXPECT_TRUE(file_has("written before"));
  EXPECT_FALSE(file_has("not committed yet"));
  EXPECT_TRUE(copier.is_done());
  EXPECT_TRUE(copier.take_done());
  EXPECT_FALSE(copier.take_done());
  ASSERT_TRUE(db_->run(kCommit));
  EXPECT_EQ(*db_->integer_or(0, kCount), 2);
}

TEST_F(LogCopierTest, ItCanBeAskedAgain) {
  LogCopier copier(path());
  for (const std::string text : {"one", "two", "three"}) {
    ASSERT_TRUE(db_->run(kInsert, text));
    copier.begin();
    copier.await();
    EXPECT_TRUE(file_has(text));
  }
}

TEST_F(LogCopierTest, NothingBeginsAfterItsEnd) {
  LogCopier copier(path());
  copier.begin();
  copier.close();
  ASSERT_TRUE(db_->run(kInsert, std::string("too late")));
  copier.begin();
  EXPECT_FALSE(copier.is_copying());
  EXPECT_FALSE(file_has("too late"));
}

TEST_F(LogCopierTest, ADatabaseThatCannotBeOpenedIsDoneWithToo) {
  LogCopier copier(folder_ + "/nowhere/test.db");
  copier.begin();
  copier.await();
  EXPECT_TRUE(copier.take_done());
}

}  // namespace
}  // namespace holdfast::storage::sqlite
