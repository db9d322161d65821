// Items read and memories worded by a model, and what happens when it fails.
#include <atomic>

#include <gtest/gtest.h>

#include "recall_client.h"
#include "support/model_endpoint.h"

namespace holdfast::testing {
namespace {

class ModelTest : public ::testing::Test {
 protected:
  void start(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--rate-limits", "off", "--test-clock", "--extractor-mode", "llm",
                             "--extractor-base-url", endpoint_.base_url(), "--extractor-model",
                             "tiny", "--extractor-retry-base-ms", "1"});
    server_.emplace(folder_ / "data", more);
    client_.emplace(server_->port());
  }
  void later(int seconds) {
    client_->send("POST", "/_test/clock", Value::object({{"advance_seconds", seconds}}));
  }
  // Until the item has that status after so many attempts.
  HttpAnswer wait_for(const std::string& item, const std::string& status, int attempts) {
    HttpAnswer state;
    for (int i = 0; i < 400; ++i) {
      state = client_->processing(item);
      if (text_at(state, "processing_status") == status &&
          at(state, "processing_attempts") == Value(attempts))
        return state;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    ADD_FAILURE() << "not " << status << ": " << state.body;
    return state;
  }

  // By what the instructions ask for.
  ModelEndpoint::Answer answer(const Value& body) {
    if (status_ != 200) return {.status = status_};
    const Value messages = *body.find("messages");
    const std::string asked = *at(messages, "0.content").if_string();
    const std::string content = *at(messages, "1.content").if_string();
    Value said = Value::object();
    if (asked.find("facts, a list of") != std::string::npos) {
      const bool bees = content.find("bees") != std::string::npos;
      said.set(
          "facts",
          Value::array({Value::object({{"subject", "Ann"},
                                       {"statement", bees ? "Ann keeps bees" : "Ann keeps hens"},
                                       {"category", "activity"}})}));
    } else if (asked.find("superseded_indices") != std::string::npos) {
      ++consolidated_;
      if (fails_to_consolidate_) return {.status = 400};
      said.set("summary", "Ann is good with animals.");
      said.set("superseded_indices", Value::array());
    } else if (shapeless_) {
      said.set("candidate_type", "rumour");
    }
    return {.body = Value::object(
                {{"model", "tiny"},
                 {"choices", Value::array({Value::object(
                                 {{"message", Value::object({{"content", to_json(said)}})}})})}})};
  }
  static Value said(const char* id, const char* text, const char* thread) {
    return recall_item(
        id, text,
        Value::object({{"artifact_kind", "message"}, {"role", "user"}, {"thread_ref", thread}}));
  }

  TemporaryFolder folder_;
  std::atomic<int> status_ = 200;
  std::atomic<int> consolidated_ = 0;
  std::atomic<bool> fails_to_consolidate_ = false;
  std::atomic<bool> shapeless_ = false;
  ModelEndpoint endpoint_{[this](const Value& body) { return answer(body); }};
  std::optional<ServerProcess> server_;
  std::optional<RecallClient> client_;
};

TEST_F(ModelTest, WhatIsDrawnTogetherIsWordedByTheModelAfterwards) {
  fails_to_consolidate_ = true;
  start();
  const auto item = client_->stored_id(said("1", "Ann keeps bees on the roof.", "a"));
  client_->drain();
  client_->store(said("2", "Ann keeps hens in the yard.", "b"));
  client_->drain();
  for (int i = 0; i < 400 && consolidated_ == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  const std::string summary = client_->memory_of(item, "fact_summary");
  ASSERT_FALSE(summary.empty());
  EXPECT_EQ(text_at(client_->expand(summary), "payload.summary").find("Ann's activity: "), 0U)
      << "the rules' words until the model has found better ones";

  fails_to_consolidate_ = false;
  std::string worded;
  for (int i = 0; i < 200 && worded != "Ann is good with animals."; ++i) {
    later(10);
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    worded = text_at(client_->expand(summary), "payload.summary");
  }
  EXPECT_EQ(worded, "Ann is good with animals.");
  EXPECT_EQ(size_at(client_->expand(summary), "payload.fact_ids"), 2U);
  const auto found = client_->ask("is Ann good with animals");
  EXPECT_EQ(text_at(found, "results.0.memory_object_id"), summary) << found.body;
}

TEST_F(ModelTest, FailedItemsAreTriedAgainWhenAskedFor) {
  status_ = 401;
  start({"--queue-max-attempts", "1"});
  const auto item = client_->stored_id(said("1", "Ann keeps bees on the roof.", "a"));
  const auto failed = wait_for(item, "failed", 1);
  EXPECT_EQ(text_at(failed, "failure_category"), "llm_failure") << failed.body;
  EXPECT_FALSE(at(failed, "processing_completed_at").is_null());

  status_ = 200;
  const auto retried = client_->send("POST", "/debug/queue/retry-failed");
  EXPECT_EQ(retried.status, 200);
  EXPECT_EQ(at(retried, "retried"), Value(1)) << retried.body;
  const auto done = wait_for(item, "completed", 1);
  EXPECT_TRUE(at(done, "failure_category").is_null()) << done.body;
  EXPECT_TRUE(at(done, "processing_error").is_null());
  EXPECT_EQ(text_at(done, "memory_object_types.0"), "atomic_fact");
  EXPECT_EQ(size_at(client_->send("GET", "/debug/queue/health"), "recent_failures"), 0U);
  EXPECT_EQ(at(client_->send("POST", "/debug/queue/retry-failed"), "retried"), Value(0));
}

TEST_F(ModelTest, AnAnswerOfAnotherShapeIsMalformed) {
  shapeless_ = true;
  start({"--queue-max-attempts", "1"});
  const auto item = client_->stored_id(said("1", "Ann keeps bees on the roof.", "a"));
  EXPECT_EQ(text_at(wait_for(item, "failed", 1), "failure_category"), "malformed_payload");
}

TEST_F(ModelTest, OnlyAdministratorsTryAgainOrEndTheServer) {
  start({"--auth", "tokens"});
  const std::string admin = server_->first_token();
  const auto made =
      run_holdfast({"token", "create", "writer", "--data", server_->data(), "--json"});
  RecallClient nobody(server_->port());
  EXPECT_EQ(nobody.send("POST", "/debug/queue/retry-failed").status, 401);
  EXPECT_EQ(nobody.send("POST", "/shutdown").status, 401);
  ASSERT_EQ(made.status, 0) << made.err;
  const Value token = at(parsed(made.out), "token");
  ASSERT_TRUE(token.is_string()) << made.out;
  RecallClient writer(server_->port(), *token.if_string());
  EXPECT_EQ(writer.send("POST", "/debug/queue/retry-failed").status, 403);
  EXPECT_EQ(writer.send("POST", "/shutdown").status, 403);
  RecallClient owner(server_->port(), admin);
  EXPECT_EQ(owner.send("POST", "/debug/queue/retry-failed").status, 200);
  EXPECT_EQ(owner.send("POST", "/shutdown").status, 200);
  EXPECT_EQ(server_->process().wait(), 0);
}

}  // namespace
}  // namespace holdfast::testing
