// What only the SQLite adapter has: its file, its versions, its failures.
#include "storage/sqlite/sqlite_store.h"

#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "access/gatekeeper.h"
#include "base/log.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/migrations.h"

namespace holdfast::storage {
namespace {

namespace fs = std::filesystem;

class SqliteStoreTest : public testing::Test {
 protected:
  SqliteStoreTest() {
    log::configure(log::Format::kText, log::Level::kOff);
    std::string name = (fs::temp_directory_path() / "holdfast_sqlite_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    path_ = (folder_ / "holdfast.db").string();
  }
  ~SqliteStoreTest() override { fs::remove_all(folder_); }

  Result<std::unique_ptr<Store>> open() const {
    return open_sqlite_store({.path = path_, .clock = clock_});
  }
  static access::SpaceAccess access_to(const Store& store) {
    return access::Gatekeeper(store, true).engine_access(kDefaultSpace);
  }
  static Status put(Store& store, const std::string& id, const std::string& body = "b") {
    const auto access = access_to(store);
    return store.write({}, [&](WriteTxn& txn) -> Status {
      HOLDFAST_CHECK_OK(txn.put(access, {.key = {"note", id}, .body = body}));
      return {};
    });
  }
  static bool has(Store& store, const std::string& id) {
    return (*store.begin_read(kNoDeadline))->get(access_to(store), {"note", id}).has_value();
  }
  std::string file_bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void make_store() const { ASSERT_TRUE(put(**open(), "n")); }
  void execute(const std::string& sql) const {
    ASSERT_TRUE(
        (*sqlite::Connection::open(path_, sqlite::Connection::Mode::kReadWrite))->execute(sql));
  }

  SystemClock clock_;
  fs::path folder_;
  std::string path_;
};

TEST_F(SqliteStoreTest, MigrationsAreNumberedFromOneWithoutHoles) {
  int expected = 1;
  for (const auto& migration : sqlite::migrations()) EXPECT_EQ(migration.version, expected++);
}

TEST_F(SqliteStoreTest, AnEmptyFolderBecomesAStoreOfTheNewestVersion) {
  ASSERT_TRUE(open());

  auto db = *sqlite::Connection::open(path_, sqlite::Connection::Mode::kReadWrite);
  EXPECT_EQ(*db->integer_or(-1, "PRAGMA user_version"), sqlite::migrations().back().version);
  EXPECT_EQ(*db->integer_or(-1, "PRAGMA page_size"), 4096);
}

TEST_F(SqliteStoreTest, AStoreOfANewerVersionIsRefusedAndNotTouched) {
  make_store();
  execute("PRAGMA user_version = 999; PRAGMA journal_mode = DELETE");
  const std::string before = file_bytes();

  const auto store = open();

  ASSERT_FALSE(store.has_value());
  EXPECT_EQ(store.error().code, ErrorCode::kConflict);
  EXPECT_EQ(store.error().reason, reason::kNewerVersion);
  EXPECT_NE(store.error().message.find("newer"), std::string::npos);
  EXPECT_EQ(file_bytes(), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "no new files either";
}

// Answers that the first version kept are found, repeated and emptied as if they were new.
TEST_F(SqliteStoreTest, StoredAnswersSurviveTheirMoveToAnotherTable) {
  execute(
      std::string("PRAGMA journal_mode = WAL;") + sqlite::migrations().front().sql +
      "INSERT INTO spaces VALUES (1, 'default', 0, 0);"
      "INSERT INTO objects VALUES (1099511627777, 1, 'note', 'n', 1, 'active', 0, 0, '', '', '',"
      " 1, 1, 1, '', '', 'b');"
      "INSERT INTO journal VALUES (1099511627777, 1, 1, '', '', 'created', 'note', 'n', 1, '', '',"
      " 0, 0, '', '', '');"
      "UPDATE store_state SET last_position = 1, last_at = 1;"
      "INSERT INTO idempotency VALUES (1, 'ada', 'POST', 'old', 'print', 'done', 201, 5, NULL,"
      " '[\"note\",\"n\"]', 'more', 'told');"
      "INSERT INTO idempotency VALUES (1, 'ada', 'POST', 'gone', 'p', 'done', 200, 5, 9, '', '', "
      "'');"
      "INSERT INTO idempotency_about VALUES (1, 'note', 'n', 'ada', 'POST', 'old');");
  const auto store = *open();
  const auto access = access_to(*store);
  const auto find = [&](const std::string& key) {
    return *(*store->begin_read(kNoDeadline))->find_idempotency(access, {"ada", "POST", key});
  };

  ASSERT_TRUE(find("old").has_value());
  EXPECT_EQ(find("old")->fingerprint, "print");
  EXPECT_EQ(find("old")->body, "told");
  EXPECT_EQ(find("old")->about, (std::vector<ObjectKey>{{"note", "n"}}));
  EXPECT_FALSE(find("gone").has_value()) << "it expired";
  const auto erase = [&](WriteTxn& txn) { return txn.erase(access, {"note", "n"}, ""); };
  ASSERT_TRUE(store->write({}, erase));
  EXPECT_EQ(find("old")->body, "");
  EXPECT_EQ(find("old")->state, "erased");
  EXPECT_EQ(*store->check(), std::vector<std::string>());
}

TEST_F(SqliteStoreTest, AFileThatIsNoDatabaseIsRefused) {
  std::ofstream(path_) << std::string(5000, 'x');

  EXPECT_EQ(open().error().code, ErrorCode::kCorrupted);
}

TEST_F(SqliteStoreTest, AForeignDatabaseIsRefused) {
  execute("CREATE TABLE cats (name TEXT)");

  EXPECT_EQ(open().error().code, ErrorCode::kCorrupted);
}

TEST_F(SqliteStoreTest, ADamagedFileIsNoticed) {
  {
    const auto store = *open();
    for (int i = 0; i < 200; ++i)
      ASSERT_TRUE(put(*store, std::to_string(i), std::string(500, 'b')));
  }
  std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
  for (int page = 5; page < 40; ++page) {
    file.seekp(std::streamoff{page} * 4096);
    file << std::string(64, '\xff');
  }
  file.close();

  const auto store = open();
  if (!store) {
    EXPECT_EQ(store.error().code, ErrorCode::kCorrupted);
    return;
  }
  const auto findings = (*store)->check();
  EXPECT_TRUE(!findings || !findings->empty());
}

TEST_F(SqliteStoreTest, CheckFindsRowsThatContradictEachOther) {
  make_store();
  execute("INSERT INTO facets VALUES (1, 'note', 'tag', 'x', 77)");
  execute("INSERT INTO links VALUES (1, 'a', 'b', 'r', 'note', 'nobody', '')");
  execute("DELETE FROM journal");

  const auto findings = *(*open())->check();

  EXPECT_EQ(findings.size(), 3u);
}

TEST_F(SqliteStoreTest, ABackupOpensAsAStoreWhileTheOriginalIsWritten) {
  const auto store = *open();
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(put(*store, std::to_string(i), std::string(2000, 'b')));
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) EXPECT_TRUE(put(*store, "during" + std::to_string(i)));
  });
  const std::string copy = (folder_ / "copy.db").string();

