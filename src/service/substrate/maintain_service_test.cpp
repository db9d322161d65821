#include "service/substrate/maintain_service.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "service/substrate/page_files.h"
#include "service/substrate/substrate_fixture.h"
#include "service/substrate/words.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::service::substrate {
namespace {

std::unique_ptr<storage::Store> open_store(const std::string& folder, const Clock& clock) {
  return std::move(*storage::open_sqlite_store({.path = folder + "/holdfast.db", .clock = clock}));
}

class MaintainServiceTest : public ::testing::Test {
 protected:
  static CallContext owner() { return SubstrateFixture::owner(); }
  std::string fact(const std::string& title, Value value, const std::string& scope) {
    RememberKnowledge request{.declared = SubstrateFixture::declared(title, scope)};
    request.subject_refs = {"node:m"};
    request.payload = Value::object({{"predicate", "p"}, {"value", std::move(value)}});
    return fixture_.remember.knowledge(owner(), request)->object_id;
  }
  std::pair<std::string, std::string> pair() {
    RememberKnowledge request{.declared = SubstrateFixture::declared("Use Kuzu as graph backend")};
    request.declared.summary = "Kuzu is the local graph backend for memory.";
    const std::string first = fixture_.remember.knowledge(owner(), request)->object_id;
    request.declared.title = "Use Kuzu for graph backends";
    return {first, fixture_.remember.knowledge(owner(), request)->object_id};
  }
  std::string reason(const std::string& id) {
    return *fixture_.stored(id).find("reason")->if_string();
  }

