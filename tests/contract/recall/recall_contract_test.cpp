// The recall surface through a real socket.
#include <gtest/gtest.h>

#include "recall_client.h"

namespace holdfast::testing {
namespace {

class RecallContractTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(RecallContractTest, AForeignContainerLearnsNothing) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client(server.port());
  client.store(recall_item("1", "We decided to paint the depot green."));
  client.drain();
  const auto answer =
      client.ask("paint depot green", Value::object({{"container_ref", "sea"}}), "/query/debug");
  EXPECT_EQ(text_at(answer, "decision_reason"), "no_relevant_memory") << answer.body;
  EXPECT_EQ(size_at(answer, "trace.visibility.excluded_candidates"), 0U);
  EXPECT_EQ(answer.body.find("yard"), std::string::npos);
}

TEST_F(RecallContractTest, ASecretIsNoWorkReference) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client(server.port());
  const auto id = client.stored_id(
      recall_item("1", "We decided to keep password=HUNTER-2024 for the depot, see DEP-7."));
  client.drain();

  const auto shown = client.expand(client.memory_of(id, "decision"));

  EXPECT_EQ(shown.status, 200);
  EXPECT_NE(shown.body.find("dep-7"), std::string::npos) << shown.body;
  EXPECT_EQ(shown.body.find("hunter"), std::string::npos) << shown.body;
  EXPECT_FALSE(folder_contains(server.data(), "hunter"));
}

TEST_F(RecallContractTest, TimesAreIso8601) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client(server.port());
  const auto send = [&](const std::string& at) {
    return client.store(
        recall_item(at, "The depot has a new roof.", Value::object({{"occurred_at", at}})));
  };
  for (const char* at :
       {"2026-01-05T10:00:00Z", "2026-01-05T10:00", "2026-01-05T12:00+02:00", "2026-01-05 10:00:00",
        "2026-01-05T10:00:00.000", "2026-01-05T12:00:00+0200", "2026-01-05T12:00+02"})
    EXPECT_EQ(send(at).status, 200) << at;
  for (const char* at : {"yesterday", "2026-01-05T10", "2026-01-05T1000", "2026-01-05T25:00", ""})
    EXPECT_EQ(send(at).status, 422) << at;
  const auto found = client.ask("depot roof", Value::object({{"limit", 7}}));
  ASSERT_EQ(size_at(found, "results"), 7U) << found.body;
  for (int i = 0; i < 7; ++i)
    EXPECT_EQ(text_at(found, "results." + std::to_string(i) + ".occurred_at"),
              "2026-01-05T10:00:00.000000Z");
}

TEST_F(RecallContractTest, MembersOfAQueryAreUnknownToAnItemAndIgnored) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client(server.port());
  const Value more = Value::object({{"query_limit", 500}, {"runtime_context", "none"}});
  const Value item = recall_item("1", "The depot has a new roof.", more);
  EXPECT_EQ(client.store(item).status, 200);
  EXPECT_EQ(client.send("POST", "/item-and-query", item).status, 422);
}

TEST_F(RecallContractTest, MemoriesOfAnItemAreListedInTheOrderOfTheirMaking) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client(server.port());
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i) {
    ids.push_back(
        client.stored_id(recall_item(std::to_string(i),
                                     "We decided to paint the depot green. Root cause: the roof "
                                     "was rusty. We decided to sweep the yard daily.")));
    client.drain();
  }
  for (const std::string& id : ids) {
    const auto made = client.processing(id);
    for (const char* place : {"0", "1", "2"})
      EXPECT_EQ(text_at(made, std::string("produced_memory_provenance.") + place + ".memory_kind"),
                text_at(made, std::string("memory_object_types.") + place))
          << made.body;
    EXPECT_EQ(text_at(made, "produced_memory_provenance.1.memory_kind"), "investigation_outcome");
  }
}

TEST_F(RecallContractTest, SourceOnlyRanksEvidenceAndInjectsNothing) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client(server.port());
  client.store(recall_item("1", "We decided to paint the depot green."));
  client.store(recall_item("2", "The depot has a new roof."));
  client.drain();
  const auto answer = client.ask("depot green paint", Value::object({{"source_only", true}}));
  EXPECT_EQ(text_at(answer, "decision_reason"), "source_only_search") << answer.body;
  EXPECT_EQ(at(answer, "should_inject"), Value(false));
  ASSERT_EQ(size_at(answer, "results"), 2U);
  EXPECT_EQ(text_at(answer, "results.0.source_id"), "1");
  EXPECT_EQ(at(answer, "results.0.raw_rank"), Value(1));
  EXPECT_TRUE(at(answer, "results.0.type").is_null());
}

