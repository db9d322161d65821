// Memory written by hand: stated, corrected, replaced, forgotten.
#include <gtest/gtest.h>

#include "recall_client.h"

namespace holdfast::testing {
namespace {

// Everything that says who writes and where.
Value standing(const Value& more) {
  Value body = Value::object({{"container_ref", "yard"},
                              {"thread_ref", "talk"},
                              {"actor_ref", "user:ann"},
                              {"agent_ref", "agent:1"},
                              {"visibility", "container"}});
  for (const auto& member : *more.if_object()) body.set(member.name, member.value);
  return body;
}

class StatementTest : public ::testing::Test {
 protected:
  HttpAnswer remember(const std::string& text, const std::string& type, const Value& more = {}) {
    Value body = Value::object({{"text", text}, {"type", type}});
    if (const auto* members = more.if_object()) {
      for (const auto& member : *members) body.set(member.name, member.value);
    }
    return client_.send("POST", "/memory/remember", standing(body));
  }
  std::string remembered(const std::string& text, const std::string& type) {
    const auto answer = remember(text, type);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return text_at(answer, "memory_object_id");
  }
  HttpAnswer act(const std::string& path, const Value& more) {
    return client_.send("POST", path, standing(more));
  }
  HttpAnswer forget(const std::string& id) {
    return act("/memory/" + id + "/forget", Value::object({{"reason", "no longer wanted"}}));
  }
  HttpAnswer expand(const std::string& id) { return client_.expand(id); }
  // Ids of the memories that a question brings up.
  std::vector<std::string> found(const std::string& question) {
    std::vector<std::string> ids;
    const auto answer = client_.ask(question);
    const Value results = at(answer, "results");
    for (const Value& result : *results.if_array()) {
      if (at(result, "memory_object_id").is_string())
        ids.push_back(*at(result, "memory_object_id").if_string());
    }
    return ids;
  }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--rate-limits", "off", "--test-clock"}};
  RecallClient client_{server_.port()};
};

TEST_F(StatementTest, WhatIsStatedIsFoundByTheNextQuery) {
  const auto stated =
      remember("We decided to paint the depot green because paint is left over.", "decision",
               Value::object({{"work_refs", Value::array({"PAINT 7"})}}));
  ASSERT_EQ(stated.status, 200) << stated.body;
  EXPECT_EQ(text_at(stated, "origin"), "agent_explicit");
  const auto answer = client_.ask("What colour do we paint the depot?");
  EXPECT_EQ(at(answer, "should_inject"), Value(true)) << answer.body;
  EXPECT_EQ(text_at(answer, "injectable_blocks.0.text"),
            "Paint the depot green — because paint is left over.");
  EXPECT_EQ(at(answer, "results.0.memory_object_id"), at(stated, "memory_object_id"));
  EXPECT_EQ(text_at(answer, "results.0.evidence.0.agent_ref"), "agent:1");
  EXPECT_EQ(size_at(answer, "results"), 1U) << "what backs it is no turn of a conversation";
  const auto by_ref =
      client_.ask("anything?", Value::object({{"work_refs", Value::array({"paint-7"})}}));
  EXPECT_EQ(at(by_ref, "results.0.memory_object_id"), at(stated, "memory_object_id"));
  const auto whole = expand(text_at(stated, "memory_object_id"));
  EXPECT_EQ(at(whole, "items.0.source_item_id"), at(stated, "source_item_id")) << whole.body;
  EXPECT_EQ(at(client_.send("GET", "/debug/queue/health"), "status_counts"), Value::object());
}

TEST_F(StatementTest, EveryTypeKeepsAllItsWords) {
  const std::string text = "Crates go to hall four. Never stack them. Ask Bo if unsure!";
  for (const char* type :
       {"decision", "investigation_outcome", "constraint_memory", "atomic_fact", "note"}) {
    const auto answer = remember(text, type);
    ASSERT_EQ(answer.status, 200) << answer.body;
    EXPECT_NE(expand(text_at(answer, "memory_object_id")).body.find("Ask Bo if unsure"),
              std::string::npos)
        << type;
  }
}

TEST_F(StatementTest, EveryMemberOfTheStandingIsNeeded) {
  const std::string id = remembered("We decided to lock the gate at ten.", "decision");
  const std::vector<std::pair<std::string, Value>> writes = {
      {"/memory/remember", Value::object({{"text", "a b c"}, {"type", "note"}})},
      {"/memory/" + id + "/correct", Value::object({{"corrected_text", "a b c"}})},
      {"/memory/supersede", Value::object({{"new_text", "a b c"}, {"supersedes_id", id}})},
      {"/memory/" + id + "/forget", Value::object()},
      {"/memory/record-outcome", Value::object({{"procedure_id", id}, {"outcome", "success"}})}};
  for (const auto& [path, more] : writes) {
    for (const char* missing :
         {"container_ref", "thread_ref", "actor_ref", "agent_ref", "visibility"}) {
      Value body = standing(more);
      body.set(missing, Value());
      const auto refused = client_.send("POST", path, body);
      EXPECT_EQ(refused.status, 422) << path << " without " << missing << ": " << refused.body;
      EXPECT_EQ(text_at(refused, "detail.0.loc.1"), missing) << refused.body;
    }
  }
  EXPECT_EQ(found("lock the gate at ten").size(), 1U) << "nothing was changed";
}

TEST_F(StatementTest, LimitsOfWhatIsStated) {
  EXPECT_EQ(remember("", "note").status, 422);
  EXPECT_EQ(remember(std::string(10'000, 'a'), "note").status, 200);
  EXPECT_EQ(remember(std::string(10'001, 'a'), "note").status, 422);
  EXPECT_EQ(remember("words here", "thread_summary").status, 422);
  EXPECT_EQ(remember("words here", "note", Value::object({{"confidence", 1.01}})).status, 422);
  const Value six = Value::array({"1", "2", "3", "4", "5", "6"});
  EXPECT_EQ(remember("words here", "note", Value::object({{"evidence", six}})).status, 422);
  EXPECT_EQ(remember("words here", "note", Value::object({{"visibility", "everybody"}})).status,
            422);
}

TEST_F(StatementTest, SecretsAreKeptOnlyInNotes) {
  const std::string decision =
      remembered("We decided to use password=swordfish99 here.", "decision");
  EXPECT_EQ(expand(decision).body.find("swordfish99"), std::string::npos);
  const std::string note = remembered("The door: password=swordfish99", "note");
  EXPECT_NE(expand(note).body.find("swordfish99"), std::string::npos);
}

TEST_F(StatementTest, ACorrectionKeepsTheMemoryAndChangesItsWords) {
  const auto item = client_.stored_id(recall_item("1", "We decided to paint the depot green.",
                                                  Value::object({{"thread_ref", "talk"}})));
  client_.store(
      recall_item("2", "The depot has a new roof.", Value::object({{"thread_ref", "talk"}})));
  client_.drain();
  const auto id = text_at(client_.processing(item), "memory_object_ids.0");
  const auto done = act("/memory/" + id + "/correct",
                        Value::object({{"corrected_text", "We decided to paint the depot blue."},
                                       {"reason", "misheard"}}));
  ASSERT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(text_at(done, "memory_object_id"), id);
  EXPECT_EQ(at(done, "corrected"), Value(true));
  EXPECT_EQ(text_at(expand(id), "payload.decision"), "Paint the depot blue");
  EXPECT_EQ(size_at(expand(id), "items"), 2U) << "what was said, and the correction";
  EXPECT_EQ(found("depot blue").front(), id);
  client_.drain();
  EXPECT_EQ(client_.ask("depot paint roof").body.find("Paint the depot green"), std::string::npos)
      << "the summary of the thread follows";
}

TEST_F(StatementTest, AReplacementIsAnotherMemoryInTheSameScope) {
  const std::string old = remembered("We decided to lock the gate at ten.", "decision");
  const auto done =
      act("/memory/supersede",
          Value::object({{"new_text", "The gate stays open."}, {"supersedes_id", old}}));
  ASSERT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(text_at(done, "old_memory_object_id"), old);
  EXPECT_EQ(at(done, "superseded"), Value(true));
  const std::string fresh = text_at(done, "new_memory_object_id");
  EXPECT_NE(fresh, old);
  EXPECT_EQ(found("when is the gate open or locked"), std::vector<std::string>{fresh});
  EXPECT_EQ(expand(old).status, 200);

  for (const auto& [path, more] : std::vector<std::pair<std::string, Value>>{
           {"/memory/supersede", Value::object({{"new_text", "x y"}, {"supersedes_id", old}})},
           {"/memory/" + old + "/correct", Value::object({{"corrected_text", "x y"}})},
           {"/memory/" + old + "/forget", Value::object()},
           {"/memory/record-outcome",
            Value::object({{"procedure_id", old}, {"outcome", "failure"}})}}) {
    const auto refused = act(path, more);
    EXPECT_EQ(refused.status, 409) << path << refused.body;
    EXPECT_NE(text_at(refused, "detail").find("superseded"), std::string::npos);
  }
  EXPECT_EQ(act("/memory/" + fresh + "/correct", Value::object({{"corrected_text", "x y"}})).status,
            200);
}

TEST_F(StatementTest, WhatMayNotBeSeenCannotBeChanged) {
  const std::string id = remembered("We decided to lock the gate at ten.", "decision");
  const auto unknown = act("/memory/00000000-0000-4000-8000-000000000000/forget", Value::object());
  EXPECT_EQ(unknown.status, 404);
  EXPECT_EQ(text_at(unknown, "detail"), "memory object not found");
  const auto foreign = act("/memory/" + id + "/forget", Value::object({{"container_ref", "sea"}}));
  EXPECT_EQ(foreign.status, 404);
  EXPECT_EQ(foreign.body, unknown.body);
  EXPECT_EQ(act("/memory/" + id + "/forget", Value::object({{"visibility", "public"}})).status,
            404);
  EXPECT_EQ(found("lock the gate at ten").size(), 1U);

  const auto own = remember("Never call before nine in the morning.", "constraint_memory",
                            Value::object({{"visibility", "private"}}));
  const std::string path = "/memory/" + text_at(own, "memory_object_id") + "/forget";
  EXPECT_EQ(act(path, Value::object({{"visibility", "container"}})).status, 404);
  EXPECT_EQ(act(path, Value::object({{"visibility", "private"}, {"actor_ref", "user:bob"}})).status,
            404);
  EXPECT_EQ(act(path, Value::object({{"visibility", "private"}})).status, 200);
}

TEST_F(StatementTest, ForgettingLeavesNothingBehind) {
  const Value talk = Value::object({{"thread_ref", "talk"}});
  const auto roof = client_.stored_id(recall_item("1", "The depot has a new roof.", talk));
  client_.store(recall_item("2", "The depot has two doors.", talk));
  const std::string first = remembered("We decided to hide the zanzibar key.", "decision");
  const auto again =
      act("/memory/supersede",
          Value::object({{"new_text", "We decided to hide the zanzibar key under a stone."},
                         {"supersedes_id", first}}));
  const std::string id = text_at(again, "new_memory_object_id");
  client_.drain();
  const std::string summary = client_.memory_of(roof, "thread_summary");
  ASSERT_NE(expand(summary).body.find("zanzibar"), std::string::npos);
  act("/memory/record-outcome",
      Value::object({{"procedure_id", id}, {"outcome", "success"}, {"note", "Found at once."}}));

  const auto done = forget(id);
  EXPECT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(at(done, "forgotten"), Value(true));
  EXPECT_EQ(expand(id).status, 404);
  EXPECT_EQ(expand(first).status, 404) << "earlier versions go with it";
  client_.drain();
  EXPECT_TRUE(found("zanzibar key stone").empty());
  EXPECT_EQ(expand(summary).status, 404);
  const auto anew = expand(client_.memory_of(roof, "thread_summary"));
  EXPECT_EQ(anew.status, 200) << "the thread is summed up without it";
  EXPECT_EQ(anew.body.find("zanzibar"), std::string::npos);
  const auto repeated = forget(id);
  EXPECT_EQ(repeated.status, 200);
  EXPECT_EQ(at(repeated, "forgotten"), Value(false));
  EXPECT_EQ(server_.stop(), 0);
  EXPECT_FALSE(folder_contains(server_.data(), "zanzibar"));
}

TEST_F(StatementTest, ThePipelineDoesNotBringBackWhatWasForgotten) {
  const std::string id = remembered("We decided to store crates in hall nine.", "decision");
  forget(id);
  const auto item = client_.stored_id(recall_item("1", "We decided to store crates in hall nine."));
  client_.drain();
  EXPECT_EQ(size_at(client_.processing(item), "memory_object_ids"), 0U);
  EXPECT_TRUE(found("crates hall nine").empty());
  // Stated again, it is known again.
  const std::string anew = remembered("We decided to store crates in hall nine.", "decision");
  EXPECT_EQ(found("crates hall nine"), std::vector<std::string>{anew});
}

TEST_F(StatementTest, AfterAMonthNewEvidenceCounts) {
  forget(remembered("We decided to store crates in hall nine.", "decision"));
  client_.send("POST", "/_test/clock", Value::object({{"advance_seconds", 31 * 24 * 3600}}));
  client_.store(recall_item("1", "We decided to store crates in hall nine."));
  client_.drain();
  EXPECT_EQ(found("crates hall nine").size(), 1U);
}

TEST_F(StatementTest, WhatIsSaidAgainDoesNotReplaceAStatement) {
  const std::string id = remembered("We decided to store crates in hall nine.", "decision");
  const Value talk = Value::object({{"thread_ref", "talk"}});
  client_.store(recall_item("1", "We decided to store crates in hall nine.", talk));
  client_.store(recall_item("2", "The roof of the hall is new.", talk));
  client_.drain();
  const auto ids = found("crates hall nine");
  ASSERT_FALSE(ids.empty());
  EXPECT_EQ(ids.front(), id);
  server_.restart(SIGKILL);
  RecallClient after(server_.port());
  EXPECT_EQ(text_at(after.ask("crates hall nine"), "results.0.memory_object_id"), id);
  // But a decision against it does.
  after.store(recall_item("3", "We decided to store crates in the cellar instead of hall nine."));
  after.drain();
  EXPECT_EQ(after.ask("crates hall nine cellar").body.find(id), std::string::npos);
}

TEST_F(StatementTest, OutcomesAreNotesThatNameWhatTheyAreAbout) {
  const std::string id = remembered("We decided to lift crates with the red crane.", "decision");
  for (const char* outcome : {"success", "failure", "inconclusive"}) {
    const auto done =
        act("/memory/record-outcome", Value::object({{"procedure_id", id}, {"outcome", outcome}}));
    ASSERT_EQ(done.status, 200) << done.body;
    EXPECT_EQ(text_at(done, "procedure_id"), id);
    EXPECT_EQ(text_at(done, "outcome"), outcome);
    EXPECT_EQ(at(done, "recorded"), Value(true));
    const auto note = expand(text_at(done, "memory_object_id"));
    EXPECT_EQ(text_at(note, "payload.procedure_id"), id) << note.body;
    EXPECT_EQ(text_at(note, "payload.outcome"), outcome);
  }
  EXPECT_EQ(found("outcome of lifting crates red crane").size(), 4U);
  EXPECT_EQ(
      act("/memory/record-outcome", Value::object({{"procedure_id", id}, {"outcome", "maybe"}}))
          .status,
      422);
  EXPECT_EQ(act("/memory/record-outcome",
                Value::object({{"procedure_id", "none"}, {"outcome", "success"}}))
                .status,
            404);
}

TEST_F(StatementTest, ASummaryIsNotCorrectedButItsSources) {
  const Value talk = Value::object({{"thread_ref", "talk"}});
  const auto item =
      client_.stored_id(recall_item("1", "We decided to paint the depot green.", talk));
  client_.store(recall_item("2", "The depot has a new roof.", talk));
  client_.drain();
  const std::string summary = client_.memory_of(item, "thread_summary");
  ASSERT_FALSE(summary.empty());
  const auto refused =
      act("/memory/" + summary + "/correct", Value::object({{"corrected_text", "x y"}}));
  EXPECT_EQ(refused.status, 409) << refused.body;
}

}  // namespace
}  // namespace holdfast::testing