  SubstrateFixture fixture_{open_store};
};

TEST_F(MaintainServiceTest, NothingToDoWritesNothing) {
  for (const auto& answer : {fixture_.maintain.merge_duplicates(owner()),
                             fixture_.maintain.promote_candidates(owner(), {}),
                             fixture_.maintain.decay_stale(owner(), {})}) {
    ASSERT_TRUE(answer);
    EXPECT_FALSE(answer->patch_id);
    EXPECT_EQ(answer->changed, 0);
    EXPECT_EQ(answer->projection_count, 3);
  }
  EXPECT_TRUE(fixture_.events().empty());
}

TEST_F(MaintainServiceTest, MergingKeepsTheStrongestAndItsReasons) {
  const std::string winner = fact("w", 1, "scope:a");
  const std::string loser = fact("l", 1, "scope:b");
  const std::string other = fact("o", 2, "scope:c");
  ASSERT_TRUE(fixture_.remember.promote(owner(), {.knowledge_id = winner}));

  const auto answer = fixture_.maintain.merge_duplicates(owner());

  EXPECT_EQ(answer->changed, 1);
  EXPECT_EQ(fixture_.status(winner), "active");
  EXPECT_EQ(fixture_.status(loser), "superseded");
  EXPECT_EQ(fixture_.status(other), "candidate");
  EXPECT_EQ(reason(winner), "maintain_merge_winner:" + loser);
  EXPECT_EQ(reason(loser), "maintain_merge_loser:" + winner);
  EXPECT_FALSE(fixture_.maintain.merge_duplicates(owner())->patch_id);
}

TEST_F(MaintainServiceTest, OnlyWhatWasVerifiedGoesStale) {
  RememberKnowledge request{.declared = SubstrateFixture::declared("old")};
  request.last_verified_at = "2026-01-01T00:00:00+00:00";
  const std::string old = fixture_.remember.knowledge(owner(), request)->object_id;
  const std::string never = fixture_.know("never");
  LifecycleParams params{.reference_time = "2026-01-31T00:00:00+00:00"};

  EXPECT_EQ(fixture_.maintain.decay_stale(owner(), params)->changed, 0);  // strictly before
  params.reference_time = "2026-01-31T00:00:01";
  EXPECT_EQ(fixture_.maintain.decay_stale(owner(), params)->changed, 1);
  EXPECT_EQ(fixture_.status(old), "stale");
  EXPECT_EQ(fixture_.status(never), "candidate");
}

TEST_F(MaintainServiceTest, AChangeSentAgainUnderItsKeyIsCountedOnce) {
  RememberKnowledge request{.declared = SubstrateFixture::declared("old")};
  request.last_verified_at = "2020-01-01T00:00:00+00:00";
  ASSERT_TRUE(fixture_.remember.knowledge(owner(), request));
  CallContext call = owner();
  call.idempotency_key = "k";

  const auto first = fixture_.maintain.decay_stale(call, {});
  const auto again = fixture_.maintain.decay_stale(call, {});

  EXPECT_EQ(first->changed, 1);
  EXPECT_EQ(again->changed, 1);
  EXPECT_EQ(first->patch_id, again->patch_id);
}

TEST_F(MaintainServiceTest, ResolvingChecksBeforeItChanges) {
  const auto [a, b] = pair();
  const std::string far = fixture_.know("Zebra");
  const auto refusal = [&](ResolveRequest request) {
    request.reason = "x";
    const auto answer = fixture_.maintain.resolve_duplicates(owner(), request);
    return answer ? std::string() : answer.error().message;
  };

  EXPECT_EQ(refusal({.knowledge_ids = {a, a}}), "knowledge_ids must not contain duplicates");
  EXPECT_EQ(refusal({.knowledge_ids = {a, "know:none"}}), "Knowledge not found: know:none");
  EXPECT_EQ(refusal({.knowledge_ids = {a, far}}),
            "knowledge_ids are not a current soft duplicate candidate");
  EXPECT_EQ(refusal({.knowledge_ids = {a, b}}),
            "canonical_knowledge_id must be one of knowledge_ids");
  EXPECT_EQ(refusal({.outcome = ResolveOutcome::kKeepBoth, .knowledge_ids = {a, b}}),
            "keep_both requires updates that clarify summary or scope_refs");
  EXPECT_EQ(refusal({.knowledge_ids = {a, b}, .canonical_knowledge_id = b}), "");
  EXPECT_EQ(fixture_.status(a), "superseded");
  EXPECT_EQ(fixture_.status(b), "active");
  EXPECT_EQ(refusal({.knowledge_ids = {a, b}, .canonical_knowledge_id = b}),
            "Knowledge is not resolvable: " + a);
}

TEST_F(MaintainServiceTest, AnArchivedSourceMakesStaleWhatRestsOnItAlone) {
  const auto ingest = [&](const std::string& name) {
    return fixture_.ingest.file(owner(), {.path = fixture_.write(name, "alpha\n")})->source_id;
  };
  const std::string one = ingest("one.txt");
  const std::string two = ingest("two.txt");
  const auto cite = [&](const std::string& title, const std::vector<std::string>& sources) {
    RememberKnowledge request{.declared = SubstrateFixture::declared(title)};
    for (const std::string& id : sources) request.evidence_refs.push_back({id, "1-alpha"});
    return fixture_.remember.knowledge(owner(), request)->object_id;
  };
  const std::string only = cite("only", {one});
  const std::string both = cite("both", {one, two});

  const auto answer = fixture_.maintain.archive_source(owner(), {.id = one, .reason = "bad"});

  EXPECT_EQ(answer->stale_knowledge_ids, (std::vector<std::string>{only}));
  EXPECT_EQ(answer->partially_affected_knowledge_ids, (std::vector<std::string>{both}));
  EXPECT_EQ(fixture_.status(one), "archived");
  EXPECT_EQ(fixture_.status(only), "stale");
  EXPECT_EQ(fixture_.status(both), "candidate");
}

TEST_F(MaintainServiceTest, RepairTakesOutWhatIsMissingAndNothingElse) {
  WorkItem item;
  item.related_node_refs = {"node:missing"};
  item.owner_refs = {"user:alice"};
  item.parent_ref.text = "work:missing";
  const std::string id =
      fixture_.remember
          .work_item(owner(), {.declared = SubstrateFixture::declared("w"), .work_item = item})
          ->object_id;

  const auto answer = fixture_.maintain.repair(owner());

  EXPECT_EQ(answer->result.changed, 1);
  const Value stored = fixture_.stored(id);
  EXPECT_EQ(*stored.find("related_node_refs"), Value::array());
  EXPECT_TRUE(stored.find("parent_ref")->is_null());
  EXPECT_EQ(*stored.find("owner_refs"), Value::array({"user:alice"}));
  EXPECT_EQ(fixture_.maintain.repair(owner())->result.projection_count, 0);
}

TEST_F(MaintainServiceTest, RepairTellsTheGraphAsItLeavesIt) {
  ASSERT_TRUE(fixture_.maintain.configure(owner(), {.graph_backend = "file"}));
  WorkItem item;
  item.related_node_refs = {"node:missing"};
  ASSERT_TRUE(fixture_.remember.work_item(
      owner(), {.declared = SubstrateFixture::declared("w"), .work_item = item}));

  const auto answer = fixture_.maintain.repair(owner());

  ASSERT_TRUE(answer->derived.graph);
  EXPECT_EQ(answer->derived.graph->counts.relations, 0);
  EXPECT_EQ(answer->derived.graph->stub_nodes, 0);
}

TEST_F(MaintainServiceTest, IssuesGoById) {
  for (int i = 0; i < 20; ++i) fact("f" + std::to_string(i), i, "scope:" + std::to_string(i));

  const auto issues = fixture_.maintain.structure(owner());

  ASSERT_EQ(issues->size(), 20U);
  EXPECT_TRUE(std::ranges::is_sorted(*issues, {}, &StructureIssue::target_id));
}

TEST_F(MaintainServiceTest, PagesFollowEveryCommitOnceTheyWereAskedFor) {
  const std::string root = fixture_.folder / "pages" / "default";
  const std::string first = fixture_.know("first page");
  EXPECT_TRUE(list_pages(root).empty());

  const auto written = fixture_.maintain.reindex(owner(), {});
  ASSERT_TRUE(written);
  EXPECT_EQ(written->written.size(), 5U);
  const std::string second = fixture_.know("second page");

  const auto answer = fixture_.remember.contest(owner(), {.knowledge_id = second});
  EXPECT_EQ(list_pages(root).size(), 7U);
  EXPECT_EQ(answer->projection_count, 7);
  EXPECT_TRUE(fixture_.maintain.structure(owner())->empty());
}

TEST_F(MaintainServiceTest, ForgettingAnObjectRemovesItsPages) {
  const std::string root = fixture_.folder / "pages" / "default";
  const std::string id = fixture_.know("secret page");
  ASSERT_TRUE(fixture_.maintain.reindex(owner(), {}));
  const auto access = *fixture_.gatekeeper.require(owner(), access::Permission::kWrite);

  ASSERT_TRUE(fixture_.store->write(owner(), [&](storage::WriteTxn& txn) {
    return txn.erase(access, {.kind = "knowledge", .id = id}, "forget");
  }));

  EXPECT_EQ(list_pages(root).size(), 3U);
}

TEST_F(MaintainServiceTest, APageThatIsGoneIsFoundAndRepaired) {
  const std::string root = fixture_.folder / "pages" / "default";
  fixture_.know("page");
  ASSERT_TRUE(fixture_.maintain.reindex(owner(), {}));
  for (const std::string& path : list_pages(root)) {
    if (path.starts_with("wiki/Knowledge")) remove_page(root, path);
  }
  remove_page(root, "wiki/Home.md");

  const auto issues = fixture_.maintain.structure(owner());

  ASSERT_EQ(issues->size(), 2U);
  for (const auto& issue : *issues) EXPECT_EQ(issue.kind, "missing_projection");
  EXPECT_EQ(fixture_.maintain.repair(owner())->result.projection_count, 5);
  EXPECT_TRUE(fixture_.maintain.structure(owner())->empty());
}

TEST_F(MaintainServiceTest, AWikiNeverOverwritesItsReader) {
  const std::string wiki = fixture_.folder / "wiki";
  EXPECT_EQ(fixture_.maintain.render_projection(owner()).error().message,
            "wiki_projection is not configured. Use memory_maintain configure first.");
  ASSERT_TRUE(fixture_.maintain.configure(owner(), {.wiki_path = wiki}));
  fixture_.know("mine");
  ASSERT_TRUE(write_page(wiki, "Notes.md", "# My own"));
  ASSERT_EQ(fixture_.maintain.render_projection(owner())->written.size(), 2U);
  ASSERT_TRUE(write_page(wiki, "Home.md", "edited"));

  const auto again = fixture_.maintain.render_projection(owner());
  const auto seen = fixture_.maintain.reconcile_projection(owner());

  ASSERT_EQ(again->conflicts.size(), 1U);
  EXPECT_EQ(again->conflicts.front().reason, "modified_generated_file");
  EXPECT_EQ(*read_page(wiki, "Home.md"), "edited");
  ASSERT_EQ(seen->remember_candidates.size(), 1U);
  EXPECT_EQ(seen->remember_candidates.front().path, "Notes.md");
  EXPECT_EQ(seen->conflicts.size(), 1U);
}

TEST_F(MaintainServiceTest, AForeignPageInTheWayIsAConflict) {
  const std::string wiki = fixture_.folder / "wiki";
  ASSERT_TRUE(fixture_.maintain.configure(owner(), {.wiki_path = wiki}));
  ASSERT_TRUE(write_page(wiki, "Home.md", "mine"));

  const auto answer = fixture_.maintain.render_projection(owner());

  ASSERT_EQ(answer->conflicts.size(), 1U);
  EXPECT_EQ(answer->conflicts.front().reason, "unmanaged_path_conflict");
  EXPECT_EQ(*read_page(wiki, "Home.md"), "mine");
}

TEST_F(MaintainServiceTest, WhatCannotBeReadIsNotOverwrittenEither) {
  const std::string wiki = fixture_.folder / "wiki";
  ASSERT_TRUE(fixture_.maintain.configure(owner(), {.wiki_path = wiki}));
  std::filesystem::create_directories(wiki);
  std::filesystem::create_symlink(wiki + "/nowhere", wiki + "/Home.md");

  const auto answer = fixture_.maintain.render_projection(owner());

  ASSERT_EQ(answer->conflicts.size(), 1U);
  EXPECT_EQ(answer->conflicts.front().reason, "unmanaged_path_conflict");
  EXPECT_TRUE(std::filesystem::is_symlink(wiki + "/Home.md"));
}

TEST_F(MaintainServiceTest, APageOfAnyTitleIsKnownAgain) {
  const std::string wiki = fixture_.folder / "wiki";
  ASSERT_TRUE(fixture_.maintain.configure(owner(), {.wiki_path = wiki}));
  fixture_.know("Wait... what");
  fixture_.know("v1..v2");
  std::string ideographs;
  for (int i = 0; i < 120; ++i) ideographs += "字";
  fixture_.know(ideographs);
  const auto first = fixture_.maintain.render_projection(owner());
  ASSERT_TRUE(first);

  const auto again = fixture_.maintain.render_projection(owner());

  EXPECT_EQ(first->written.size(), 4U);
  EXPECT_TRUE(again->conflicts.empty());
  EXPECT_TRUE(again->written.empty());
  const auto seen = fixture_.maintain.reconcile_projection(owner());
  EXPECT_TRUE(seen->conflicts.empty());
  EXPECT_TRUE(seen->remember_candidates.empty());
}

TEST_F(MaintainServiceTest, LongTitlesOfAnyScriptHaveTheirPages) {
  std::string title;
  for (int i = 0; i < 120; ++i) title += "😀";
  fixture_.know(title);

  const auto built = fixture_.maintain.reindex(owner(), {});

  EXPECT_EQ(built->written.size(), 5U);
  EXPECT_TRUE(fixture_.maintain.structure(owner())->empty());
}

TEST_F(MaintainServiceTest, PagesOfOthersAreShownAsTextWhateverTheyHold) {
  const std::string wiki = fixture_.folder / "wiki";
  ASSERT_TRUE(fixture_.maintain.configure(owner(), {.wiki_path = wiki}));
  ASSERT_TRUE(write_page(wiki, "caf\xe9.md", "caf\xe9"));

  const auto seen = fixture_.maintain.reconcile_projection(owner());

  ASSERT_EQ(seen->remember_candidates.size(), 1U);
  const auto& candidate = seen->remember_candidates.front();
  EXPECT_EQ(candidate.path, "caf\uFFFD.md");
  EXPECT_EQ(candidate.title, "caf\uFFFD");
  EXPECT_EQ(candidate.excerpt, "caf\uFFFD");
}

TEST_F(MaintainServiceTest, AWikiFolderIsOnePlaceWhoeverWritesThere) {
  const std::string here = std::filesystem::current_path();

  EXPECT_EQ(fixture_.maintain.configure(owner(), {.wiki_path = "a/../notes"})->wiki_path,
            here + "/notes");
  EXPECT_TRUE(
      fixture_.maintain.configure(owner(), {.wiki_path = "~/n"})->wiki_path->starts_with('/'));
  EXPECT_FALSE(fixture_.maintain.configure(owner(), {.wiki_path = " "}));
}

TEST_F(MaintainServiceTest, OnlyAnAdministratorNamesAWikiFolder) {
  EXPECT_EQ(
      fixture_.maintain.configure(SubstrateFixture::guest(), {.wiki_path = "/tmp/x"}).error().code,
      ErrorCode::kPermissionDenied);
}

TEST_F(MaintainServiceTest, AReportSaysWhatAChangeWouldDo) {
  const auto [a, b] = pair();
  fact("one", 1, "scope:x");
  fact("two", 1, "scope:y");

  const auto report = fixture_.maintain.report(owner(), {});

  ASSERT_EQ(report->soft_duplicates.size(), 1U);
  EXPECT_EQ(report->soft_duplicates.front().canonical, b);
  EXPECT_EQ(report->duplicate_groups.size(), 1U);
  EXPECT_FALSE(report->graph);
  EXPECT_EQ(fixture_.maintain.merge_duplicates(owner())->changed, 1);
}

}  // namespace
}  // namespace holdfast::service::substrate
