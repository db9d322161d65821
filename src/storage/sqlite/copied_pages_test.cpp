#include "storage/sqlite/copied_pages.h"

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <vector>

#include <gtest/gtest.h>

#include "storage/sqlite/connection.h"

namespace holdfast::storage::sqlite {
namespace {

constexpr sqlite3_int64 kPage = 4096;
constexpr char kInsert[] = "INSERT INTO texts VALUES (?1)";
constexpr char kSum[] = "SELECT sum(length(text)) FROM texts";
constexpr char kCheck[] =
    "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'";

// A file of the default VFS that only tells what it was asked for.
struct FakeFile {
  sqlite3_file file;  // first: SQLite knows no more of it
  struct Write {
    sqlite3_int64 offset;
    sqlite3_int64 amount;
    bool operator==(const Write&) const = default;
  };
  std::vector<Write> writes = {};
  int answer = SQLITE_OK;
};

int fake_write(sqlite3_file* file, const void*, int amount, sqlite3_int64 offset) {
  auto* fake = reinterpret_cast<FakeFile*>(file);
  fake->writes.push_back({offset, amount});
  return fake->answer;
}

int fake_size(sqlite3_file*, sqlite3_int64* size) {
  *size = 2 * kPage;
  return SQLITE_OK;
}

class CopiedPagesTest : public testing::Test {
 protected:
  void SetUp() override {
    methods_.xWrite = fake_write;
    methods_.xFileSize = fake_size;
    path_ = testing::TempDir() + "copied_pages_" +
            testing::UnitTest::GetInstance()->current_test_info()->name();
    remove_files();
  }
  void TearDown() override {
    pages_.run.free_memory();
    window_.reset();
    remove_files();
  }

  void remove_files() const {
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path_ + end);
  }
  void open_window() {
    std::ofstream(path_) << std::string(2 * kPage, 'x');
    window_ = FileWindow::of(path_);
    ASSERT_NE(window_, nullptr);
  }
  void follow(int operation, sqlite3_int64 size = 0) {
    pages_.follow({&fake_.file, methods_}, window_.get(), operation, &size);
  }
  int write(sqlite3_int64 page) {
    const std::string bytes(kPage, 'p');
    return pages_.write({&fake_.file, methods_}, bytes.data(), static_cast<int>(kPage),
                        page * kPage);
  }
  using Writes = std::vector<FakeFile::Write>;

