#include "service/substrate/remember_service.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/json_text.h"
#include "service/substrate/substrate_fixture.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::service::substrate {
namespace {

std::unique_ptr<storage::Store> open_store(const std::string& folder, const Clock& clock) {
  return std::move(*storage::open_sqlite_store({.path = folder + "/holdfast.db", .clock = clock}));
}

class RememberServiceTest : public ::testing::Test {
 protected:
  static CallContext owner() { return SubstrateFixture::owner(); }
  static RememberKnowledge claim(const std::string& title, Value value,
                                 const std::string& scope = "scope:p") {
    return SubstrateFixture::claim(title, "node:x", std::move(value), scope);
  }
  Result<Remembered> knowledge(const RememberKnowledge& request) {
    return fixture_.remember.knowledge(owner(), request);
  }
  std::string refusal(const RememberKnowledge& request) {
    const auto answer = knowledge(request);
    return answer ? "" : answer.error().message;
  }

  SubstrateFixture fixture_{open_store};
};

TEST_F(RememberServiceTest, WhatAnAgentInfersIsACandidate) {
  RememberKnowledge request = claim("a", "python");
  request.status = "active";

  const auto answer = knowledge(request);

  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, "candidate");
  EXPECT_EQ(answer->audit_event_ids.size(), 1U);
  EXPECT_EQ(answer->evidence_contract->provenance, "evidence_absent");
  EXPECT_TRUE(answer->evidence_contract->requires_review);
}

TEST_F(RememberServiceTest, ActiveKnowledgeNeedsEvidenceOrAPerson) {
  RememberKnowledge request{.declared = SubstrateFixture::declared("needs")};
  request.status = "active";
  request.declared.memory_source = "imported";
  request.source_text = "a text does not help";

  EXPECT_EQ(refusal(request),
            "active knowledge requires evidence_refs unless user-declared or human-curated");
  EXPECT_TRUE(fixture_.events().empty());
  request.declared.memory_source = "user_declared";
  EXPECT_EQ(knowledge(request)->status, "active");
}

TEST_F(RememberServiceTest, ADeclarationBecomesASourceThatIsCited) {
  RememberKnowledge request{.declared = SubstrateFixture::declared("Tabs")};
  request.declared.summary = "Use tabs.";
  request.declared.memory_source = "user_declared";

  const auto answer = knowledge(request);

  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->evidence_contract->provenance, "declaration_source_created");
  EXPECT_EQ(answer->audit_event_ids.size(), 2U);
  const Value source = fixture_.stored(*answer->evidence_contract->generated_source_id);
  EXPECT_EQ(*source.find("kind"), Value("declaration"));
  EXPECT_EQ(to_json(*fixture_.stored(answer->object_id).find("evidence_refs")),
            to_json(Value::array({Value::object(
                {{"source_id", *source.find("id")},
                 {"segment_id", "seg:declaration"},
                 {"locator", *source.find("segments")->if_array()->front().find("locator")},
                 {"hash", *source.find("fingerprint")}})})));
}

TEST_F(RememberServiceTest, TheLinesOfADeclarationAreThoseOfItsSlice) {
  RememberKnowledge request{.declared = SubstrateFixture::declared("t")};
  request.source_text = "one\r\ntwo\n";
  const auto answer = fixture_.remember.knowledge(owner(), request);
  const std::string source = *answer->evidence_contract->generated_source_id;

  const auto slice =
      fixture_.slices.slice(owner(), {.source_id = source, .segment_id = "seg:declaration"});

  EXPECT_EQ(slice->requested_line_end, 2);
  EXPECT_FALSE(slice->line_truncated);
}

TEST_F(RememberServiceTest, AnEqualClaimInAnOverlappingScopeIsRefused) {
  const std::string first = knowledge(claim("a", "python"))->object_id;
  RememberKnowledge again = claim("b", "python");
  again.declared.scope_refs = {"scope:p", "scope:z"};

  EXPECT_EQ(refusal(again), "duplicate knowledge exists: " + first);
  again.allow_duplicate = true;
  EXPECT_EQ(knowledge(again)->status, "candidate");
  EXPECT_EQ(knowledge(claim("c", "python", "scope:far"))->status, "candidate");
}

TEST_F(RememberServiceTest, OneAndOnePointZeroAreDifferentValues) {
  ASSERT_TRUE(knowledge(claim("a", 1)));

  EXPECT_EQ(knowledge(claim("b", 1.0))->status, "contested");
}