TEST_F(RecallContractTest, ANewerWordReplacesTheOlderHoweverManyLieBetween) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client(server.port());
  const auto first = client.stored_id(
      recall_item("old", "We decided to store parcels in hall seven.", Value::object()));
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    client.store(recall_item("between" + n, "We decided to lend ladder L" + n + " to crew C" +
                                                std::to_string(i * 31) + "."));
  }
  client.drain();
  const auto later =
      client.stored_id(recall_item("new", "We decided to store parcels in halls seven."));
  client.drain();
  const auto answer = client.processing(later);
  EXPECT_EQ(size_at(answer, "produced_memory_provenance.0.superseded_memory_ids"), 1U)
      << answer.body;
  EXPECT_EQ(text_at(answer, "produced_memory_provenance.0.superseded_memory_ids.0"),
            text_at(client.processing(first), "memory_object_ids.0"));
}

TEST_F(RecallContractTest, ALateAnnouncementOfAnOlderDecisionDoesNotWin) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client(server.port());
  const auto at_day = [](const char* day) {
    return Value::object({{"occurred_at", std::string("2026-03-") + day + "T10:00:00Z"}});
  };
  client.store(recall_item("new", "We decided to keep the gate open at night.", at_day("09")));
  client.drain();
  const auto late = client.stored_id(
      recall_item("old", "We decided to keep the gate open at night.", at_day("02")));
  client.drain();
  const auto answer = client.ask("gate open night");
  size_t decisions = 0;
  const Value results = at(answer, "results");
  for (const Value& result : *results.if_array())
    decisions += at(result, "type") == Value("decision") ? 1 : 0;
  EXPECT_EQ(decisions, 1U) << answer.body;
  EXPECT_EQ(text_at(answer, "injectable_blocks.0.evidence.0.source_id"), "new") << answer.body;
  EXPECT_EQ(text_at(client.processing(late), "processing_status"), "completed");
}

TEST_F(RecallContractTest, TheTurnsAroundAnItem) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client(server.port());
  std::vector<std::string> ids;
  for (int i = 0; i < 7; ++i)
    ids.push_back(client.stored_id(
        recall_item(std::to_string(i), "Turn number " + std::to_string(i) + " of the talk.",
                    Value::object({{"thread_ref", i == 3 ? "elsewhere" : "talk"}}))));
  const std::string path = "/source/" + ids[4] + "/context?container_ref=";
  const auto answer = client.send("GET", path + "yard&before=2&after=1");
  ASSERT_EQ(size_at(answer, "items"), 4U) << answer.body;
  EXPECT_EQ(text_at(answer, "items.0.source_id"), "1");
  EXPECT_EQ(text_at(answer, "items.1.source_id"), "2");
  EXPECT_EQ(text_at(answer, "items.2.source_id"), "4");
  EXPECT_EQ(text_at(answer, "items.3.source_id"), "5");
  const auto foreign = client.send("GET", path + "sea");
  EXPECT_EQ(foreign.status, 404);
  EXPECT_EQ(foreign.body, client.send("GET", "/source/none/context?container_ref=sea").body);
  EXPECT_EQ(client.send("GET", path + "yard&before=26").status, 422);
}

TEST_F(RecallContractTest, TurnsOfOneMomentKeepTheirOrder) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client(server.port());
  const Value more = Value::object({{"thread_ref", "t"}, {"occurred_at", "2026-01-05T10:00:00Z"}});
  std::vector<std::string> ids;
  for (int i = 0; i < 4; ++i)
    ids.push_back(client.stored_id(recall_item(std::to_string(i), "The depot has a roof.", more)));

  const auto shown =
      client.send("GET", "/source/" + ids[2] + "/context?container_ref=yard&after=0");

  ASSERT_EQ(size_at(shown, "items"), 3U) << shown.body;
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(text_at(shown, "items." + std::to_string(i) + ".source_item_id"), ids[i]);
}

TEST_F(RecallContractTest, WorkIsFoundByItsNameInALongQuestion) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client(server.port());
  client.store(recall_item("1", "We decided to paint the depot green.",
                           Value::object({{"work_refs", Value::array({"DEP-7"})}})));
  client.drain();

  const auto found = client.ask(
      "compare quarterly marketing budget spreadsheets versus catering vendors, hotel invoices, "
      "travel vouchers, office furniture and garden maintenance contracts: is any part of DEP-7?");

  EXPECT_EQ(text_at(found, "decision_reason"), "carry_forward_available") << found.body;
}