  FakeFile fake_ = {};
  sqlite3_io_methods methods_ = {};
  CopiedPages pages_ = {};
  std::string path_;
  std::shared_ptr<FileWindow> window_;
};

TEST_F(CopiedPagesTest, PagesBehindTheEndAreWrittenTogetherAndOthersAtOnce) {
  open_window();
  follow(SQLITE_FCNTL_CKPT_START);
  follow(SQLITE_FCNTL_SIZE_HINT, 10 * kPage);
  EXPECT_EQ(std::filesystem::file_size(path_), uintmax_t{10 * kPage});
  for (const int page : {0, 2, 3, 4, 7, 8}) EXPECT_EQ(write(page), SQLITE_OK);
  EXPECT_EQ(fake_.writes, (Writes{{0, kPage}, {2 * kPage, 3 * kPage}}));

  follow(SQLITE_FCNTL_CKPT_DONE);

  EXPECT_EQ(fake_.writes, (Writes{{0, kPage}, {2 * kPage, 3 * kPage}, {7 * kPage, 2 * kPage}}));
}

TEST_F(CopiedPagesTest, NothingWaitsOutsideOfACopy) {
  open_window();
  follow(SQLITE_FCNTL_SIZE_HINT, 10 * kPage);
  EXPECT_EQ(write(2), SQLITE_OK);
  follow(SQLITE_FCNTL_CKPT_START);
  follow(SQLITE_FCNTL_SIZE_HINT, 10 * kPage);
  follow(SQLITE_FCNTL_CKPT_DONE);
  EXPECT_EQ(write(3), SQLITE_OK);
  EXPECT_EQ(fake_.writes, (Writes{{2 * kPage, kPage}, {3 * kPage, kPage}}));
}

TEST_F(CopiedPagesTest, PagesWithoutReservedRoomAreWrittenAtOnceAndTellTheirErrors) {
  follow(SQLITE_FCNTL_CKPT_START);
  follow(SQLITE_FCNTL_SIZE_HINT, 10 * kPage);  // no window
  fake_.answer = SQLITE_IOERR_WRITE;
  EXPECT_NE(write(5), SQLITE_OK);
  EXPECT_EQ(fake_.writes, (Writes{{5 * kPage, kPage}}));
}

TEST_F(CopiedPagesTest, ReservedPagesThatCannotBeWrittenEndTheProcess) {
  open_window();
  follow(SQLITE_FCNTL_CKPT_START);
  follow(SQLITE_FCNTL_SIZE_HINT, 10 * kPage);
  EXPECT_EQ(write(2), SQLITE_OK);
  fake_.answer = SQLITE_IOERR_WRITE;
  EXPECT_DEATH(follow(SQLITE_FCNTL_CKPT_DONE), "flush");
  fake_.answer = SQLITE_OK;
}

class CopiedDatabaseTest : public CopiedPagesTest {
 protected:
  std::unique_ptr<Connection> open() const {
    auto db = Connection::open(path_, Connection::Mode::kReadWrite).value();
    EXPECT_TRUE(
        db->execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
                    "CREATE TABLE IF NOT EXISTS texts (text TEXT)"));
    return db;
  }
  static void grow(Connection& db, int texts) {
    for (int i = 0; i < texts; ++i) ASSERT_TRUE(db.run(kInsert, std::string(10'000, 'x')));
  }
  static int copy(Connection& db, int* in_log, int* copied) {
    return sqlite3_wal_checkpoint_v2(db.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, in_log,
                                     copied);
  }
};

// What is copied only in part is looked for in the file at once, without the log being empty.
TEST_F(CopiedDatabaseTest, WhatIsCopiedInPartIsReadFromTheFile) {
  const auto db = open();
  const auto old_reader = Connection::open(path_, Connection::Mode::kRead).value();
  grow(*db, 100);
  ASSERT_TRUE(old_reader->run(kBegin));
  ASSERT_EQ(*old_reader->integer_or(0, kSum), 1'000'000);
  grow(*db, 100);

  int in_log = 0;
  int copied = 0;
  ASSERT_EQ(copy(*db, &in_log, &copied), SQLITE_OK);

  EXPECT_LT(copied, in_log);
  EXPECT_GT(copied, 200);
  const auto reader = Connection::open(path_, Connection::Mode::kRead).value();
  EXPECT_EQ(*reader->integer_or(0, kSum), 2'000'000);
  EXPECT_EQ(*reader->integer_or(0, kCheck), 1);
  ASSERT_TRUE(old_reader->run(kCommit));
}

TEST_F(CopiedDatabaseTest, ACopyThatFindsNoRoomFailsAndCanBeRepeated) {
  const auto db = open();
  grow(*db, 1);
  int in_log = 0;
  int copied = 0;
  ASSERT_EQ(copy(*db, &in_log, &copied), SQLITE_OK);
  grow(*db, 100);
  // A limit on file sizes is a full disk, but for the signal that comes with it.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit full{.rlim_cur = std::filesystem::file_size(path_) + size_t{20 * kPage},
                    .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
  const int without_room = copy(*db, &in_log, &copied);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);

  EXPECT_EQ(without_room & 0xff, SQLITE_FULL);
  EXPECT_EQ(*db->integer_or(0, kSum), 1'010'000);
  ASSERT_EQ(copy(*db, &in_log, &copied), SQLITE_OK);
  EXPECT_EQ(copied, in_log);
  const auto reader = Connection::open(path_, Connection::Mode::kRead).value();
  EXPECT_EQ(*reader->integer_or(0, kSum), 1'010'000);
  EXPECT_EQ(*reader->integer_or(0, kCheck), 1);
}

}  // namespace
}  // namespace holdfast::storage::sqlite