TEST_F(RememberServiceTest, AContradictionIsContestedAndTheOlderClaimStays) {
  const std::string first = knowledge(claim("a", "python"))->object_id;

  const auto second = knowledge(claim("b", "go"));

  EXPECT_EQ(second->status, "contested");
  EXPECT_EQ(fixture_.status(first), "candidate");
  const Value stored = fixture_.stored(second->object_id);
  EXPECT_EQ(*stored.find("conflicts_with"), Value::array({first}));
  EXPECT_EQ(*stored.find("payload")->find("metadata")->find("conflicts_with"),
            Value::array({first}));
}

TEST_F(RememberServiceTest, SupersededClaimsNeitherRepeatNorContradict) {
  const std::string old = knowledge(claim("old", 1))->object_id;
  const std::string fresh = knowledge(claim("new", 2))->object_id;
  ASSERT_TRUE(
      fixture_.remember.supersede(owner(), {.old_knowledge_id = old, .new_knowledge_id = fresh}));

  EXPECT_EQ(knowledge(claim("old again", 1))->status, "contested");
  EXPECT_EQ(refusal(claim("new again", 2)), "duplicate knowledge exists: " + fresh);
}

TEST_F(RememberServiceTest, TwoCallersCannotStoreOneClaimTwice) {
  std::atomic<int> stored = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&] { stored += knowledge(claim("race", 7)) ? 1 : 0; });
  }
  for (std::thread& caller : callers) caller.join();

  EXPECT_EQ(stored, 1);
}

TEST_F(RememberServiceTest, ACallSentAgainUnderItsKeyIsAnsweredNotRepeated) {
  CallContext call = owner();
  call.idempotency_key = "k1";

  const auto first = fixture_.remember.knowledge(call, claim("once", 1));
  const auto again = fixture_.remember.knowledge(call, claim("once", 1));
  const auto entry = fixture_.remember.knowledge(call, claim("entry", 2), {.part = "#1"});

  ASSERT_TRUE(first && again && entry);
  EXPECT_EQ(first->object_id, again->object_id);
  EXPECT_EQ(first->patch_id, again->patch_id);
  EXPECT_EQ(first->evidence_contract->provenance, again->evidence_contract->provenance);
  EXPECT_NE(entry->object_id, first->object_id);
  EXPECT_EQ(fixture_.events().size(), 2U);
}

TEST_F(RememberServiceTest, EvidenceMustBeThere) {
  const auto ingested = fixture_.ingest.file(
      owner(), {.path = fixture_.write("g.txt", "alpha beta\n\ngamma delta\n")});
  const std::string& source = ingested->source_id;
  const auto with = [&](EvidenceRef ref) {
    RememberKnowledge request{.declared = SubstrateFixture::declared("e")};
    request.evidence_refs = {std::move(ref)};
    return request;
  };

  EXPECT_EQ(refusal(with({"", "s"})), "evidence_refs source_id is required");
  EXPECT_EQ(refusal(with({source, " "})), "evidence_refs segment_id is required for " + source);
  EXPECT_EQ(refusal(with({"src:none", "s"})), "evidence_refs source not found: src:none");
  EXPECT_EQ(refusal(with({source, "nope"})),
            "evidence_refs segment not found: " + source + "#nope");
  EXPECT_EQ(refusal(with({source, "1-alpha-beta", Value::object({{"kind", "line"}})})),
            "evidence_refs locator mismatch: " + source + "#1-alpha-beta");
  EXPECT_EQ(refusal(with({source, "1-alpha-beta", std::nullopt, "bad"})),
            "evidence_refs hash mismatch: " + source + "#1-alpha-beta");
  EXPECT_EQ(knowledge(with({source, "1-alpha-beta"}))->evidence_contract->provenance,
            "caller_evidence_refs");
}

TEST_F(RememberServiceTest, TemporaryWordsMakeItTemporary) {
  RememberKnowledge request{.declared = SubstrateFixture::declared("temp")};
  request.lifecycle_state = "scratch";

  const auto answer = knowledge(request);

  EXPECT_EQ(answer->status, "temporary");
  EXPECT_EQ(*fixture_.stored(answer->object_id).find("lifecycle_state"), Value("scratch"));
}

TEST_F(RememberServiceTest, SimilarKnowledgeIsPointedOutInItsScopeOnly) {
  RememberKnowledge first{.declared = SubstrateFixture::declared("Use Kuzu as graph backend")};
  first.declared.summary = "Kuzu is the local graph backend for memory.";
  const std::string id = knowledge(first)->object_id;
  RememberKnowledge second = first;
  second.declared.title = "Use Kuzu for graph backends";

  const auto near = knowledge(second);
  second.declared.scope_refs = {"scope:far"};
  const auto far = knowledge(second);

  ASSERT_EQ(near->possible_duplicates.size(), 1U);
  EXPECT_EQ(near->possible_duplicates.front().object_id, id);
  EXPECT_TRUE(far->possible_duplicates.empty());
}

