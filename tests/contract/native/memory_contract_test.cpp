// The native surface through a real socket: storing, finding, correcting, forgetting.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "support/json.h"
#include "support/process.h"

namespace holdfast::testing {
namespace {

class NativeMemoryTest : public ::testing::Test {
 protected:
  HttpAnswer remember(const std::string& json) {
    return server_.post("/holdfast/v1/remember", json);
  }
  HttpAnswer search(const std::string& json) { return server_.post("/holdfast/v1/search", json); }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--test-clock"}};
};

TEST_F(NativeMemoryTest, WhatIsRememberedIsFoundAtOnce) {
  const auto stored = remember(
      R"({"text":"The staging database is read-only on Fridays","title":"Staging","tags":["ops"]})");
  ASSERT_EQ(stored.status, 201) << stored.body;

  const auto found = search(R"({"query":"when is staging read only?"})");

  ASSERT_EQ(found.status, 200) << found.body;
  EXPECT_EQ(text_at(found, "hits.0.id"), text_at(stored, "object.id"));
  EXPECT_EQ(text_at(found, "hits.0.title"), "Staging");
  EXPECT_EQ(text_at(found, "space"), "default");
  EXPECT_EQ(found.headers.at("x-holdfast-space"), "default");
}

TEST_F(NativeMemoryTest, ACorrectionKeepsTheHistory) {
  remember(R"({"id":"deploy","text":"We deploy on Mondays"})");
  const auto corrected =
      remember(R"({"id":"deploy","text":"We deploy on Tuesdays","reason":"moved"})");

  EXPECT_EQ(corrected.status, 200);
  EXPECT_EQ(text_at(corrected, "object.revision"), "2");
  const auto history = server_.get("/holdfast/v1/objects/memory/deploy/history");
  ASSERT_EQ(size_at(history, "revisions"), 2U) << history.body;
  EXPECT_EQ(text_at(history, "revisions.0.message"), "moved");
  EXPECT_EQ(text_at(history, "revisions.1.body.text"), "We deploy on Mondays");
  EXPECT_EQ(size_at(search(R"({"query":"mondays"})"), "hits"), 0U);
}

TEST_F(NativeMemoryTest, AStaleCorrectionIsRefusedAndChangesNothing) {
  remember(R"({"id":"a","text":"one"})");
  remember(R"({"id":"a","text":"two"})");

  const auto stale = remember(R"({"id":"a","text":"three","expected_revision":1})");

  EXPECT_EQ(stale.status, 409);
  EXPECT_EQ(text_at(stale, "error.code"), "revision_conflict");
  EXPECT_EQ(text_at(server_.get("/holdfast/v1/objects/memory/a"), "object.body.text"), "two");
}

TEST_F(NativeMemoryTest, EvidenceNeverChanges) {
  const std::string evidence =
      R"({"kind":"evidence","id":"e","text":"exit code 1","occurred_at":"2026-01-01T00:00:00Z"})";
  ASSERT_EQ(remember(evidence).status, 201);

  EXPECT_EQ(remember(evidence).status, 200);
  const auto changed = remember(R"({"kind":"evidence","id":"e","text":"exit code 0"})");
  EXPECT_EQ(changed.status, 409);
  EXPECT_EQ(text_at(changed, "error.code"), "evidence_never_changes");
}

TEST_F(NativeMemoryTest, AnIdempotencyKeyStoresOnce) {
  HttpClient client(server_.port());
  const std::string body = R"({"text":"once"})";
  const auto first =
      client.request("POST", "/holdfast/v1/remember", body, {{"Idempotency-Key", "k1"}});
  const auto again =
      client.request("POST", "/holdfast/v1/remember", body, {{"Idempotency-Key", "k1"}});
  const auto other = client.request("POST", "/holdfast/v1/remember", R"({"text":"twice"})",
                                    {{"Idempotency-Key", "k1"}});

  EXPECT_EQ(text_at(first, "object.id"), text_at(again, "object.id"));
  EXPECT_EQ(text_at(again, "replayed"), "true");
  EXPECT_EQ(again.status, 201);
  EXPECT_EQ(other.status, 409);
  EXPECT_EQ(size_at(search(R"({})"), "hits"), 1U);
}

TEST_F(NativeMemoryTest, ForgettingIsReal) {
  remember(R"({"id":"s","text":"the word is xylofrobnicate"})");
  remember(R"({"id":"s","text":"the word is still xylofrobnicate"})");
  ASSERT_EQ(size_at(search(R"({"query":"xylofrobnicate"})"), "hits"), 1U);

  const auto forgotten = server_.del("/holdfast/v1/objects/memory/s?reason=asked");

  EXPECT_EQ(forgotten.status, 200) << forgotten.body;
  EXPECT_EQ(server_.get("/holdfast/v1/objects/memory/s").status, 404);
  EXPECT_EQ(server_.get("/holdfast/v1/objects/memory/s/history").status, 404);
  EXPECT_EQ(size_at(search(R"({"query":"xylofrobnicate"})"), "hits"), 0U);
  EXPECT_FALSE(folder_contains(server_.data(), "xylofrobnicate"));
  EXPECT_EQ(text_at(server_.get("/holdfast/v1/journal"), "entries.0.action"), "erased");
  server_.stop();
  EXPECT_FALSE(folder_contains(server_.data(), "xylofrobnicate"));
}

TEST_F(NativeMemoryTest, TheKeyOfAForgottenMemoryDoesNotBringItBack) {
  HttpClient client(server_.port());
  client.request("POST", "/holdfast/v1/remember", R"({"id":"x","text":"gone"})",
                 {{"Idempotency-Key", "k"}});
  server_.del("/holdfast/v1/objects/memory/x");

  const auto replay = client.request("POST", "/holdfast/v1/remember", R"({"id":"x","text":"gone"})",
                                     {{"Idempotency-Key", "k"}});

  EXPECT_EQ(replay.status, 410) << replay.body;
}

TEST_F(NativeMemoryTest, TimeTravelShowsTheObjectAndTheSearchAsTheyWere) {
  const auto first = remember(R"({"id":"d","text":"We deploy on Mondays"})");
  const std::string then = text_at(first, "object.position");
  remember(R"({"id":"d","text":"We deploy on Tuesdays"})");
  remember(R"({"id":"other","text":"Mondays are quiet"})");

  EXPECT_EQ(text_at(server_.get("/holdfast/v1/objects/memory/d?as_of=" + then), "object.body.text"),
            "We deploy on Mondays");
  const auto past = search(R"({"query":"mondays","as_of":)" + then + "}");
  ASSERT_EQ(size_at(past, "hits"), 1U) << past.body;
  EXPECT_EQ(text_at(past, "hits.0.id"), "d");
  EXPECT_EQ(text_at(past, "hits.0.revision"), "1");
  EXPECT_EQ(text_at(search(R"({"query":"mondays"})"), "hits.0.id"), "other");
}

TEST_F(NativeMemoryTest, FiltersNarrow) {
  remember(
      R"({"id":"a","text":"deploy notes","tags":["ops"],"scope":{"container":"c1","thread":"t","work_refs":["PROJ-1"]}})");
  remember(
      R"({"id":"b","text":"deploy notes","tags":["dev"],"scope":{"container":"c2","task":"k"}})");
  remember(
      R"({"id":"c","text":"deploy notes","occurred_at":"2020-01-01T00:00:00Z","valid_until":"2021-01-01T00:00:00Z"})");
  const auto ids = [&](const std::string& condition) {
    const auto found = search(R"({"query":"deploy",)" + condition + "}");
    std::string joined;
    for (size_t i = 0; i < size_at(found, "hits"); ++i)
      joined += text_at(found, "hits." + std::to_string(i) + ".id");
    std::ranges::sort(joined);
    return joined;
  };

  EXPECT_EQ(ids(R"("tags":["ops"])"), "a");
  EXPECT_EQ(ids(R"("container":"c2")"), "b");
  EXPECT_EQ(ids(R"("work_ref":"proj 1")"), "a");
  EXPECT_EQ(ids(R"("task":"k")"), "b");
  EXPECT_EQ(ids(R"("facets":[{"name":"tag","any_of":["ops"],"exclude":true}])"), "b");
  EXPECT_EQ(ids(R"("until":"2020-06-01T00:00:00Z","include_expired":true)"), "c");
  EXPECT_EQ(ids(R"("limit":10)"), "ab");
  EXPECT_EQ(ids(R"("valid_at":"2020-06-01T00:00:00Z")"), "abc");
}

TEST_F(NativeMemoryTest, ExplainSaysWhy) {
  remember(R"({"text":"tea is brewed at four","title":"Tea"})");

  const auto found = search(R"({"query":"tea four","explain":true})");

  EXPECT_EQ(size_at(found, "hits.0.why.terms"), 2U) << found.body;
  EXPECT_EQ(text_at(found, "hits.0.matched"), R"(["tea","four"])");
}

TEST_F(NativeMemoryTest, PagesFollowOneAnother) {
  for (int i = 0; i < 25; ++i)
    remember(R"({"id":"m)" + std::to_string(i) + R"(","text":"common word )" + std::to_string(i) +
             "\"}");
  std::set<std::string> seen;
  std::string cursor;
  for (int page = 0; page < 3; ++page) {
    const auto found = search(R"({"query":"common","limit":10)" +
                              (cursor.empty() ? "" : ",\"cursor\":\"" + cursor + "\"") + "}");
    for (size_t i = 0; i < size_at(found, "hits"); ++i)
      seen.insert(text_at(found, "hits." + std::to_string(i) + ".id"));
    cursor = text_at(found, "next_cursor");
  }

