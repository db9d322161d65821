#include "service/substrate/query_service.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "service/native/record.h"
#include "service/substrate/substrate_fixture.h"
#include "storage/sqlite/sqlite_store.h"
#include "storage/typed.h"

namespace holdfast::service::substrate {
namespace {

std::unique_ptr<storage::Store> open_store(const std::string& folder, const Clock& clock) {
  return std::move(*storage::open_sqlite_store({.path = folder + "/holdfast.db", .clock = clock}));
}

using Ids = std::vector<std::string>;

class QueryServiceTest : public ::testing::Test {
 protected:
  static CallContext owner() { return SubstrateFixture::owner(); }
  SearchAnswer search(const std::string& query, Filters filters = {}) {
    auto answer = fixture_.query.search(owner(), {.query = query, .filters = std::move(filters)});
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? std::move(*answer) : SearchAnswer();
  }
  static Ids ids(const SearchAnswer& answer) {
    Ids out;
    for (const SearchItem& item : answer.items) out.push_back(item.card.id);
    return out;
  }
  std::string work(const std::string& title, const std::string& summary = "s", WorkItem item = {}) {
    Declared declared = SubstrateFixture::declared(title);
    declared.kind = "task";
    declared.summary = summary;
    return fixture_.remember
        .work_item(owner(), {.declared = declared, .work_item = std::move(item)})
        ->object_id;
  }

