// What was flagged stays away, also where it is derived again and again.
#include <gtest/gtest.h>

#include "recall_client.h"

namespace holdfast::testing {
namespace {

class SuppressionTest : public ::testing::Test {
 protected:
  // The item's id, with everything made of it.
  std::string say(const std::string& id, const std::string& text, const Value& more) {
    std::string item = client_.stored_id(recall_item(id, text, more));
    client_.drain();
    return item;
  }
  std::string remark(const std::string& id, const std::string& text) {
    return say(id, text, Value::object({{"thread_ref", "talk"}}));
  }
  std::string ask(const std::string& id, const std::string& text, const std::string& thread) {
    return say(
        id, text,
        Value::object({{"thread_ref", thread}, {"role", "user"}, {"artifact_kind", "message"}}));
  }
  HttpAnswer flag(const std::string& memory, bool immediate = true) {
    return client_.send(
        "POST", "/memory/" + memory + "/flag",
        Value::object({{"reason", "no"}, {"source_ref", "ada"}, {"immediate", immediate}}));
  }
  // Flagged for the second time: its state, and how often it was flagged.
  void expect_suppressed(const std::string& memory) {
    const auto again = flag(memory, false);
    EXPECT_EQ(at(again, "suppressed"), Value(true)) << again.body;
    EXPECT_EQ(at(again, "flag_count"), Value(2)) << again.body;
  }
  // Ids of the memories of that type that a question brings up.
  std::vector<std::string> found(const std::string& question, const std::string& type,
                                 const Value& more = {}) {
    std::vector<std::string> ids;
    const Value results = at(client_.ask(question, more), "results");
    for (const Value& result : *results.if_array()) {
      if (at(result, "type") == Value(type))
        ids.push_back(*at(result, "memory_object_id").if_string());
    }
    return ids;
  }
  void pass_a_month() {
    client_.send("POST", "/_test/clock", Value::object({{"advance_seconds", 31 * 24 * 3600}}));
  }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--rate-limits", "off", "--test-clock"}};
  RecallClient client_{server_.port()};
};

TEST_F(SuppressionTest, AThreadThatGoesOnDoesNotBringItsSummaryBack) {
  ask("1", "Where do we keep the crane ladder?", "talk");
  const std::string summary = client_.memory_of(
      remark("2", "We decided to keep the crane ladder in the shed."), "thread_summary");
  ASSERT_EQ(found("crane ladder", "thread_summary"), std::vector<std::string>{summary});
  flag(summary);

  const std::string third = remark("3", "Nothing else hangs there.");

  EXPECT_TRUE(found("crane ladder", "thread_summary").empty());
  expect_suppressed(summary);
  EXPECT_EQ(at(client_.processing(third), "thread_rebuild_completed"), Value(true));
}

TEST_F(SuppressionTest, OtherWordsAboutTheThreadAreSuppressedForAMonth) {
  ask("1", "Where do we keep the crane ladder?", "talk");
  const std::string summary = client_.memory_of(
      remark("2", "We decided to keep the crane ladder in the shed."), "thread_summary");
  flag(summary);
  remark("3", "We decided to keep the crane ladder in the hall.");
  EXPECT_TRUE(found("crane ladder", "thread_summary").empty());
  pass_a_month();
  remark("4", "We decided to keep the crane ladder behind the hall.");

  EXPECT_EQ(found("crane ladder", "thread_summary").size(), 1U);
  expect_suppressed(summary);
}

TEST_F(SuppressionTest, TheSameWordsAreAnotherMemoryAfterAMonth) {
  ask("1", "Where do we keep the crane ladder?", "talk");
  const std::string summary = client_.memory_of(
      remark("2", "We decided to keep the crane ladder in the shed."), "thread_summary");
  flag(summary);
  pass_a_month();
  remark("3", "Nothing else hangs there.");
  const auto now = found("crane ladder", "thread_summary");
  ASSERT_EQ(now.size(), 1U);
  EXPECT_NE(now[0], summary);
  expect_suppressed(summary);
}

TEST_F(SuppressionTest, ACheckpointStaysAway) {
  const Value resumed =
      Value::object({{"runtime_context", Value::object({{"turn_kind", "resumed_session"}})}});
  const Value work = Value::object({{"thread_ref", "talk"}, {"artifact_kind", "tool_use_summary"}});
  say("1", "Partial progress: counted the catalog shelves.", work);
  const std::string checkpoint =
      client_.memory_of(say("2", "Blocked: the catalog token expired.", work), "task_checkpoint");
  ASSERT_EQ(found("where did we leave off?", "task_checkpoint", resumed).size(), 1U);
  flag(checkpoint);

  remark("3", "The shelves are long.");
  remark("4", "And they are high.");

  EXPECT_TRUE(found("where did we leave off?", "task_checkpoint", resumed).empty());
  expect_suppressed(checkpoint);
}

TEST_F(SuppressionTest, AnAnswerCarriedForwardStaysAway) {
  ask("1", "Where does the crane ladder belong?", "talk");
  remark("2", "The crane ladder belongs in the shed.");
  const std::string carried = client_.memory_of(
      ask("3", "Where does the crane ladder belong?", "later"), "continuity_memory");
  ASSERT_FALSE(carried.empty());
  flag(carried);
  ask("4", "Where does the crane ladder belong?", "much later");
  EXPECT_TRUE(found("crane ladder belong", "continuity_memory").empty());
  expect_suppressed(carried);
}

TEST_F(SuppressionTest, ASummaryOfFactsStaysAway) {
  const auto tell = [&](const std::string& id, const std::string& text) {
    return say(id, text,
               Value::object({{"thread_ref", id}, {"artifact_kind", "message"}, {"role", "user"}}));
  };
  tell("1", "The crane manages the depot.");
  tell("2", "Crane Works owns the northern depot.");
  const std::string summary =
      client_.memory_of(tell("3", "Crane Works owns the southern depot."), "fact_summary");
  ASSERT_FALSE(summary.empty());
  flag(summary);
  tell("4", "Crane Works owns the southern depot.");
  EXPECT_TRUE(found("crane works owns depot", "fact_summary").empty());
  tell("5", "Crane Works owns the western depot.");
  EXPECT_TRUE(found("crane works owns depot", "fact_summary").empty());
  expect_suppressed(summary);
}

}  // namespace
}  // namespace holdfast::testing