  EXPECT_EQ(seen.size(), 25U);
  EXPECT_EQ(cursor, "null");
}

TEST_F(NativeMemoryTest, LinksMakeAGraph) {
  remember(R"({"id":"goal","text":"ship it"})");
  remember(
      R"({"id":"step","text":"write tests","links":[{"relation":"supports","kind":"memory","id":"goal"}]})");
  remember(
      R"({"id":"detail","text":"first unit tests","links":[{"relation":"part_of","kind":"memory","id":"step"},{"relation":"about","kind":"memory","id":"nowhere"}]})");

  const auto links = server_.get("/holdfast/v1/objects/memory/step/links");
  EXPECT_EQ(size_at(links, "links"), 2U) << links.body;
  const auto graph = server_.get("/holdfast/v1/graph?kind=memory&id=goal&depth=3");
  EXPECT_EQ(size_at(graph, "nodes"), 4U) << graph.body;
  EXPECT_EQ(size_at(graph, "edges"), 3U);
}

TEST_F(NativeMemoryTest, ContextBeginsWithTheCapsuleOfTheTask) {
  for (const char* task : {"parser", "other"}) {
    const std::string subject =
        std::string(R"("subject_kind":"task","subject_id":")") + task + "\"";
    const auto stored = server_.post(
        "/v1/continuity/upsert",
        "{" + subject + R"(,"capsule":{)" + subject +
            R"(,"updated_at":"2026-01-01T00:00:00Z","verified_at":"2026-01-01T00:00:00Z",)"
            R"("source":{"producer":"tester","update_reason":"manual"},)"
            R"("confidence":{"continuity":1,"relationship_model":0.5},"continuity":{)"
            R"("top_priorities":["green"],"active_concerns":[],"active_constraints":[],)"
            R"("open_loops":[],"stance_summary":"Go on until it is green.","drift_signals":[]}}})");
    ASSERT_EQ(stored.status, 200) << stored.body;
  }

  const auto context = server_.post("/holdfast/v1/context", R"({"task":"parser"})");

  EXPECT_EQ(text_at(context, "sections.0.name"), "capsule") << context.body;
  ASSERT_EQ(size_at(context, "sections.0.entries"), 1U) << context.body;
  EXPECT_EQ(text_at(context, "sections.0.entries.0.text"),
            "parser: Go on until it is green.\ngreen\n");
}

TEST_F(NativeMemoryTest, EveryAnswerNamesItsSpace) {
  server_.post("/holdfast/v1/spaces", R"({"name":"team"})");
  HttpClient client(server_.port());
  for (const char* target : {"/holdfast/v1/spaces", "/holdfast/v1/stats", "/holdfast/v1/journal",
                             "/holdfast/v1/tokens", "/holdfast/v1/export"}) {
    const auto answer = client.request("GET", target, "", {{"X-Holdfast-Space", "team"}});
    EXPECT_EQ(text_at(answer, "space"), "team") << target;
  }
  const auto sound =
      client.request("POST", "/holdfast/v1/verify", "{}", {{"X-Holdfast-Space", "team"}});
  EXPECT_EQ(text_at(sound, "space"), "team");
  for (const char* target : {"/health", "/openapi.json", "/v1/discovery", "/nothing/here"}) {
    EXPECT_EQ(client.request("GET", target, "", {{"X-Holdfast-Space", "team"}})
                  .headers.at("x-holdfast-space"),
              "team")
        << target;
    EXPECT_EQ(client.get(target).headers.at("x-holdfast-space"), "default") << target;
  }
}

TEST_F(NativeMemoryTest, ContextGathersWithinTheBudget) {
  remember(R"({"text":"Rotate the signing key","due_at":"2026-01-01T00:00:00Z"})");
  remember(R"({"text":"Migrate the queue","work_state":"open"})");
  remember(R"({"text":"Signing keys live in the vault"})");

  const auto context =
      server_.post("/holdfast/v1/context", R"({"query":"signing key","token_budget":200})");

  ASSERT_EQ(context.status, 200) << context.body;
  EXPECT_EQ(text_at(context, "sections.0.name"), "due_reminders");
  EXPECT_EQ(size_at(context, "sections.0.entries"), 1U);
  EXPECT_EQ(size_at(context, "sections.1.entries"), 1U);
  EXPECT_EQ(size_at(context, "sections.2.entries"), 1U);
  const auto tight =
      server_.post("/holdfast/v1/context", R"({"query":"signing key","token_budget":50})");
  EXPECT_LE(std::stoi(text_at(tight, "tokens")), 50);
}

TEST_F(NativeMemoryTest, SpacesDoNotMix) {
  HttpClient client(server_.port());
  client.request("POST", "/holdfast/v1/remember", R"({"id":"m","text":"secret plan"})",
                 {{"X-Holdfast-Space", "team-a"}});

  EXPECT_EQ(size_at(search(R"({"query":"secret plan"})"), "hits"), 0U);
  EXPECT_EQ(server_.get("/holdfast/v1/objects/memory/m").status, 404);
  const auto found = client.request("POST", "/holdfast/v1/search", R"({"query":"secret plan"})",
                                    {{"X-Holdfast-Space", "team-a"}});
  EXPECT_EQ(size_at(found, "hits"), 1U);
  EXPECT_EQ(text_at(found, "space"), "team-a");
  const auto unknown = client.request("POST", "/holdfast/v1/search", R"({"query":"x"})",
                                      {{"X-Holdfast-Space", "nope"}});
  EXPECT_EQ(unknown.status, 404);
}

TEST_F(NativeMemoryTest, AnErasedSpaceIsEmptyAndCanBeUsedAgain) {
  remember(R"({"id":"old","text":"quixotic xylographer"})");

  ASSERT_EQ(server_.del("/holdfast/v1/spaces/default").status, 200);

  EXPECT_EQ(size_at(search(R"({"query":"xylographer"})"), "hits"), 0U);
  EXPECT_FALSE(folder_contains(server_.data(), "xylographer"));
  remember(R"({"id":"new","text":"a fresh start"})");
  EXPECT_EQ(text_at(search(R"({"query":"fresh"})"), "hits.0.id"), "new");
  EXPECT_EQ(text_at(server_.post("/holdfast/v1/verify", "{}"), "sound"), "true");
  EXPECT_EQ(server_.del("/holdfast/v1/spaces/nowhere").status, 404);
}

}  // namespace
}  // namespace holdfast::testing
