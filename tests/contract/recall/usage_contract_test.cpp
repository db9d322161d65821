// Why queries are made, what is injected when, and what became of it.
#include <gtest/gtest.h>

#include "recall_client.h"

namespace holdfast::testing {
namespace {

class UsageTest : public ::testing::Test {
 protected:
  static HttpAnswer ask(RecallClient& client, const char* origin) {
    return client.ask("What colour do we paint the depot?",
                      Value::object({{"trigger_origin", origin}, {"thread_ref", "elsewhere"}}));
  }
  void start(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--rate-limits", "off"});
    server_.emplace(folder_ / "data", more);
    client_.emplace(server_->port());
    client_->store(recall_item("1", "We decided to paint the depot green."));
    client_->drain();
  }

  TemporaryFolder folder_;
  std::optional<ServerProcess> server_;
  std::optional<RecallClient> client_;
};

TEST_F(UsageTest, AnUnknownOriginIsRefusedAndStoresNothing) {
  start();
  const auto refused = ask(*client_, "boredom");
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(text_at(refused, "detail").find("user_prompt_submit"), std::string::npos)
      << refused.body;
  Value item = recall_item("2", "Which colour?", Value::object({{"trigger_origin", "boredom"}}));
  EXPECT_EQ(client_->send("POST", "/item-and-query", item).status, 400);
  EXPECT_EQ(at(client_->send("GET", "/debug/queue/health"), "status_counts.completed"), Value(1));
  EXPECT_EQ(ask(*client_, "user_prompt_submit").status, 200);
  EXPECT_EQ(client_->ask("depot", Value::object({{"trigger_origin", 7}})).status, 422);
}

TEST_F(UsageTest, InjectedMemoryIsListedAndObservedOnce) {
  start();
  EXPECT_TRUE(at(client_->ask("paint depot"), "lookup_event_id").is_null());
  const auto answer = ask(*client_, "user_prompt_submit");
  const std::string lookup = text_at(answer, "lookup_event_id");
  ASSERT_FALSE(lookup.empty()) << answer.body;
  const std::string memory = text_at(answer, "injectable_blocks.0.memory_object_id");
  for (const std::string& filter :
       {"query_audit_log_id=" + lookup, "memory_object_id=" + memory,
        std::string("thread_ref=elsewhere"), std::string("container_ref=yard")}) {
    const auto listed = client_->send("GET", "/memory-usage-audit?" + filter);
    ASSERT_EQ(size_at(listed, "rows"), 1U) << filter << listed.body;
    EXPECT_EQ(text_at(listed, "rows.0.memory_object_id"), memory);
    EXPECT_EQ(text_at(listed, "rows.0.memory_type"), "decision");
    EXPECT_EQ(text_at(listed, "rows.0.trigger_origin"), "user_prompt_submit");
    EXPECT_TRUE(at(listed, "rows.0.referenced_in_next_turn").is_null());
  }
  EXPECT_EQ(client_->send("GET", "/memory-usage-audit").status, 422);

  const auto rows = client_->send("GET", "/memory-usage-audit?query_audit_log_id=" + lookup);
  const std::string path = "/memory-usage-audit/" + text_at(rows, "rows.0.id");
  EXPECT_EQ(client_->send("POST", path, Value::object({{"referenced_in_next_turn", true}})).status,
            422)
      << "how it was referred to is needed";
  const Value seen = Value::object({{"referenced_in_next_turn", true},
                                    {"reference_kind", "id_quote"},
                                    {"observation_window_turns", 2}});
  EXPECT_EQ(at(client_->send("POST", path, seen), "updated"), Value(true));
  EXPECT_EQ(at(client_->send("POST", path, Value::object({{"referenced_in_next_turn", false}})),
               "updated"),
            Value(false));
  const auto after = client_->send("GET", "/memory-usage-audit?query_audit_log_id=" + lookup);
  EXPECT_EQ(at(after, "rows.0.referenced_in_next_turn"), Value(true));
  EXPECT_EQ(text_at(after, "rows.0.reference_kind"), "id_quote");
  EXPECT_EQ(at(after, "rows.0.observation_window_turns"), Value(2));
  EXPECT_EQ(client_->send("POST", "/memory-usage-audit/none", seen).status, 404);
}

TEST_F(UsageTest, FeedbackIsKeptWithTheQueryItIsAbout) {
  start();
  const auto answer = ask(*client_, "user_prompt_submit");
  const std::string lookup = text_at(answer, "lookup_event_id");
  const std::string memory = text_at(answer, "injectable_blocks.0.memory_object_id");
  const std::string path = "/memory/" + memory + "/feedback";
  const auto given = client_->send(
      "POST", path,
      Value::object(
          {{"rating", "not_relevant"}, {"query_audit_log_id", lookup}, {"reason", "no"}}));
  ASSERT_EQ(given.status, 200) << given.body;
  EXPECT_EQ(text_at(given, "memory_object_id"), memory);
  EXPECT_EQ(text_at(given, "rating"), "not_relevant");
  EXPECT_EQ(at(given, "recorded"), Value(true));
  const auto rows = client_->send("GET", "/memory-usage-audit?query_audit_log_id=" + lookup);
  EXPECT_EQ(text_at(rows, "rows.0.rating"), "not_relevant");
  EXPECT_EQ(client_->send("POST", path, Value::object({{"rating", "great"}})).status, 422);
  EXPECT_EQ(client_->send("POST", path, Value::object()).status, 422);
  EXPECT_EQ(
      client_->send("POST", path, Value::object({{"rating", "relevant"}, {"container_ref", "sea"}}))
          .status,
      404);
  EXPECT_EQ(client_->send("POST", "/memory/none/feedback", Value::object({{"rating", "relevant"}}))
                .status,
            404);
}

TEST_F(UsageTest, ThePolicyDecidesWhenATypeIsPutForward) {
  struct Case {
    const char* mode;
    const char* origin;
    bool injected;
  };
  constexpr Case kCases[] = {
      {"proactive", "user_prompt_submit", true}, {"event", "user_prompt_submit", false},
      {"event", "post_tool_failure", true},      {"event", "user_explicit", true},
      {"on_demand", "post_tool_failure", false}, {"on_demand", "agent_pull", true},
      {"suspended", "user_explicit", false},     {"suspended", "agent_pull", false}};
  std::string mode;
  for (const Case& one : kCases) {
    if (mode != one.mode) {
      mode = one.mode;
      client_.reset();
      server_.reset();
      start({"--injection-policy-decision", mode});
    }
    const auto answer = ask(*client_, one.origin);
    EXPECT_EQ(at(answer, "should_inject"), Value(one.injected)) << one.mode << " " << one.origin;
    EXPECT_GE(size_at(answer, "results"), 1U) << "it is still found";
    EXPECT_EQ(text_at(answer, "decision_reason"),
              one.injected ? "carry_forward_available" : "no_relevant_memory");
  }
}

TEST_F(UsageTest, APolicyThatIsNoneStopsTheStart) {
  const auto run = run_holdfast({"serve", "--data", folder_ / "data", "--listen", "127.0.0.1:0",
                                 "--injection-policy-note", "sometimes"});
  EXPECT_NE(run.status, 0);
  EXPECT_NE(run.err.find("injection"), std::string::npos) << run.err;
}

TEST_F(UsageTest, TheServiceAtAGlance) {
  start();
  const auto status = client_->send("GET", "/status");
  ASSERT_EQ(status.status, 200) << status.body;
  EXPECT_EQ(text_at(status, "status"), "ok");
  EXPECT_EQ(text_at(status, "extractor_mode"), "rules");
  EXPECT_EQ(text_at(status, "vector_mode"), "off");
  EXPECT_EQ(at(status, "retention_enabled"), Value(false));
  EXPECT_EQ(at(status, "status_counts"), Value::object({{"completed", 1}}));
  EXPECT_EQ(at(status, "memory_counts"), Value::object({{"decision", 1}}));
}

TEST_F(UsageTest, ShutdownEndsTheServerCleanly) {
  start();
  EXPECT_EQ(client_->send("GET", "/shutdown").status, 405);
  const auto answer = client_->send("POST", "/shutdown");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(text_at(answer, "status"), "shutting_down");
  EXPECT_EQ(server_->process().wait(), 0);
}

}  // namespace
}  // namespace holdfast::testing
