// Readers, a writer, flushes, merges, erasures and a rebuild at once: no torn answers, nothing a
// sanitiser minds.
#include <atomic>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "base/log.h"
#include "search/folder_fake.h"
#include "search/index.h"
#include "search/source_fake.h"

namespace holdfast::search {
namespace {

TEST(ConcurrencyTest, ReadersSeeWholeStatesWhileEverythingMoves) {
  log::configure(log::Format::kText, log::Level::kError);
  const std::string folder = test_folder("concurrency");
  std::filesystem::remove_all(folder);
  FakeSource source;
  Index index({.folder = folder,
               .flush_documents = 50,
               .merge_width = 3,
               .vector_dimensions = 2,
               .vector_model = "m"});
  ASSERT_TRUE(index.open(source));
  // Objects 0 to 99 always exist and always have the word; only their other words change.
  for (int i = 0; i < 100; ++i) {
    index.on_commit({source.put(kDefaultSpace, "note", std::to_string(i), {},
                                {.text = {.body = "tea steady", .conversation = "c"}})});
  }
  std::atomic<bool> stop = false;
  std::atomic<int> searches = 0;
  std::vector<std::thread> readers;
  for (int r = 0; r < 3; ++r) {
    readers.emplace_back([&, r] {
      const access::SpaceAccess access =
          r == 0 ? owner_access() : access_for({.actor = "x", .reach = Visibility::kPublic});
      while (!stop) {
        const auto found = index.search(
            access, {.query = "steady", .limit = 200, .exact_total = true, .neighbours = r == 2});
        ASSERT_GE(found->total, 100U);
        const auto listed = index.list(access, {.filter = {.kinds = {"note"}}, .limit = 200});
        ASSERT_EQ(listed->total, 100U);
        ASSERT_EQ(index.counts(access).front().documents, 100);
        ASSERT_TRUE(index.search(access, {.query = "steady extra", .vector = {1, 0}}));
        ++searches;
      }
    });
  }
  for (int round = 0; round < 400 || searches < 20; ++round) {
    std::vector<storage::Change> changes;
    for (int i = 0; i < 5; ++i) {
      const int id = (round * 7 + i * 13) % 100;
      changes.push_back(source.put(
          kDefaultSpace, "note", std::to_string(id), {},
          {.text = {.body = "tea steady " + std::to_string(round), .conversation = "c"}}));
      changes.push_back(source.put(kDefaultSpace, "other", std::to_string(round * 5 + i), {},
                                   {.text = {.body = "extra " + std::to_string(i)}}));
    }
    if (round > 10) {
      changes.push_back(source.remove(kDefaultSpace, {"other", std::to_string((round - 10) * 5)},
                                      round % 40 == 0));
    }
    index.on_commit(changes);
    if (round % 20 == 0) {
      EXPECT_TRUE(index.add_vector(kDefaultSpace, changes[0].object.number, {1, 1}));
    }
    if (round == 200) {
      EXPECT_TRUE(index.rebuild(kDefaultSpace, source));
    }
  }
  stop = true;
  for (auto& reader : readers) reader.join();
  EXPECT_TRUE(index.verify(source)->empty());
  index.close();
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace holdfast::search
