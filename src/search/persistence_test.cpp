#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/log.h"
#include "search/folder_fake.h"
#include "search/index.h"
#include "search/source_fake.h"

namespace holdfast::search {
namespace {

namespace fs = std::filesystem;

class PersistenceTest : public ::testing::Test {
 protected:
  PersistenceTest() : folder_(test_folder("persistence")) {
    log::configure(log::Format::kText, log::Level::kError);
    fs::remove_all(folder_);
    open();
  }
  ~PersistenceTest() override {
    index_.reset();
    fs::remove_all(folder_);
  }

  void open(bool background = false) {
    index_.reset();
    index_ = std::make_unique<Index>(IndexOptions{
        .folder = folder_, .flush_documents = 10, .merge_width = 4, .background = background});
    ASSERT_TRUE(index_->open(source_));
  }
  void put(const std::string& id, const std::string& body) {
    index_->on_commit({source_.put(kDefaultSpace, "note", id, {}, {.text = {.body = body}})});
  }
  void put_many(int count) {
    for (int i = 0; i < count; ++i) put("n" + std::to_string(i), "tea number" + std::to_string(i));
  }
  size_t count(const std::string& query) const {
    return index_->search(owner_access(), {.query = query, .exact_total = true})->total;
  }
  std::vector<fs::path> files(const std::string& prefix) const {
    std::vector<fs::path> found;
    for (const auto& file : fs::recursive_directory_iterator(folder_)) {
      if (file.path().filename().string().starts_with(prefix)) found.push_back(file.path());
    }
    return found;
  }
  bool folder_holds(const std::string& needle) const {
    for (const auto& file : fs::recursive_directory_iterator(folder_)) {
      if (!file.is_regular_file()) continue;
      std::ifstream in(file.path(), std::ios::binary);
      const std::string bytes((std::istreambuf_iterator<char>(in)), {});
      if (bytes.find(needle) != std::string::npos) return true;
    }
    return false;
  }
  void expect_sound(size_t teas) {
    EXPECT_EQ(count("tea"), teas);
    const auto findings = index_->verify(source_);
    EXPECT_TRUE(findings->empty()) << findings->front();
  }

  // The same changes in the same order, in whatever process.
  storage::Change put_next() {
    const int i = source_next_++;
    const ObjectKey key{"note", "k" + std::to_string(i % 500)};
    if (i % 17 == 16)
      return source_.remove(kDefaultSpace, {"note", "k" + std::to_string((i - 5) % 500)},
                            i % 2 == 0);
    return source_.put(kDefaultSpace, "note", key.id, {},
                       {.text = {.body = "tea " + std::to_string(i)}});
  }

