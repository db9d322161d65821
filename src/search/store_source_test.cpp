// The index over a real store: what was committed is found, and a restart finds the same.
#include "search/store_source.h"

#include <atomic>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "base/log.h"
#include "search/folder_fake.h"
#include "search/index.h"
#include "search/source_fake.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::search {
namespace {

namespace fs = std::filesystem;

struct Note {
  std::string body = {};
};

const Noun<Note>& note_noun() {
  static const Codec<Note> codec = Codec<Note>().field("body", &Note::body);
  static const Noun<Note> noun{.kind = "note", .codec = codec, .project = [](const Note& note) {
                                 return Projection{.facets = {Facet::of("tag", "note")},
                                                   .text = {.body = note.body}};
                               }};
  return noun;
}

class StoreSourceTest : public ::testing::Test {
 protected:
  StoreSourceTest() : folder_(test_folder("store_source")) {
    log::configure(log::Format::kText, log::Level::kError);
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    nouns_.add(note_noun());
    start();
  }
  ~StoreSourceTest() override {
    stop();
    fs::remove_all(folder_);
  }

  void start() {
    auto opened = storage::open_sqlite_store({.path = folder_ + "/store.db", .clock = clock_});
    ASSERT_TRUE(opened.has_value());
    store_ = std::move(*opened);
    gatekeeper_ = std::make_unique<access::Gatekeeper>(*store_, true);
    source_ = std::make_unique<StoreSource>(*store_, nouns_, *gatekeeper_);
    index_ =
        std::make_unique<Index>(IndexOptions{.folder = folder_ + "/index", .flush_documents = 8});
    ASSERT_TRUE(index_->open(*source_));
    store_->add_listener(*index_);
  }
  void stop() {
    store_->close();
    index_.reset();
    store_.reset();
  }
  void write(const storage::WriteClosure& closure) {
    ASSERT_TRUE(store_->write({.local_owner = true}, closure));
  }
  access::SpaceAccess access() const { return gatekeeper_->engine_access(kDefaultSpace); }
  void put(const std::string& id, const std::string& body) {
    write([&](storage::WriteTxn& txn) -> Status {
      HOLDFAST_CHECK_OK(txn.create_space(gatekeeper_->engine_admin(), kDefaultSpace));
      const Note note{body};
      HOLDFAST_TRY(const auto object,
                   txn.put(access(), {.key = {"note", id},
                                      .body = note_noun().codec.encode_text(note),
                                      .projection = note_noun().project(note)}));
      (void)object;
      return {};
    });
  }
  // Many at once, or none.
  Status put_hundred(const std::string& prefix, bool fails) {
    return store_->write({.local_owner = true}, [&](storage::WriteTxn& txn) -> Status {
      for (int i = 0; i < 100; ++i) {
        const Note note{"tea " + prefix};
        HOLDFAST_CHECK_OK(txn.add(access(), {.key = {"note", prefix + std::to_string(i)},
                                             .body = note_noun().codec.encode_text(note),
                                             .projection = note_noun().project(note),
                                             .fresh = true}));
      }
      return fails ? Status(invalid_argument("no")) : Status();
    });
  }
  size_t count(const std::string& query) const {
    return index_->search(access(), {.query = query, .exact_total = true})->total;
  }
  void expect_sound() {
    const auto findings = index_->verify(*source_);
    ASSERT_TRUE(findings.has_value());
    EXPECT_TRUE(findings->empty()) << findings->front();
  }

  std::string folder_;
  SystemClock clock_;
  NounCatalog nouns_;
  std::unique_ptr<storage::Store> store_;
  std::unique_ptr<access::Gatekeeper> gatekeeper_;
  std::unique_ptr<StoreSource> source_;
  std::unique_ptr<Index> index_;
};

TEST_F(StoreSourceTest, FollowsAStoreThroughRestartsAndARebuild) {
  for (int i = 0; i < 30; ++i) put("n" + std::to_string(i), "tea " + std::to_string(i));
  put("n3", "coffee");
  write([&](storage::WriteTxn& txn) { return txn.remove(access(), {"note", "n4"}, "gone"); });
  write([&](storage::WriteTxn& txn) { return txn.erase(access(), {"note", "n5"}, "forgotten"); });
  EXPECT_EQ(count("tea"), 27U);
  expect_sound();

  stop();
  start();
  EXPECT_EQ(count("tea"), 27U);
  expect_sound();

  stop();
  fs::remove_all(folder_ + "/index");
  start();
  EXPECT_EQ(count("tea"), 27U);
  EXPECT_EQ(count("coffee"), 1U);
  expect_sound();
}

TEST_F(StoreSourceTest, SearchesSeeLargeWritesWholeAndOnceTheyAreAnswered) {
  constexpr size_t kWriters = 4;
  constexpr size_t kWrites = 12;
  put("first", "coffee");
  std::atomic<size_t> answered = 0;
  std::atomic<size_t> running = kWriters;
  std::vector<std::thread> threads;
  for (size_t writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer] {
      for (size_t n = 0; n < kWrites; ++n) {
        const bool fails = n % 4 == 3;
        const std::string prefix = std::to_string(writer) + "w" + std::to_string(n) + "n";
        EXPECT_EQ(put_hundred(prefix, fails).has_value(), !fails);
        if (!fails) answered += 100;
        EXPECT_EQ(count("\"tea " + prefix + "\""), fails ? 0U : 100U);
      }
      --running;
    });
  }
  threads.emplace_back([&] {
    while (running > 0) {
      const size_t before = answered;
      const size_t found = count("tea");
      EXPECT_EQ(found % 100, 0U);
      EXPECT_GE(found, before);
    }
  });
  for (std::thread& thread : threads) thread.join();

  EXPECT_EQ(count("tea"), kWriters * kWrites * 100 * 3 / 4);
  expect_sound();
}

TEST_F(StoreSourceTest, ForgetsAnErasedSpace) {
  put("a", "tea");
  ASSERT_EQ(count("tea"), 1U);

  write([&](storage::WriteTxn& txn) {
    return txn.erase_space(gatekeeper_->engine_admin(), kDefaultSpace);
  });

  EXPECT_EQ(count("tea"), 0U);
  EXPECT_FALSE(fs::exists(folder_ + "/index/default"));
}

}  // namespace
}  // namespace holdfast::search
