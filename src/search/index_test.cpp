#include "search/index.h"

#include <gtest/gtest.h>

#include "search/source_fake.h"

namespace holdfast::search {
namespace {

class IndexTest : public ::testing::Test {
 protected:
  IndexTest() : index_({.background = false}) {}

  ObjectNumber add(const std::string& id, Projection projection, const Label& label = {}, const std::string& kind = "note") {
    const auto change = source_.put(kDefaultSpace, kind, id, label, projection);
    index_.on_commit({change});
    return change.object.number;
  }
  ObjectNumber add_text(const std::string& body) {
    return add("n" + std::to_string(++count_), {.text = {.body = body}});
  }
  std::vector<ObjectNumber> find(const SearchRequest& request) {
    std::vector<ObjectNumber> numbers;
    const auto response = index_.search(owner_access(), request);
    for (const Hit& hit : response->hits) numbers.push_back(hit.number);
    return numbers;
  }
  using Numbers = std::vector<ObjectNumber>;

  FakeSource source_;
  Index index_;
  int count_ = 0;
};

TEST_F(IndexTest, FindsACommittedChangeAtOnce) {
  const ObjectNumber tea = add_text("The tea ceremony in Kyoto");
  add_text("Coffee in Vienna");

  const auto response = index_.search(owner_access(), {.query = "ceremonies"});

  ASSERT_EQ(response->hits.size(), 1U);
  EXPECT_EQ(response->hits[0].number, tea);
  EXPECT_EQ(response->hits[0].kind, "note");
  EXPECT_EQ(response->hits[0].matched, std::vector<std::string>{"ceremonies"});
  EXPECT_EQ(response->total, 1U);
  EXPECT_TRUE(response->total_is_exact);
}

TEST_F(IndexTest, RanksTitlesAboveBodiesAndForgetsOldRevisions) {
  const ObjectNumber body = add("a", {.text = {.title = "x y", .body = "rollback"}});
  const ObjectNumber title = add("b", {.text = {.title = "rollback y", .body = "x"}});

  EXPECT_EQ(find({.query = "rollback"}), (Numbers{title, body}));

  add("b", {.text = {.title = "something else"}});
  EXPECT_EQ(find({.query = "rollback"}), (Numbers{body}));
  index_.on_commit({source_.remove(kDefaultSpace, {"note", "a"})});
  EXPECT_EQ(find({.query = "rollback"}), Numbers{});
}

TEST_F(IndexTest, UnderstandsPhrasesExclusionsAndModes) {
  const ObjectNumber near = add_text("blue green deployment on staging");
  const ObjectNumber far = add_text("green paint and a blue wall, deployment pending");

  EXPECT_EQ(find({.query = "\"blue green\""}), (Numbers{near}));
  EXPECT_EQ(find({.query = "\"blue green\"", .plain = true}).size(), 2U);
  EXPECT_EQ(find({.query = "blue -staging"}), (Numbers{far}));
  EXPECT_EQ(find({.query = "blue -\"blue green\""}), (Numbers{far}));
  EXPECT_EQ(find({.query = "blue staging", .match = MatchMode::kAll}), (Numbers{near}));
  EXPECT_EQ(find({.query = "blue staging zebra", .match = MatchMode::kMinimum, .minimum_terms = 2}), (Numbers{near}));
  EXPECT_EQ(find({.query = "blue zebra", .match = MatchMode::kAll}), Numbers{});
  EXPECT_EQ(find({.query = "the"}), Numbers{});
  EXPECT_EQ(find({.query = "and a"}), (Numbers{far}));
  EXPECT_EQ(find({.query = "-blue"}), Numbers{});
}

TEST_F(IndexTest, FindsIdentifiersWholeAndInParts) {
  const ObjectNumber path = add("a", {.text = {.ids = {"src/search/queryParser.cpp", "PROJ-123"}}});
  const ObjectNumber other = add("b", {.text = {.body = "PROJ 7 and ticket 123 of the parser"}});

  EXPECT_EQ(find({.query = "PROJ-123"}).front(), path);
  EXPECT_EQ(find({.query = "queryparser"}), (Numbers{path}));
  EXPECT_EQ(find({.query = "queryParser.cpp"}).front(), path);
  EXPECT_EQ(find({.query = "parser"}).size(), 2U);
  EXPECT_EQ(find({.query = "proj-123", .match = MatchMode::kAll}), (Numbers{path, other}));
  EXPECT_EQ(find({.query = "\"123 src\""}), Numbers{});  // no phrase reaches from one id into the next
}

TEST_F(IndexTest, TakesPreparedTermsWithAlternativesAndPrefixes) {
  const ObjectNumber one = add_text("kubernetes cluster");
  const ObjectNumber two = add_text("a kube proxy");

  EXPECT_EQ(find({.terms = {PreparedTerm::of("cluster")}}), (Numbers{one}));
  EXPECT_EQ(find({.terms = {{.alternatives = {{.text = "kub", .prefix = true}}}}}).size(), 2U);
  EXPECT_EQ(find({.terms = {{.alternatives = {{.text = "kub", .prefix = true}}}, {.alternatives = {{.text = "proxy"}}, .required = true}}}),
            (Numbers{two}));
  const auto response = index_.search(owner_access(), {.terms = {{.alternatives = {{.text = "cluster"}, {.text = "proxy"}}}}});
  EXPECT_EQ(response->hits.size(), 2U);
  EXPECT_EQ(response->hits[0].matched, std::vector<std::string>{"cluster"});
}

}  // namespace
}  // namespace holdfast::search