  SubstrateFixture fixture_{open_store};
};

TEST_F(QueryServiceTest, ScoresFollowTheTable) {
  const std::string equal = work("narwhal");
  const std::string title = work("the NARWHAL list");
  const std::string summary = work("x1", "about a Narwhal");
  const std::string refs = work("x3", "s", {.related_node_refs = {"node:narwhal"}});

  const auto answer = search("narwhal");

  ASSERT_EQ(ids(answer), (Ids{equal, title, summary, refs}));
  EXPECT_EQ(answer.items[0].score, 120);
  EXPECT_EQ(answer.items[1].score, 20);
  EXPECT_EQ(answer.items[2].score, 10);
  EXPECT_EQ(answer.items[3].score, 8);
}

TEST_F(QueryServiceTest, RecordsOfAGraphAreNotJudgedByKeysAndReferences) {
  const std::string id = fixture_.know("narwhal list");  // its identity key has the title
  work("x1", "s", {.related_node_refs = {"node:narwhal"}});

  const auto answer = fixture_.query.search(owner(), {.query = "narwhal", .graph_backend = "file"});

  ASSERT_TRUE(answer);
  ASSERT_EQ(ids(*answer), (Ids{id}));
  EXPECT_EQ(answer->items[0].score, 20);
  EXPECT_EQ(ids(*fixture_.query.search(owner(), {.query = "fact", .graph_backend = "file"})),
            (Ids{id}));
}

TEST_F(QueryServiceTest, APartOfAWordMatches) {
  const std::string id = work("concatenate lists");

  EXPECT_EQ(ids(search("caten")), (Ids{id}));
  EXPECT_EQ(ids(search(id.substr(8, 10))), (Ids{id}));
}

TEST_F(QueryServiceTest, AStemAloneIsNoMatch) {
  work("running shoes");

  EXPECT_TRUE(search("runs").items.empty());
}

TEST_F(QueryServiceTest, EqualScoresGoByTitle) {
  const std::string b = work("b ocelot");
  const std::string a = work("a ocelot");

  EXPECT_EQ(ids(search("ocelot")), (Ids{a, b}));
}

// A long text ranks low in the index, and more match than are judged.
TEST_F(QueryServiceTest, WhatIsCalledSoIsFoundAmongManyThatMatch) {
  std::string filler;
  for (int i = 0; i < 200; ++i) filler += "other words " + std::to_string(i) + " ";
  const std::string exact = work("Narwhal", filler);
  const std::string phrase = work("Narwhal Watch", filler);
  for (int i = 0; i < 60; ++i) work("narwhal watch " + std::to_string(i));

  EXPECT_EQ(ids(search("narwhal")).front(), exact);
  // Both are called what one of the terms is; equal scores go by title.
  const Ids both = ids(search("narwhal watch"));
  ASSERT_GE(both.size(), 2U);
  EXPECT_EQ(Ids(both.begin(), both.begin() + 2), (Ids{exact, phrase}));
}

// The index likes short texts; the table counts where a word is.
// What only has the stem looks better to the index than what has the word.
TEST_F(QueryServiceTest, StemsDoNotCrowdTheWordOutAmongManyThatMatch) {
  for (int i = 0; i < 400; ++i) work(fmt::format("Other {}", i));  // too many to judge each
  for (int i = 0; i < 36; ++i) work(fmt::format("Sailing {}", i));
  for (int i = 0; i < 14; ++i) work(fmt::format("Boat {}", i), "Needs new sails");

  const auto answer = search("sails");

  ASSERT_EQ(answer.items.size(), 10U);
  for (const SearchItem& item : answer.items) EXPECT_EQ(item.score, 10) << item.card.title;
}

TEST_F(QueryServiceTest, TheTableJudgesAllThatMatches) {
  std::string long_text = "narwhal";
  for (int i = 0; i < 500; ++i) long_text += " word" + std::to_string(i);
  const std::string best = work("long", long_text, {.related_node_refs = {"node:narwhal"}});
  for (int i = 0; i < 120; ++i) work("x" + std::to_string(i), "narwhal walrus");

  const auto answer = search("narwhal walrus");

  ASSERT_FALSE(answer.items.empty());
  EXPECT_EQ(answer.items[0].card.id, best);
  EXPECT_EQ(answer.items[0].score, 18);
}

TEST_F(QueryServiceTest, TitlesThatBeginAlikeKeepTheirOrderInAContext) {
  Ids expected;
  for (int i = 99; i >= 60; --i) expected.push_back(work("Remember " + std::to_string(i)));
  std::ranges::reverse(expected);
  expected.resize(12);

  const auto answer = fixture_.query.context(owner(), {.task = "unheard of"});

  Ids got;
  for (const ContextItem& item : answer->items) got.push_back(item.card.id);
  EXPECT_EQ(got, expected);
}

TEST_F(QueryServiceTest, RecentItemsOfOneTimeGoById) {
  for (int i = 0; i < 40; ++i) fixture_.write(fmt::format("m{}.py", i), "def f(): pass\n");
  Ids expected = fixture_.ingest.repo(owner(), {.path = fixture_.files()}, {})->node_ids;
  std::ranges::sort(expected);
  expected.resize(5);

  for (const Filters& filters : {Filters{.object_types = {"node"}},
                                 Filters{.object_types = {"node"}, .statuses = {"active"}}}) {
    const auto items = fixture_.query.recent(owner(), {.max_items = 5, .filters = filters});

    Ids got;
    for (const RecentItem& item : *items) got.push_back(item.card.id);
    EXPECT_EQ(got, expected);
  }
}

TEST_F(QueryServiceTest, AContextKeepsItsOrderAmongManyThatMatch) {
  std::string filler;
  for (int i = 0; i < 200; ++i) filler += "other words " + std::to_string(i) + " ";
  for (int i = 100; i < 200; ++i) work("redis cache " + std::to_string(i));
  Declared declared = SubstrateFixture::declared("redis main");
  declared.summary = filler;
  const std::string better =
      fixture_.remember.knowledge(owner(), {.declared = declared})->object_id;  // a candidate

  const auto answer = fixture_.query.context(owner(), {.task = "redis", .max_items = 4});

  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->items.size(), 4U);
  EXPECT_EQ(answer->items[0].card.id, better);
  EXPECT_EQ(answer->items[1].card.title, "redis cache 100");
  EXPECT_EQ(answer->items[2].card.title, "redis cache 101");
  EXPECT_EQ(answer->items[3].card.title, "redis cache 102");
}

TEST_F(QueryServiceTest, AContextPrefersWhatHasMoreOfTheWords) {
  const std::string both = work("redis cache");
  for (int i = 0; i < 30; ++i) work("redis " + std::to_string(i), "about redis");
  for (int i = 0; i < 400; ++i) work("other " + std::to_string(i), "of a cache");

  const auto answer = fixture_.query.context(owner(), {.task = "cache, redis", .max_items = 2});

  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->items.size(), 2U);
  EXPECT_EQ(answer->items[0].card.id, both);
}

TEST_F(QueryServiceTest, AWordThatOnlySeemedToNameAKindHidesNothing) {
  const std::string id = fixture_.know("todo conventions");

  const auto answer = search("todo conventions");

  EXPECT_EQ(ids(answer), (Ids{id}));
  EXPECT_EQ(answer.inferred.object_types, (Ids{"work_item"}));
  EXPECT_TRUE(answer.applied.object_types.empty());
}

TEST_F(QueryServiceTest, AWordThatFiresARuleIsLookedForItself) {
  const std::string process = fixture_.know("部署流程");
  const std::string code = work("读源码");
  const std::string repo = work("Repo");
  const std::string report = work("x", "a quarterly report");

  EXPECT_EQ(ids(search("流程")), (Ids{process}));
  EXPECT_EQ(ids(search("repo", {.object_types = {"work_item"}})), (Ids{repo, report}));
  EXPECT_EQ(ids(search("源码", {.object_types = {"work_item"}})), (Ids{repo, code, report}));
}