  std::string folder_;
  FakeSource source_;
  std::unique_ptr<Index> index_;
  int source_next_ = 0;
};

TEST_F(PersistenceTest, ACleanEndLeavesNothingToReplay) {
  put_many(25);
  index_.reset();
  source_.scans = 0;

  open();

  EXPECT_EQ(source_.scans, 0);
  expect_sound(25);
}

TEST_F(PersistenceTest, QuietTimesMergeWhatALoadLeftInPieces) {
  const auto segments_after = [&](size_t quiet_changes) {
    index_.reset();
    fs::remove_all(folder_);
    Index index({.folder = folder_,
                 .flush_documents = 10,
                 .quiet_changes = quiet_changes,
                 .background = false});
    EXPECT_TRUE(index.open(source_));
    for (int i = 0; i < 65; ++i) {
      const std::string id = "m" + std::to_string(i);
      index.on_commit({source_.put(kDefaultSpace, "note", id, {}, {.text = {.body = "tea"}})});
    }
    index.settle();
    return index.sizes().at(kDefaultSpace).segments;
  };
  EXPECT_GT(segments_after(0), 1U);
  EXPECT_EQ(segments_after(1000), 1U);
}

TEST_F(PersistenceTest, ReplaysTheTailAfterAKill) {
  put_many(25);
  index_->settle();  // two segments written, five documents only in memory
  put("n3", "coffee");
  index_->on_commit({source_.remove(kDefaultSpace, {"note", "n4"})});
  const std::string killed = folder_ + ".killed";
  fs::remove_all(killed);
  fs::copy(folder_, killed, fs::copy_options::recursive);
  index_.reset();
  fs::remove_all(folder_);
  fs::rename(killed, folder_);
  source_.scans = 0;

  open();

  EXPECT_EQ(source_.scans, 0);
  expect_sound(23);
  EXPECT_EQ(count("coffee"), 1U);
}

TEST_F(PersistenceTest, AnyDamageLeadsToARebuild) {
  put_many(25);
  const auto damage = [&](const std::function<void()>& how) {
    index_.reset();
    how();
    source_.scans = 0;
    open();
    EXPECT_GT(source_.scans, 0);
    expect_sound(25);
  };
  const auto flip = [](const fs::path& path, std::streamoff at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(at);
    const int byte = file.get();
    file.seekp(at);
    file.put(static_cast<char>(byte ^ 0x40));
  };

  damage([&] { fs::remove_all(folder_); });
  damage([&] { fs::remove(files("manifest").front()); });
  damage([&] { fs::remove(files("segment-").front()); });
  damage([&] { fs::resize_file(files("segment-").front(), 100); });
  damage([&] { fs::resize_file(files("segment-").front(), 0); });
  damage([&] { fs::resize_file(files("manifest").front(), 20); });
  for (const std::streamoff at : {9, 12, 30, 60})
    damage([&] { flip(files("manifest").front(), at); });
  for (const std::streamoff at : {2, 40, 200, 700, 1500})
    damage([&] { flip(files("segment-").front(), at); });
}

TEST_F(PersistenceTest, AnotherHistoryLeadsToARebuild) {
  put_many(25);
  index_.reset();
  FakeSource other;  // as if an older backup had been restored
  for (int i = 0; i < 3; ++i)
    other.put(kDefaultSpace, "note", "m" + std::to_string(i), {}, {.text = {.body = "tea"}});
  Index index({.folder = folder_, .background = false});

  ASSERT_TRUE(index.open(other));

  EXPECT_EQ(index.search(owner_access(), {.query = "tea", .exact_total = true})->total, 3U);
}

TEST_F(PersistenceTest, ErasedWordsLeaveTheFolderAtOnce) {
  put_many(25);
  put("secret", "tea xyzzyplugh");
  put("n1", "tea number1 frobozz");
  put_many(20);
  index_->settle();
  ASSERT_TRUE(folder_holds("xyzzyplugh"));
  index_->on_commit(
      {source_.remove(kDefaultSpace, {"note", "secret"})});  // deleted first: still in the segment
  ASSERT_TRUE(folder_holds("xyzzyplugh"));

  index_->on_commit({source_.remove(kDefaultSpace, {"note", "secret"}, true)});

  EXPECT_FALSE(folder_holds("xyzzyplugh"));
  expect_sound(25);
  index_->settle();
  EXPECT_FALSE(folder_holds("xyzzyplugh"));
  source_.scans = 0;
  open();
  EXPECT_EQ(source_.scans, 0);
  expect_sound(25);
  EXPECT_FALSE(folder_holds("xyzzyplugh"));
}

TEST_F(PersistenceTest, ErasureTakesOldRevisionsToo) {
  put("secret", "tea xyzzyplugh");
  put_many(12);
  index_->settle();
  put("secret", "tea without it");
  ASSERT_TRUE(folder_holds("xyzzyplugh"));

  index_->on_commit({source_.remove(kDefaultSpace, {"note", "secret"}, true)});

  EXPECT_FALSE(folder_holds("xyzzyplugh"));
  expect_sound(12);
}

TEST_F(PersistenceTest, AKillBetweenErasureAndRewriteLeadsToARebuild) {
  put_many(30);
  index_->settle();
  index_->on_commit({source_.remove(kDefaultSpace, {"note", "n5"}, true)});
  const std::string killed = folder_ + ".killed";
  fs::remove_all(killed);
  fs::copy(folder_, killed, fs::copy_options::recursive);
  index_.reset();
  fs::remove_all(folder_);
  fs::rename(killed, folder_);

  open();

  expect_sound(29);
}

TEST_F(PersistenceTest, AnErasureThatTheIndexNeverSawIsReplayed) {
  put_many(30);
  put("n5", "tea xyzzyplugh");
  index_.reset();
  ASSERT_TRUE(folder_holds("xyzzyplugh"));
  source_.remove(kDefaultSpace, {"note", "n5"}, true);  // committed, then killed before on_commit
  source_.put(kDefaultSpace, "note", "n5", {}, {.text = {.body = "tea again"}});

  open();

  expect_sound(30);
  EXPECT_FALSE(folder_holds("xyzzyplugh"));
}

// The store refreshes facets without a journal entry when only the projection changed.
TEST_F(PersistenceTest, AKillLosesNoChangeThatTheJournalDoesNotKnow) {
  put_many(30);
  index_->settle();
  auto change = source_.put(kDefaultSpace, "note", "n3", {}, {.text = {.body = "coffee"}});
  source_.forget_last_entry(kDefaultSpace);
  change.entry = {};
  index_->on_commit({change});
  index_->settle();
  EXPECT_TRUE(files("manifest").empty());
  const std::string killed = folder_ + ".killed";
  fs::remove_all(killed);
  fs::copy(folder_, killed, fs::copy_options::recursive);
  index_.reset();
  EXPECT_FALSE(files("manifest").empty());
  fs::remove_all(folder_);
  fs::rename(killed, folder_);

  open();

  EXPECT_EQ(count("coffee"), 1U);
  expect_sound(29);
}

TEST_F(PersistenceTest, RebuildsWhileServing) {
  put_many(30);
  index_->settle();

  ASSERT_TRUE(index_->rebuild(kDefaultSpace, source_, [&](const IndexProgress& progress) {
    if (progress.documents == 30) put("late", "tea during the rebuild");
  }));

  expect_sound(31);
  source_.scans = 0;
  open();
  EXPECT_EQ(source_.scans, 0);
  expect_sound(31);
}

TEST_F(PersistenceTest, VerifyNamesWhatIsWrong) {
  put_many(3);
  source_.put(kDefaultSpace, "note", "unseen", {}, {.text = {.body = "tea"}});
  source_.put(kDefaultSpace, "note", "n1", {}, {.text = {.body = "changed"}});
  source_.remove(kDefaultSpace, {"note", "n2"});

  EXPECT_EQ(index_->verify(source_)->size(), 3U);
}

TEST_F(PersistenceTest, FoldersOfUnknownSpacesAreRemoved) {
  fs::create_directories(folder_ + "/gone");
  put_many(1);
  open();

  EXPECT_FALSE(fs::exists(folder_ + "/gone"));
}

// A process is killed at arbitrary moments while its background thread flushes and merges. Whatever
// it left, the next one opens to a sound index.
TEST_F(PersistenceTest, SurvivesBeingKilledWhileFlushing) {
  index_.reset();
  for (int round = 0; round < 8; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      Index index({.folder = folder_, .flush_documents = 60, .merge_width = 3});
      if (!index.open(source_)) ::_exit(1);
      while (source_next_ < 1500 * (round + 1)) index.on_commit({put_next()});
      ::pause();
    }
    ::usleep(static_cast<useconds_t>(3'000 + round * 7'000));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    // The same journal, further than the child got.
    while (source_next_ < 1500 * (round + 1)) put_next();
    index_ = std::make_unique<Index>(
        IndexOptions{.folder = folder_, .flush_documents = 60, .background = false});
    ASSERT_TRUE(index_->open(source_));
    const auto findings = index_->verify(source_);
    ASSERT_TRUE(findings->empty()) << findings->front();
    index_.reset();
  }
}

}  // namespace
}  // namespace holdfast::search