TEST_F(RememberServiceTest, SimilarKnowledgeIsFoundBehindManyThatAreNot) {
  RememberKnowledge request{.declared = SubstrateFixture::declared("narwhal")};
  for (int i = 0; i < 300; ++i) request.declared.summary += " word" + std::to_string(i);
  const std::string alike = knowledge(request)->object_id;
  for (int i = 0; i < 40; ++i) {
    request.declared.title = fmt::format("narwhal other{}", i);
    request.declared.summary = fmt::format("design a{0} b{0} c{0}", i);
    ASSERT_TRUE(knowledge(request));
  }
  request.declared.title = "narwhal";
  request.declared.summary = "design config wiki";

  const auto answer = knowledge(request);

  ASSERT_EQ(answer->possible_duplicates.size(), 1U);
  EXPECT_EQ(answer->possible_duplicates[0].object_id, alike);
}

TEST_F(RememberServiceTest, TheFirstOfManyEqualOnesAreThoseOfTheSmallestIds) {
  std::vector<std::string> ids;
  const RememberKnowledge request{.declared = SubstrateFixture::declared("Use Kuzu as backend")};
  for (int i = 0; i < 40; ++i) ids.push_back(knowledge(request)->object_id);
  std::ranges::sort(ids);

  const auto answer = knowledge(request);

  ASSERT_EQ(answer->possible_duplicates.size(), 5U);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(answer->possible_duplicates[i].object_id, ids[i]);
}

TEST_F(RememberServiceTest, AStatusWithAResolutionIsTwoOperationsOnOneState) {
  const auto made =
      fixture_.remember.work_item(owner(), {.declared = SubstrateFixture::declared("w")});

  const auto answer = fixture_.remember.work_item_status(owner(), {.work_item_id = made->object_id,
                                                                   .status = "resolved",
                                                                   .reason = "done",
                                                                   .memory_source = "user_declared",
                                                                   .resolution = "shipped"});

  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->old_status, "open");
  const auto events = fixture_.events();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(*events[1].before.find("status"), Value("open"));
  EXPECT_EQ(events[1].after, events[2].after);
  EXPECT_EQ(events[2].before, events[2].after);
  EXPECT_EQ(events[2].reason, "done");
}

TEST_F(RememberServiceTest, LifecycleWritesNameWhatIsMissing) {
  EXPECT_EQ(fixture_.remember.promote(owner(), {.knowledge_id = "know:zz"}).error().message,
            "Knowledge not found: know:zz");
  EXPECT_EQ(fixture_.remember
                .work_item_status(owner(),
                                  {.work_item_id = "work:none", .status = "closed", .reason = "r"})
                .error()
                .message,
            "Missing work_item: work:none");
  EXPECT_EQ(fixture_.remember
                .supersede(owner(), {.old_knowledge_id = "know:a", .new_knowledge_id = "know:b"})
                .error()
                .message,
            "Knowledge not found: know:a");
}

TEST_F(RememberServiceTest, ABackendCountsWhatTheWriteAdded) {
  RememberKnowledge request = claim("uses", nullptr);
  request.payload =
      Value::object({{"subject", "node:app"}, {"predicate", "uses"}, {"object", "node:kuzu"}});

  const auto answer = fixture_.remember.knowledge(owner(), request, {.graph_backend = "file"});

  ASSERT_TRUE(answer && answer->graph_sync);
  EXPECT_EQ(answer->graph_sync->synced_objects, 1);
  EXPECT_EQ(answer->graph_sync->synced_relations, 1);
  EXPECT_FALSE(knowledge(claim("none", 5, "scope:q"))->graph_sync);
}

TEST_F(RememberServiceTest, ForgettingAnObjectTakesItsTextOutOfTheAuditLog) {
  const std::string id = fixture_.know("a secret title");
  const auto access = *fixture_.gatekeeper.require(owner(), access::Permission::kWrite);
  ASSERT_TRUE(fixture_.store->write(owner(), [&](storage::WriteTxn& txn) {
    return txn.erase(access, {.kind = "knowledge", .id = id}, "forget");
  }));

  const auto events = fixture_.events();

  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events.front().object_id, id);
  EXPECT_EQ(events.front().after, Value::object());
  EXPECT_EQ(events.front().reason, "");
}

}  // namespace
}  // namespace holdfast::service::substrate