TEST_F(QueryServiceTest, TemporaryKnowledgeIsHiddenUnlessAskedFor) {
  RememberKnowledge request{.declared = SubstrateFixture::declared("temp capybara")};
  request.lifecycle_state = "evaluation";
  const std::string id = fixture_.remember.knowledge(owner(), request)->object_id;

  EXPECT_TRUE(search("capybara").items.empty());
  EXPECT_EQ(ids(search("capybara", {.include_temporary = true})), (Ids{id}));
  EXPECT_EQ(ids(search("capybara", {.statuses = {"temporary"}})), (Ids{id}));
  EXPECT_TRUE(fixture_.query.recent(owner(), {})->empty());
}

TEST_F(QueryServiceTest, ReferencesOfEveryKindPassTheNodeFilter) {
  const std::string node = "node:lemur";
  const std::string related = work("lemur work", "s", {.related_node_refs = {node}});
  RememberKnowledge about{.declared = SubstrateFixture::declared("lemur claim")};
  about.payload = Value::object({{"value", Value::array({"node:other", node})}});
  const std::string claimed = fixture_.remember.knowledge(owner(), about)->object_id;
  work("lemur alone");

  Ids found = ids(search("lemur", {.node_ids = {node}}));

  std::ranges::sort(found);
  Ids expected = {related, claimed};
  std::ranges::sort(expected);
  EXPECT_EQ(found, expected);
}

TEST_F(QueryServiceTest, NothingToLookForIsNoError) {
  const auto answer = search("  ");

  EXPECT_TRUE(answer.blank);
  EXPECT_TRUE(answer.terms.empty());
}

TEST_F(QueryServiceTest, ASemanticBackendThatIsNotThereIsSaid) {
  const auto answer = fixture_.query.search(owner(), {.query = "x", .semantic_backend = "lancedb"});

  ASSERT_FALSE(answer);
  EXPECT_TRUE(answer.error().message.starts_with("Semantic search requires"));
}

TEST_F(QueryServiceTest, OtherSurfacesObjectsAreFoundAsWhatTheyAre) {
  NounCatalog nouns;
  nouns.add(service::memory_noun());
  for (const ObjectType type : kObjectTypes) nouns.add(noun_of(type));
  QueryService query(*fixture_.store, fixture_.gatekeeper, fixture_.index, nouns, fixture_.clock);
  const auto access = *fixture_.gatekeeper.require(owner(), access::Permission::kWrite);
  ASSERT_TRUE(fixture_.store->write(owner(), [&](storage::WriteTxn& txn) -> Status {
    const service::Record record{.text = "the pelican sleeps", .title = "Pelican"};
    HOLDFAST_TRY(const auto stored,
                 txn.put(access, storage::put_of(service::memory_noun(), "m1", record, {})));
    static_cast<void>(stored);
    return {};
  }));

  const auto answer = query.search(owner(), {.query = "pelican"});

  ASSERT_EQ(answer->items.size(), 1U);
  EXPECT_EQ(answer->items.front().card.object_type, "memory");
  EXPECT_EQ(answer->items.front().card.id, "m1");
  EXPECT_EQ((*query.page(owner(), "m1"))->object_type, "memory");
  EXPECT_TRUE(
      query.search(owner(), {.query = "pelican", .filters = {.object_types = {"knowledge"}}})
          ->items.empty());
}

TEST_F(QueryServiceTest, AContextIsMatchesThenTheRestByStatus) {
  const std::string unrelated = fixture_.know("unrelated");
  RememberKnowledge declared{.declared = SubstrateFixture::declared("declared")};
  declared.declared.memory_source = "user_declared";
  declared.status = "active";
  const std::string active = fixture_.remember.knowledge(owner(), declared)->object_id;
  const std::string match = fixture_.know("walrus choice");

  const auto answer = fixture_.query.context(owner(), {.task = "walrus"});

  Ids found;
  for (const ContextItem& item : answer->items) {
    if (item.card.object_type == "knowledge") found.push_back(item.card.id);
  }
  EXPECT_EQ(found, (Ids{match, active, unrelated}));
}

TEST_F(QueryServiceTest, NodesThatNothingIsAboutDoNotNarrowAContext) {
  fixture_.know("something");

  const auto answer =
      fixture_.query.context(owner(), {.task = "x", .scope = {.node_ids = {"node:none"}}});

  EXPECT_EQ(answer->items.size(), 1U);
}

TEST_F(QueryServiceTest, RecentFollowsChangesAndBounds) {
  const std::string first = fixture_.know("first");
  const std::string second = work("second");
  ASSERT_TRUE(fixture_.remember.contest(owner(), {.knowledge_id = first}));

  const auto all = fixture_.query.recent(owner(), {});
  const auto one = fixture_.query.recent(owner(), {.max_items = 1});
  const auto open = fixture_.query.recent(owner(), {.filters = {.statuses = {"open"}}});

  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ(all->front().card.id, first);
  EXPECT_EQ(one->front().card.id, first);
  ASSERT_EQ(open->size(), 1U);
  EXPECT_EQ(open->front().card.id, second);
}

