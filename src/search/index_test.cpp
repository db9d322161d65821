#include "search/index.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "search/source_fake.h"
#include "search/words.h"

namespace holdfast::search {
namespace {

class IndexTest : public ::testing::Test {
 protected:
  IndexTest() : index_({.background = false}) {}

  ObjectNumber add(const std::string& id, const Projection& projection, const Label& label = {},
                   const std::string& kind = "note") {
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

TEST_F(IndexTest, WordsMadeAheadAreThoseTheIndexMakes) {
  const SearchText text{.title = "The parser of parseQuery",
                        .ids = {"PROJ-1", "src/query.cpp"},
                        .tags = {"parsing", "parsers"},
                        .summary = "Parsed, parses: the query's own words. 漢字かな",
                        .body = "the the the C++"};
  const ObjectNumber made_here = add("here", {.text = text});
  const ObjectNumber made_ahead = add("ahead", {.text = text, .words = words_of(text)});

  for (const char* query : {"parse", "\"own words\"", "\"parsing parsers\"", "proj-1", "漢字",
                            "parsequery", "c++", "the"}) {
    const auto found = index_.search(owner_access(), {.query = query});
    std::vector<std::pair<ObjectNumber, double>> hits;
    for (const Hit& hit : found->hits) hits.emplace_back(hit.number, hit.score);
    if (hits.empty()) {
      EXPECT_STREQ(query, "\"parsing parsers\"") << "no phrase across two tags";
      continue;
    }
    ASSERT_EQ(hits.size(), 2U) << query;
    EXPECT_EQ(hits[0].first, made_ahead) << query;
    EXPECT_EQ(hits[1].first, made_here) << query;
    EXPECT_EQ(hits[0].second, hits[1].second) << query;
  }
}

TEST_F(IndexTest, WordsAreCountedByWeightAndKeptOnce) {
  const auto words = words_of({.title = "tea", .tags = {"tea", "green-tea"}, .body = "Tea teas"});

  std::map<std::string, uint32_t> frequencies;
  for (const Words::Form& form : words->forms)
    EXPECT_TRUE(frequencies.emplace(words->text(form), form.frequency).second);
  EXPECT_EQ(frequencies, (std::map<std::string, uint32_t>{
                             {"tea", 4 + 3 + 3 + 1}, {"green", 3}, {"green-tea", 3}, {"teas", 1}}));
  EXPECT_EQ(words->length, 4U + 3 + 3 + 3 + 1 + 1) << "the whole of green-tea has no length";
  EXPECT_EQ(words->tokens.size(), 8U) << "with a boundary between the tags";
  EXPECT_EQ(words_of({})->forms.size(), 0U);
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
  EXPECT_EQ(find({.query = "blue staging zebra", .match = MatchMode::kMinimum, .minimum_terms = 2}),
            (Numbers{near}));
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
  EXPECT_EQ(find({.query = "\"123 src\""}),
            Numbers{});  // no phrase reaches from one id into the next
}

TEST_F(IndexTest, TakesPreparedTermsWithAlternativesAndPrefixes) {
  const ObjectNumber one = add_text("kubernetes cluster");
  const ObjectNumber two = add_text("a kube proxy");

  EXPECT_EQ(find({.terms = {PreparedTerm::of("cluster")}}), (Numbers{one}));
  EXPECT_EQ(find({.terms = {{.alternatives = {{.text = "kub", .prefix = true}}}}}).size(), 2U);
  EXPECT_EQ(find({.terms = {{.alternatives = {{.text = "kub", .prefix = true}}},
                            {.alternatives = {{.text = "proxy"}}, .required = true}}}),
            (Numbers{two}));
  const auto response = index_.search(
      owner_access(), {.terms = {{.alternatives = {{.text = "cluster"}, {.text = "proxy"}}}}});
  EXPECT_EQ(response->hits.size(), 2U);
  EXPECT_EQ(response->hits[0].matched, std::vector<std::string>{"cluster"});
}

TEST_F(IndexTest, PagesThroughAListWithoutSkipsWhileOthersWrite) {
  std::vector<ObjectNumber> numbers;
  for (int i = 0; i < 30; ++i) {
    numbers.push_back(
        add("n" + std::to_string(i), {.text = {.body = "x", .at = from_micros(100 + i / 3)}}));
  }
  ListRequest request{.sort = {{.by = SortKey::By::kTime, .descending = true}}, .limit = 4};
  std::vector<ObjectNumber> listed;
  for (int page = 0;; ++page) {
    const auto response = index_.list(owner_access(), request);
    for (const auto& hit : response->hits) listed.push_back(hit.number);
    if (!response->has_more) break;
    request.after = response->hits.back().position;
    add("new" + std::to_string(page), {.text = {.body = "x", .at = from_micros(1000 + page)}});
    index_.on_commit(
        {source_.remove(kDefaultSpace, {"note", "n" + std::to_string(29 - 4 * page - 3)})});
  }

  std::ranges::reverse(numbers);
  EXPECT_EQ(listed, numbers);
}

TEST_F(IndexTest, SortsListsByTextAndNumberFacets) {
  const auto with = [](const std::string& name, int64_t due) {
    return Projection{.facets = {Facet::of("name", name), Facet::of("due", due)}};
  };
  const ObjectNumber b = add("1", with("b", 3));
  const ObjectNumber a = add("2", with("a", 3));
  const ObjectNumber none = add("3", {});
  const auto list = [&](std::vector<SortKey> sort) {
    std::vector<ObjectNumber> numbers;
    const auto response = index_.list(owner_access(), {.sort = std::move(sort)});
    for (const auto& hit : response->hits) numbers.push_back(hit.number);
    return numbers;
  };

  EXPECT_EQ(list({{.by = SortKey::By::kTextFacet, .facet = "name", .descending = false}}),
            (Numbers{none, a, b}));
  EXPECT_EQ(list({{.by = SortKey::By::kNumberFacet, .facet = "due"},
                  {.by = SortKey::By::kTextFacet, .facet = "name", .descending = false}}),
            (Numbers{a, b, none}));
  EXPECT_EQ(list({{.by = SortKey::By::kNumber, .descending = false}}), (Numbers{b, a, none}));
}

TEST_F(IndexTest, WhatHasNoIdOfItsOwnIsSortedByTheUlidsOfItsTime) {
  const auto with = [](const std::string& id, int64_t micros) {
    Projection projection{.text = {.at = from_micros(micros)}};
    if (!id.empty()) projection.facets = {Facet::of("id", id)};
    return projection;
  };
  constexpr int64_t kAt = 1'469'918'176'385'000;  // 01ARYZ6S41
  const ObjectNumber made = add("1", with("", kAt));
  const ObjectNumber later = add("2", with("", kAt + 1000));
  const ObjectNumber between = add("3", with("n_01ARYZ6S41ZZZ", 0));
  const ObjectNumber last = add("4", with("n_1", 0));
  const ObjectNumber first = add("5", with("n_01ARYZ6S40ZZZ", kAt));
  const ObjectNumber same = add("6", with("", kAt + 999));
  ListRequest request{.sort = {{.by = SortKey::By::kTextFacet,
                                .facet = "id",
                                .descending = false,
                                .or_ulid_behind = "n_"}},
                      .limit = 1};
  Numbers listed;
  for (bool more = true; more;) {
    const auto response = index_.list(owner_access(), request);
    listed.push_back(response->hits.front().number);
    request.after = response->hits.front().position;
    more = response->has_more;
  }

  EXPECT_EQ(listed, (Numbers{first, made, same, between, later, last}));
}

TEST_F(IndexTest, HiddenDocumentsChangeNoScoreOrderOrCount) {
  const Viewer stranger{.actor = "eve", .reach = Visibility::kPublic};
  Index alone({.background = false});
  for (int i = 0; i < 50; ++i) {
    const Projection projection{
        .text = {.body = "tea kettle number " + std::to_string(i % 7), .conversation = "talk"}};
    const auto change = source_.put(kDefaultSpace, "note", "p" + std::to_string(i), {}, projection);
    index_.on_commit({change});
    alone.on_commit({change});
    const Label hidden{.visibility = Visibility::kOwner, .owner = "alice"};
    index_.on_commit({source_.put(
        kDefaultSpace, "secret", "h" + std::to_string(i), hidden,
        {.text = {.body = "tea tea secret " + std::to_string(i), .conversation = "talk"}})});
  }

  for (const bool neighbours : {false, true}) {
    const SearchRequest request{
        .query = "tea number 3 secret", .exact_total = true, .neighbours = neighbours};
    const auto mixed = index_.search(access_for(stranger), request);
    const auto expected = alone.search(access_for(stranger), request);
    ASSERT_EQ(mixed->hits.size(), expected->hits.size());
    EXPECT_EQ(mixed->total, expected->total);
    EXPECT_EQ(mixed->documents, expected->documents);
    for (size_t i = 0; i < mixed->hits.size(); ++i) {
      EXPECT_EQ(mixed->hits[i].number, expected->hits[i].number);
      EXPECT_EQ(mixed->hits[i].score, expected->hits[i].score);
      EXPECT_EQ(mixed->hits[i].matched, expected->hits[i].matched);
    }
  }
  EXPECT_EQ(index_.counts(access_for(stranger)), (std::vector<KindCount>{{"note", 50}}));
}

TEST_F(IndexTest, SpacesKnowNothingOfEachOther) {
  add_text("tea");
  const SpaceId other("other");

  EXPECT_TRUE(index_.search(owner_access(other), {.query = "tea"})->hits.empty());
  index_.on_commit({source_.put(other, "note", "x", {}, {.text = {.body = "tea"}})});
  EXPECT_EQ(index_.search(owner_access(other), {.query = "tea"})->documents, 1);
  index_.drop(other);
  EXPECT_TRUE(index_.search(owner_access(other), {.query = "tea"})->hits.empty());
}

TEST_F(IndexTest, RefusesPagesBeyondTheLimits) {
  EXPECT_EQ(index_.search(owner_access(), {.limit = kMaxLimit + 1}).error().code,
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(index_.list(owner_access(), {.offset = kMaxWindow}).error().code,
            ErrorCode::kInvalidArgument);
}

TEST_F(IndexTest, FusesWordsAndVectorsByRank) {
  Index index({.background = false, .vector_dimensions = 2, .vector_model = "m"});
  std::vector<ObjectNumber> numbers;
  for (const std::string body : {"tea", "tea pot", "coffee", "hidden tea"}) {
    Label label;
    if (body.starts_with("hidden")) label = {.visibility = Visibility::kOwner, .owner = "alice"};
    const auto change = source_.put(kDefaultSpace, "note", body, label, {.text = {.body = body}});
    index.on_commit({change});
    numbers.push_back(change.object.number);
  }
  ASSERT_TRUE(index.add_vector(kDefaultSpace, numbers[1], {0, 1}));
  ASSERT_TRUE(index.add_vector(kDefaultSpace, numbers[2], {1, 0.1F}));
  ASSERT_TRUE(index.add_vector(kDefaultSpace, numbers[3], {1, 0}));
  const access::SpaceAccess eve = access_for({.actor = "eve"});

  const auto response = index.search(eve, {.query = "tea", .vector = {0, 1}, .explain = true});

  ASSERT_EQ(response->hits.size(), 3U);
  EXPECT_EQ(response->hits[0].number, numbers[1]);  // second by words, first by vector
  EXPECT_DOUBLE_EQ(response->hits[0].score, 1.0 / 62 + 1.0 / 61);
  EXPECT_EQ(response->hits[0].explanation->ranks.size(), 2U);
  EXPECT_EQ(response->hits[0].kind, "note");
  EXPECT_EQ(response->hits[2].number, numbers[2]);
  EXPECT_TRUE(response->hits[2].similarity.has_value());
  index.on_commit({source_.remove(kDefaultSpace, {"note", "coffee"}, true)});
  EXPECT_FALSE(index.has_vector(kDefaultSpace, numbers[2]));
}

TEST_F(IndexTest, JudgesTurnsWithTheirNeighboursAndSpeaker) {
  const auto turn = [&](const std::string& id, const std::string& speaker, const std::string& body,
                        int64_t at) {
    return add(
        id, {.text = {
                 .body = body, .conversation = "talk", .speaker = speaker, .at = from_micros(at)}});
  };
  const ObjectNumber question = turn("1", "Ann", "Where did you go hiking last summer?", 1);
  const ObjectNumber answer = turn("2", "Bea", "To the lake with my sister.", 2);
  const ObjectNumber other = turn("9", "Ann", "Something unrelated", 9);
  turn("5", "Ann", "filler", 5);
  turn("6", "Ann", "filler", 6);

  const auto response =
      index_.search(owner_access(), {.query = "hiking", .neighbours = true, .explain = true});

  ASSERT_GE(response->hits.size(), 2U);
  EXPECT_EQ(response->hits[0].number, question);
  EXPECT_EQ(response->hits[1].number, answer);
  EXPECT_EQ(response->hits[1].explanation->lexical, 0);
  EXPECT_EQ(response->hits[1].explanation->neighbours[0].number, question);
  for (const Hit& hit : response->hits) EXPECT_NE(hit.number, other);
  const Numbers lake =
      find({.query = "what did Bea say of summer or the lake", .speaker_boost = 5});
  EXPECT_EQ(lake.front(), answer);
}

// What only its neighbours lift may be passed over far down, but nothing comes twice and the pages
// go on well past the turns looked at for the first one.
TEST_F(IndexTest, PagesThroughTurnsWithoutRepeats) {
  constexpr size_t kTurns = 300;
  for (size_t i = 0; i < kTurns; ++i) {
    add(std::to_string(i), {.text = {.body = "hiking " + std::string(i % 7, 'x'),
                                     .conversation = "talk" + std::to_string(i % 20),
                                     .at = from_micros(static_cast<int64_t>(i))}});
  }
  std::set<ObjectNumber> seen;
  SearchRequest request{.query = "hiking", .limit = 20, .neighbours = true};
  while (true) {
    const auto response = index_.search(owner_access(), request);
    for (const Hit& hit : response->hits) ASSERT_TRUE(seen.insert(hit.number).second);
    if (response->hits.size() < 20) break;
    request.after = SearchPosition{.score = response->hits.back().score,
                                   .number = response->hits.back().number};
  }
  EXPECT_GT(seen.size(), kTurns * 2 / 3);
}

}  // namespace
}  // namespace holdfast::search
