// Lists by counters, and by pieces of words.
#include "search/counters.h"

#include <gtest/gtest.h>

#include "search/index.h"
#include "search/source_fake.h"

namespace holdfast::search {
namespace {

class CountersTest : public ::testing::Test {
 protected:
  CountersTest() : index_({.background = false}) {}

  ObjectNumber add(const std::string& id, const SearchText& text, std::vector<Facet> facets = {}) {
    const auto change =
        source_.put(kDefaultSpace, "note", id, {}, {.facets = std::move(facets), .text = text});
    index_.on_commit({change});
    return change.object.number;
  }
  std::vector<ObjectNumber> list(const ListRequest& request) {
    std::vector<ObjectNumber> numbers;
    const auto response = index_.list(owner_access(), request);
    for (const ListEntryHit& hit : response->hits) numbers.push_back(hit.number);
    return numbers;
  }
  using Numbers = std::vector<ObjectNumber>;

  FakeSource source_;
  Index index_;
};

TEST_F(CountersTest, ListsAreSortedByThem) {
  const ObjectNumber a = add("a", {.title = "a"});
  const ObjectNumber b = add("b", {.title = "b"});
  const ObjectNumber c = add("c", {.title = "c"});
  EXPECT_EQ(index_.counters().add(kDefaultSpace, b, "views", 2), 2);
  index_.counters().set(kDefaultSpace, c, "views", 1);
  const SortKey most{.by = SortKey::By::kCounter, .facet = "views", .descending = true};

  EXPECT_EQ(list({.sort = {most}}), (Numbers{b, c, a}));

  const auto first = index_.list(owner_access(), {.sort = {most}, .limit = 1});
  EXPECT_EQ(list({.sort = {most}, .after = first->hits.front().position}), (Numbers{c, a}));
  index_.counters().add(kDefaultSpace, a, "views", 5);
  EXPECT_EQ(list({.sort = {most}}), (Numbers{a, b, c})) << "at once";
}

TEST_F(CountersTest, ACounterGoesWithItsObject) {
  const ObjectNumber a = add("a", {.title = "a"});
  index_.counters().add(kDefaultSpace, a, "views", 3);

  add("a", {.title = "changed"});
  EXPECT_EQ(index_.counters().value(kDefaultSpace, a, "views"), 3) << "a change keeps it";

  index_.on_commit({source_.remove(kDefaultSpace, {"note", "a"})});
  EXPECT_EQ(index_.counters().value(kDefaultSpace, a, "views"), 0);
}

TEST_F(CountersTest, FacetsThatTheStoreDoesNotKeepAreFacetsHere) {
  const ObjectNumber a = add("a", {.title = "a"}, {Facet::of("~type", std::string("x"))});
  add("b", {.title = "b"}, {Facet::of("~type", std::string("y"))});

  EXPECT_EQ(list({.filter = {.facets = {{.name = "type", .any_of = {"x"}}}}}), (Numbers{a}));
}

TEST_F(CountersTest, InsideWordsFindsPiecesOfWordsInProse) {
  const ObjectNumber ratio = add("a", {.title = "Sharpe ratio", .summary = "annualization"});
  const ObjectNumber tagged = add("b", {.tags = {"ratio"}, .summary = "nothing here"});
  const ObjectNumber camel = add("c", {.summary = "call getRatioNow() twice"});
  const ObjectNumber odd = add("d", {.summary = "zz"}, {Facet::of("text", std::string("long"))});
  index_.settle();

  EXPECT_EQ(list({.filter = {.inside_words = {"atio"}}}), (Numbers{camel, ratio}));
  EXPECT_EQ(list({.filter = {.inside_words = {"ati", "nual"}}}), (Numbers{ratio}));
  EXPECT_EQ(list({.filter = {.inside_words = {"tratio"}}}), (Numbers{camel}));
  EXPECT_EQ(list({.filter = {.inside_words = {"qqq"}}}), Numbers{});
  const Filter unless{.inside_words = {"qqq"},
                      .inside_words_unless = Facet::of("text", std::string("long"))};
  EXPECT_EQ(list({.filter = unless}), (Numbers{odd}));
  EXPECT_EQ(list({.filter = {.inside_words = {"othing"}}}), (Numbers{tagged}));
}

}  // namespace
}  // namespace holdfast::search
