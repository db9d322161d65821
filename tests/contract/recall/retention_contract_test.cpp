// What goes after its time, and what stays.
#include <gtest/gtest.h>

#include "recall_client.h"

namespace holdfast::testing {
namespace {

constexpr int kDay = 24 * 3600;

class RetentionTest : public ::testing::Test {
 protected:
  void later(int seconds) {
    const auto moved =
        client_.send("POST", "/_test/clock", Value::object({{"advance_seconds", seconds}}));
    ASSERT_EQ(moved.status, 200) << moved.body;
  }
  Value last_run() { return at(client_.send("GET", "/debug/queue/health"), "retention"); }
  // Until a run that began after the clock was moved is over.
  void wait_for_run(const std::string& since) {
    for (int i = 0; i < 400; ++i) {
      const Value run = last_run();
      const Value* started = run.find("last_run_started_at");
      if (started->is_string() && *started->if_string() > since) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    FAIL() << "no run of retention";
  }
  std::string now() { return text_at(client_.send("GET", "/health"), "time"); }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data",
                        {"--rate-limits", "off", "--test-clock", "--retention-enabled", "true"}};
  RecallClient client_{server_.port()};
};

TEST_F(RetentionTest, OldEvidenceGoesUnlessSomethingLastingRestsOnIt) {
  const auto talk = client_.stored_id(recall_item("talk", "The depot looked busy this morning."));
  const auto basis =
      client_.stored_id(recall_item("basis", "We decided to paint the depot green."));
  client_.drain();
  later(29 * kDay);
  const std::string before = now();
  later(600);
  wait_for_run(before);
  EXPECT_EQ(client_.processing(talk).status, 200) << "its time has not come";

  later(2 * kDay);
  const std::string then = now();
  later(600);
  wait_for_run(then);
  EXPECT_EQ(client_.processing(talk).status, 404);
  EXPECT_EQ(client_.processing(basis).status, 200);
  EXPECT_EQ(text_at(client_.ask("paint depot green"), "decision_reason"),
            "carry_forward_available");
  EXPECT_EQ(at(last_run(), "enabled"), Value(true));
}

TEST_F(RetentionTest, SupersededMemoryGoesAfterAWeek) {
  const auto first = client_.stored_id(recall_item("1", "We decided to use Redis for sessions."));
  client_.drain();
  const auto memory = text_at(client_.processing(first), "memory_object_ids.0");
  client_.store(recall_item("2", "We decided to use Postgres for sessions instead of Redis."));
  client_.drain();
  const std::string path = "/memory/" + memory + "/expand?container_ref=yard";
  EXPECT_EQ(client_.send("GET", path).status, 200);

  later(8 * kDay);
  const std::string then = now();
  later(600);
  wait_for_run(then);
  EXPECT_EQ(client_.send("GET", path).status, 404);
  EXPECT_EQ(text_at(client_.ask("Postgres sessions"), "injectable_blocks.0.memory_type"),
            "decision");
}

TEST_F(RetentionTest, WhatIsKeptForInspectionGoesAfterThreeDays) {
  const Value talk = Value::object({{"thread_ref", "talk"}});
  const auto item =
      client_.stored_id(recall_item("1", "We decided to paint the depot green.", talk));
  client_.store(recall_item("2", "The depot looked busy this morning.", talk));
  client_.drain();
  const auto before = client_.processing(item);
  ASSERT_EQ(text_at(before, "memory_object_types.0"), "decision");
  ASSERT_EQ(at(before, "thread_rebuild_completed"), Value(true)) << before.body;

  later(2 * kDay);
  std::string then = now();
  later(600);
  wait_for_run(then);
  EXPECT_EQ(at(last_run(), "last_stripped_debug_metadata"), Value(0)) << "its time has not come";
  EXPECT_EQ(text_at(client_.processing(item), "memory_object_types.0"), "decision");

  // One move of the clock, one run: after a second one the counts would be those of a second run.
  then = now();
  later(2 * kDay);
  wait_for_run(then);
  EXPECT_EQ(at(last_run(), "last_stripped_debug_metadata"), Value(2));
  const auto after = client_.processing(item);
  EXPECT_EQ(size_at(after, "memory_object_types"), 0U) << after.body;
  EXPECT_EQ(at(after, "thread_rebuild_requested"), Value(false));
  EXPECT_EQ(at(after, "thread_rebuild_completed"), Value(false));
  EXPECT_EQ(text_at(after, "processing_status"), "completed");
  EXPECT_EQ(at(after, "memory_object_ids"), at(before, "memory_object_ids")) << "memory stays";
  EXPECT_EQ(text_at(client_.ask("paint depot green"), "decision_reason"),
            "carry_forward_available");
}

TEST_F(RetentionTest, WhatBackedAStatementGoesWithIt) {
  const Value by = Value::object({{"container_ref", "yard"},
                                  {"thread_ref", "talk"},
                                  {"actor_ref", "ann"},
                                  {"agent_ref", "a"},
                                  {"visibility", "container"}});
  Value first = by;
  first.set("text", "We decided to hide the zanzibar key.");
  first.set("type", "decision");
  const auto stated = client_.send("POST", "/memory/remember", first);
  Value second = by;
  second.set("new_text", "We decided to lose the key.");
  second.set("supersedes_id", at(stated, "memory_object_id"));
  ASSERT_EQ(client_.send("POST", "/memory/supersede", second).status, 200);
  client_.store(recall_item("1", "The depot looked busy this morning."));  // starts retention
  client_.drain();
  later(8 * kDay);
  const std::string then = now();
  later(600);
  wait_for_run(then);
  EXPECT_EQ(client_.expand(text_at(stated, "memory_object_id")).status, 404);
  EXPECT_EQ(client_.processing(text_at(stated, "source_item_id")).status, 404);
  EXPECT_EQ(text_at(client_.ask("lose the key"), "results.0.type"), "decision");
}

}  // namespace
}  // namespace holdfast::testing