  const auto done = store->backup(copy, nullptr);
  stop = true;
  writer.join();

  ASSERT_TRUE(done);
  const auto restored = *open_sqlite_store({.path = copy, .clock = clock_});
  for (int i = 0; i < 300; ++i) EXPECT_TRUE(has(*restored, std::to_string(i)));
  EXPECT_TRUE(restored->check()->empty());
}

TEST_F(SqliteStoreTest, ACopyThatCannotBeWrittenIsRefused) {
  const auto store = *open();

  const auto done = store->backup((folder_ / "nowhere" / "copy.db").string(), nullptr);

  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(done.error().message.find("No such file or directory"), std::string::npos)
      << done.error().message;
}

struct CountingListener : CommitListener {
  void on_commit(const std::vector<Change>& changes) override { told += changes.size(); }
  void forget_expected() override { ++forgotten; }
  size_t told = 0;
  int forgotten = 0;
};

// The limit on file sizes stands for a disk without room; it is set in a child because it cannot be
// taken back.
TEST_F(SqliteStoreTest, WhatWasExpectedAndFailsToBeCommittedIsTakenBack) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    CountingListener listener;
    const auto store = *open();
    store->add_listener(listener);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 2'000'000;
    setrlimit(RLIMIT_FSIZE, &limit);
    const auto access = access_to(*store);
    const Status full = store->write({}, [&](WriteTxn& txn) -> Status {
      for (int i = 0; i < 100; ++i) {
        HOLDFAST_CHECK_OK(txn.put(
            access, {.key = {"note", std::to_string(i)}, .body = std::string(30'000, 'x')}));
      }
      return {};
    });
    if (full) _exit(11);
    if (listener.told != 0 || listener.forgotten != 1) _exit(12);
    if (!put(*store, "small") || listener.told != 1 || listener.forgotten != 1) _exit(13);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);

  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(SqliteStoreTest, AFullDiskChangesNothingAndIsSurvived) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const auto store = *open();
    if (!put(*store, "before")) _exit(10);
    limit.rlim_cur = 2'000'000;
    setrlimit(RLIMIT_FSIZE, &limit);
    const auto full = put(*store, "large", std::string(5'000'000, 'x'));
    if (full || full.error().code != ErrorCode::kStorageFull) _exit(11);
    if (has(*store, "large") || !has(*store, "before")) _exit(12);
    if (!put(*store, "small")) _exit(13);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
    if (!put(*store, "large", std::string(5'000'000, 'x'))) _exit(14);
    if (!store->check() || !store->check()->empty()) _exit(15);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);

  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(SqliteStoreTest, AWriteInsideAWriteIsRefused) {
  const auto store = *open();
  for (int i = 0; i < 20; ++i) {  // on the writer's thread, or here
    const Status outer = store->write({}, [&](WriteTxn&) { return put(*store, "inner"); });
    EXPECT_FALSE(outer);
  }
  EXPECT_FALSE(has(*store, "inner"));
  EXPECT_TRUE(put(*store, "outer"));
}

TEST_F(SqliteStoreTest, TheLogStaysShort) {
  const auto store = *open();
  const std::string body(100'000, 'b');
  for (int i = 0; i < 600; ++i) ASSERT_TRUE(put(*store, std::to_string(i), body));

  EXPECT_LT(store->sizes().wal_bytes, 40'000'000);
}

// A process that is killed while it writes has everything it acknowledged.
TEST_F(SqliteStoreTest, AcknowledgedWritesSurviveSigkill) {
  std::vector<std::string> acknowledged;
  for (int round = 0; round < 5; ++round) {
    int answers[2];
    ASSERT_EQ(pipe(answers), 0);
    const pid_t child = fork();
    if (child == 0) {
      const auto store = *open();
      std::vector<std::thread> threads;
      threads.reserve(4);
      for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
          for (int i = 0;; ++i) {
            const std::string id = fmt::format("{:02}-{:02}-{:08}\n", round, t, i);
            if (!put(*store, id.substr(0, id.size() - 1))) _exit(1);
            if (write(answers[1], id.data(), id.size()) != static_cast<ssize_t>(id.size()))
              _exit(1);
          }
        });
      }
      for (;;) pause();
    }
    close(answers[1]);
    std::string text;
    char buffer[4096];
    ssize_t got = 0;
    bool killed = false;
    while ((got = read(answers[0], buffer, sizeof buffer)) > 0) {
      text.append(buffer, static_cast<size_t>(got));
      if (!killed && text.size() > 1000 + static_cast<size_t>(round) * 3000) {
        kill(child, SIGKILL);
        killed = true;
      }
    }
    waitpid(child, nullptr, 0);
    close(answers[0]);
    for (size_t at = 0; at + 15 <= text.size(); at += 15)
      acknowledged.push_back(text.substr(at, 14));

    const auto store = *open();
    for (const auto& id : acknowledged) ASSERT_TRUE(has(*store, id)) << id;
    EXPECT_TRUE(store->check()->empty());
  }
  EXPECT_GT(acknowledged.size(), 300u);
}

}  // namespace
}  // namespace holdfast::storage