TEST_F(RecallContractTest, WhoAsksWhetherItIsFixedDoesNotFixIt) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client(server.port());
  const auto say = [&](const char* id, const char* text, const char* kind, const char* role) {
    client.store(recall_item(
        id, text, Value::object({{"thread_ref", "t"}, {"artifact_kind", kind}, {"role", role}})));
    client.drain();
  };
  const auto blocker = [&] {
    const Value resumed = Value::object({{"turn_kind", "resumed_session"}});
    const auto found =
        client.ask("where did we leave off?", Value::object({{"runtime_context", resumed}}));
    return text_at(found, "results.0.payload.blocker_state");
  };
  say("1", "Partial progress: counted the catalog shelves.", "tool_use_summary", "assistant");
  say("2", "Blocked: the catalog token expired.", "tool_use_summary", "assistant");
  say("3", "Is the catalog token fixed?", "message", "user");
  EXPECT_EQ(blocker(), "the catalog token expired");
  say("4", "Progress: the catalog token is fixed.", "tool_use_summary", "assistant");
  EXPECT_EQ(blocker(), "");
}

TEST_F(RecallContractTest, WhatIsSuppressedReplacesNothing) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client(server.port());
  const auto say = [&](const char* id, const char* text) {
    const std::string item =
        client.stored_id(recall_item(id, text, Value::object({{"thread_ref", id}})));
    client.drain();
    return client.memory_of(item, "decision");
  };
  const std::string wrong = say("1", "We decided to paint the northern depot doors green.");
  client.send("POST", "/memory/" + wrong + "/flag",
              Value::object({{"reason", "no"}, {"source_ref", "ada"}, {"immediate", true}}));
  const std::string right = say("2", "We decided to paint the northern depot floors green.");
  say("3", "We decided to paint the northern depot doors green.");

  const auto found = client.ask("northern depot green");

  EXPECT_EQ(text_at(found, "results.0.memory_object_id"), right) << found.body;
}

TEST_F(RecallContractTest, TheTurnsAroundAnItemAreBounded) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client(server.port());
  const Value talk = Value::object({{"thread_ref", "talk"}});
  std::string middle;
  for (int i = 0; i < 9; ++i) {
    const auto id = client.stored_id(recall_item(std::to_string(i), std::string(3000, 'a'), talk));
    if (i == 4) middle = id;
  }
  const auto around =
      client.send("GET", "/source/" + middle + "/context?container_ref=yard&before=25&after=25");
  EXPECT_EQ(size_at(around, "items"), 5U) << "of 16,000 characters each has 3,000";
  const auto longest = client.stored_id(recall_item("long", std::string(20'000, 'b'), talk));
  const auto alone = client.send("GET", "/source/" + longest + "/context?container_ref=yard");
  ASSERT_EQ(size_at(alone, "items"), 1U);
  EXPECT_EQ(text_at(alone, "items.0.content").size(), 16'000U);
}

TEST_F(RecallContractTest, ABodyThatIsNoJsonIsUnprocessable) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off"}};
  HttpClient client(server.port());
  const auto answer =
      client.request("POST", "/query", R"({"text":"x"})", {{"Content-Type", "text/plain"}});
  EXPECT_EQ(answer.status, 422) << answer.body;
  EXPECT_EQ(text_at(answer, "detail.0.loc.0"), "body");
}

TEST_F(RecallContractTest, WhatLeavesHasNoCredentials) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client(server.port());
  client.store(recall_item("1", "We decided to use password=swordfish99 for the depot door."));
  client.drain();
  const auto answer = client.ask("depot door password", {}, "/query/debug");
  EXPECT_EQ(answer.body.find("swordfish99"), std::string::npos) << answer.body;
  const auto echo = client.ask("is password=swordfish99 right?", {}, "/query/debug");
  EXPECT_EQ(echo.body.find("swordfish99"), std::string::npos) << echo.body;
}

TEST_F(RecallContractTest, HashedVectorsFindOtherSpellings) {
  ServerProcess server{folder_ / "data", {"--rate-limits", "off", "--vector-mode", "hashed"}};
  RecallClient client(server.port());
  const auto stored = client.store(recall_item("1", "We decided to relabel the containers."));
  EXPECT_EQ(size_at(stored, "0.index_entry_ids"), 2U);
  client.drain();
  const auto answer = client.ask("relabelled container", {}, "/query/debug");
  EXPECT_EQ(text_at(answer, "results.0.retrieval_source"), "fused") << answer.body;
  EXPECT_EQ(at(answer, "trace.fusion_trace.k"), Value(60));
  EXPECT_GE(size_at(answer, "trace.fusion_trace.hits"), 1U);
}

}  // namespace
}  // namespace holdfast::testing