TEST_F(QueryServiceTest, AGraphShowsWhoRefersHereOrWithABackendBothWays) {
  const std::string one = work("one");
  const std::string two = work("two", "s", {.depends_on = {one}});

  const auto incoming = fixture_.query.graph(owner(), {.id = one});
  const auto outgoing = fixture_.query.graph(owner(), {.id = two, .graph_backend = "file"});

  ASSERT_EQ(incoming->edges.size(), 1U);
  EXPECT_EQ(incoming->edges.front().target_id, two);
  EXPECT_EQ(incoming->edges.front().relation, "depends_on");
  ASSERT_EQ(outgoing->edges.size(), 1U);
  EXPECT_EQ(outgoing->edges.front().source_id, two);
  EXPECT_EQ(outgoing->edges.front().target_id, one);
}

TEST_F(QueryServiceTest, AClaimBetweenTwoThingsIsAnEdgeOfStubs) {
  RememberKnowledge request{.declared = SubstrateFixture::declared("uses")};
  request.payload =
      Value::object({{"subject", "node:app"}, {"predicate", "uses"}, {"object", "node:kuzu"}});
  const std::string origin = fixture_.remember.knowledge(owner(), request)->object_id;

  const auto graph = fixture_.query.graph(owner(), {.id = "node:kuzu", .graph_backend = "kuzu"});

  ASSERT_TRUE(graph->found);
  ASSERT_EQ(graph->edges.size(), 1U);
  EXPECT_EQ(graph->edges.front().relation, "uses");
  EXPECT_EQ(graph->edges.front().derived->origin_id, origin);
  EXPECT_TRUE(graph->nodes.front().stub);
  EXPECT_FALSE(fixture_.query.graph(owner(), {.id = "node:kuzu"})->found);
}

TEST_F(QueryServiceTest, ABudgetOfManyIdsIsSpentInOrder) {
  const std::string one = fixture_.know("one");
  const std::string two = fixture_.know("two");

  const auto answer = fixture_.query.expand_many(
      owner(), {.ids = {one, " " + one + " ", two, "know:none"}, .max_items = 1});

  ASSERT_EQ(answer->groups.size(), 3U);
  EXPECT_EQ(answer->groups[0].status, GroupStatus::kOk);
  EXPECT_EQ(answer->groups[1].status, GroupStatus::kBudgetExhausted);
  EXPECT_EQ(answer->groups[2].status, GroupStatus::kBudgetExhausted);
}

TEST_F(QueryServiceTest, ASpaceThatDoesNotExistYetIsEmpty) {
  CallContext call = owner();
  call.viewer.space = SpaceId{"elsewhere"};

  EXPECT_TRUE(fixture_.query.search(call, {.query = "x"})->items.empty());
  EXPECT_TRUE(fixture_.query.recent(call, {})->empty());
}

TEST_F(QueryServiceTest, SlicesAreLinesOfTheStoredText) {
  const auto source =
      fixture_.ingest.file(owner(), {.path = fixture_.write("s.txt", "l1\nl2\nl3\nl4\n")});

  const auto slice = fixture_.slices.slice(
      owner(), {.source_id = source->source_id, .line_start = 2, .line_end = 4, .max_lines = 2});

  EXPECT_EQ(slice->text, "l2\nl3");
  EXPECT_TRUE(slice->line_truncated);
  EXPECT_EQ(slice->next_line_start, 4);
  EXPECT_EQ(slice->total_lines, 4);
  EXPECT_EQ(slice->current_hash, slice->indexed_hash);
  const auto beyond =
      fixture_.slices.slice(owner(), {.source_id = source->source_id, .line_start = 9});
  EXPECT_EQ(beyond->text, "");
  EXPECT_EQ(beyond->line_end, 8);
  EXPECT_EQ(beyond->next_line_start, 0);
}

TEST_F(QueryServiceTest, TheLargestLineIsBeyondTheEndLikeOthers) {
  const auto source = fixture_.ingest.file(owner(), {.path = fixture_.write("s.txt", "l1\n")});
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

  const auto slice =
      fixture_.slices.slice(owner(), {.source_id = source->source_id, .line_start = kLargest});

  EXPECT_EQ(slice->status, SliceStatus::kOk);
  EXPECT_EQ(slice->text, "");
  EXPECT_EQ(slice->line_end, kLargest - 1);
}

}  // namespace
}  // namespace holdfast::service::substrate
