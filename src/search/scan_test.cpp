// Searches over more documents than one window or one block of postings holds, most of which score
// alike, compared with the oracle: what pruning leaves out must not be missed.
#include "search/scan.h"

#include <random>

#include <gtest/gtest.h>

#include "search/index.h"
#include "search/oracle_fake.h"
#include "search/source_fake.h"

namespace holdfast::search {
namespace {

class ScanTest : public ::testing::TestWithParam<bool> {
 protected:
  static constexpr uint32_t kDocuments = 5'000;  // three windows

  ScanTest()
      : index_(
            {.flush_documents = GetParam() ? kDocuments : 10 * kDocuments, .background = false}) {
    EXPECT_TRUE(index_.open(source_));
    for (uint32_t i = 0; i < kDocuments; ++i) put(std::to_string(i));
    if (GetParam()) index_.settle();  // into a segment
  }

  // "common" in most, "seldom" in a few, and between one and three words around them.
  void put(const std::string& id) {
    Projection projection;
    std::string& text = projection.text.body;
    if (pick(10) > 0) text = "common";
    if (pick(400) == 0) text += " seldom";
    if (pick(50) == 0) text += " common";
    for (unsigned i = pick(3); i > 0; --i) text += " word" + std::to_string(pick(50));
    const auto change = source_.put(kDefaultSpace, "note", id, Label(), projection);
    index_.on_commit({change});
    oracle_.put(change.object, change.projection);
  }
  void remove(const std::string& id) {
    const auto change = source_.remove(kDefaultSpace, {"note", id}, false);
    index_.on_commit({change});
    oracle_.remove(change.object.number);
  }
  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }

  // Page by page, as far as the pages go.
  void check(const std::string& query, size_t limit) {
    SearchRequest request{.query = query, .limit = limit};
    const Viewer viewer;
    const auto expected = oracle_.search(viewer, request);
    for (size_t at = 0; at < std::min<size_t>(expected.size(), 5 * limit);) {
      const auto answer = index_.search(access_for(viewer), request);
      ASSERT_TRUE(answer);
      ASSERT_EQ(answer->hits.size(), std::min(limit, expected.size() - at)) << query;
      for (const Hit& hit : answer->hits) {
        ASSERT_EQ(hit.number, expected[at].number) << query << " at " << at;
        ASSERT_NEAR(hit.score, expected[at].score, 1e-9);
        ++at;
      }
      request.after = SearchPosition{answer->hits.back().score, answer->hits.back().number};
    }
  }
  void check_all() {
    for (const size_t limit : {1U, 10U, 200U}) {
      for (const char* query : {"common", "seldom", "word7", "common seldom", "common word7 word8",
                                "seldom word1 word2 word3", "+common word9", "common -word3"})
        ASSERT_NO_FATAL_FAILURE(check(query, limit));
    }
  }

  std::mt19937 random_{7};
  FakeSource source_;
  Oracle oracle_;
  Index index_;
};

TEST(TopRankedTest, KeepsTheBestOfAllThatWereOffered) {
  std::mt19937 random(17);
  for (int round = 0; round < 500; ++round) {
    const size_t limit = 1 + random() % 70;
    std::optional<SearchPosition> after;
    if (round % 3 == 0) after = SearchPosition{.score = 3, .number = 50};
    TopRanked top(limit, after);
    std::vector<Ranked> all;
    for (uint32_t i = static_cast<uint32_t>(random() % 300); i > 0; --i) {
      const Ranked one{.score = static_cast<double>(random() % 6), .number = i};
      const bool fits = !after || Ranked{.score = 3, .number = 50}.before(one);
      if (fits) all.push_back(one);
      const bool rejected = top.rejects(one.score, one.number);
      const auto better =
          std::ranges::count_if(all, [&](const Ranked& other) { return other.before(one); });
      EXPECT_TRUE(!rejected || static_cast<size_t>(better) >= limit);
      top.offer(one);
    }
    std::ranges::sort(all, [](const Ranked& a, const Ranked& b) { return a.before(b); });
    if (all.size() > limit) all.resize(limit);
    const std::vector<Ranked> best = top.take_sorted();

    ASSERT_EQ(best.size(), all.size());
    for (size_t i = 0; i < best.size(); ++i) EXPECT_EQ(best[i].number, all[i].number);
  }
}

TEST_P(ScanTest, FindsTheNewestOfThoseThatScoreAlike) { check_all(); }

TEST_P(ScanTest, FindsThemAfterChanges) {
  for (uint32_t i = kDocuments - 40; i < kDocuments; ++i) remove(std::to_string(i));
  // Old numbers, new texts, more than a window of them.
  for (uint32_t i = 0; i < kDocuments; ++i) put(std::to_string(pick(kDocuments - 40)));
  check_all();
}

INSTANTIATE_TEST_SUITE_P(Parts, ScanTest, ::testing::Bool(),
                         [](const auto& parts) { return parts.param ? "Segment" : "Memtable"; });

}  // namespace
}  // namespace holdfast::search
