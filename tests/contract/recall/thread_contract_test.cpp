// What is made of whole threads, whose turns may be long.
#include <gtest/gtest.h>

#include "recall_client.h"

namespace holdfast::testing {
namespace {

// More than a thread is looked at for its summary: 16,000 characters.
std::string at_length(const std::string& beginning) {
  std::string text = beginning;
  while (text.size() < 17'000) text += " Then the crane went round the yard once more.";
  return text;
}

class ThreadTest : public ::testing::Test {
 protected:
  std::string say(const std::string& id, const std::string& text, const Value& more = {}) {
    Value item = recall_item(id, text, Value::object({{"thread_ref", "talk"}}));
    if (const auto* members = more.if_object()) {
      for (const auto& member : *members) item.set(member.name, member.value);
    }
    std::string stored = client_.stored_id(item);
    client_.drain();
    return stored;
  }
  std::string ask(const std::string& id, const std::string& text, const std::string& thread) {
    return say(
        id, text,
        Value::object({{"thread_ref", thread}, {"role", "user"}, {"artifact_kind", "message"}}));
  }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client_{server_.port()};
};

TEST_F(ThreadTest, TurnsThatAreTooLongToBeReadTogetherMakeAThread) {
  const Value work = Value::object({{"artifact_kind", "tool_use_summary"}});
  say("1", at_length("We decided to keep the crane in the yard."));
  const std::string newest =
      say("2", at_length("Blocked: the crane has no oil.\nNext step: order oil.\n"), work);

  EXPECT_EQ(at(client_.processing(newest), "thread_rebuild_completed"), Value(true));
  const auto summary = client_.expand(client_.memory_of(newest, "thread_summary"));
  EXPECT_EQ(size_at(summary, "items"), 1U) << "only the newest turn fits";
  const auto checkpoint = client_.expand(client_.memory_of(newest, "task_checkpoint"));
  EXPECT_EQ(text_at(checkpoint, "payload.blocker_state"), "the crane has no oil");
}

TEST_F(ThreadTest, OneLongTurnIsNoThread) {
  const std::string only = say("1", at_length("We decided to keep the crane in the yard."));
  EXPECT_EQ(at(client_.processing(only), "thread_rebuild_completed"), Value(false));
}

TEST_F(ThreadTest, ALongAnswerIsAnAnswer) {
  ask("1", "Where does the crane ladder belong?", "talk");
  say("2", at_length("The crane ladder belongs in the shed."));
  const std::string again = ask("3", "Where does the crane ladder belong?", "later");
  const auto carried = client_.expand(client_.memory_of(again, "continuity_memory"));
  EXPECT_EQ(text_at(carried, "payload.summary").rfind("The crane ladder belongs in the shed.", 0),
            0U)
      << carried.body;
}

TEST_F(ThreadTest, APatternHoldsTogetherByItsOldestMember) {
  const auto decide = [&](const std::string& id, const std::string& text) {
    return say(id, text, Value::object({{"thread_ref", id}}));
  };
  decide("1", "We decided to use redis cache beside postgres queue.");
  decide("2", "We decided to keep redis cache warm nightly.");
  const std::string third = decide("3", "We decided to shard postgres queue weekly.");
  const auto pattern = client_.expand(client_.memory_of(third, "pattern_memory"));
  EXPECT_EQ(text_at(pattern, "payload.summary"),
            "Recurring (3 threads): Shard postgres queue weekly")
      << pattern.body;
  EXPECT_EQ(size_at(pattern, "items"), 3U);
}

}  // namespace
}  // namespace holdfast::testing
