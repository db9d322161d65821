// Turns that somebody wants forgotten.
#include <gtest/gtest.h>

#include "recall_client.h"

namespace holdfast::testing {
namespace {

class ForgottenSourceTest : public ::testing::Test {
 protected:
  HttpAnswer forget(const Value& body) { return client_.send("POST", "/source/forget", body); }
  HttpAnswer forget(const std::string& id) {
    return forget(Value::object({{"source_item_id", id}, {"reason", "user request"}}));
  }
  static Value in_thread(const char* thread) { return Value::object({{"thread_ref", thread}}); }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client_{server_.port()};
};

TEST_F(ForgottenSourceTest, ATurnIsGoneFromEveryRead) {
  const auto item =
      client_.stored_id(recall_item("1", "We decided to hide the zanzibar key.", in_thread("t")));
  const auto other =
      client_.stored_id(recall_item("2", "The depot has a new roof.", in_thread("t")));
  client_.drain();
  const auto memory = text_at(client_.processing(item), "memory_object_ids.0");
  const std::string summary = client_.memory_of(other, "thread_summary");
  ASSERT_NE(client_.expand(summary).body.find("zanzibar"), std::string::npos);

  const auto done = forget(item);
  ASSERT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(at(done, "count"), Value(1));
  EXPECT_EQ(at(done, "forgotten"), Value(true));
  EXPECT_EQ(client_.ask("zanzibar key", {}, "/query/debug").body.find("zanzibar key."),
            std::string::npos);
  EXPECT_EQ(size_at(client_.ask("zanzibar key"), "results"), 0U);
  EXPECT_EQ(size_at(client_.ask("zanzibar", Value::object({{"source_only", true}})), "results"),
            0U);
  EXPECT_EQ(client_.processing(item).status, 404);
  EXPECT_EQ(client_.expand(memory).status, 404);
  EXPECT_EQ(client_.send("GET", "/source/" + item + "/context?container_ref=yard").status, 404);
  const auto around = client_.send("GET", "/source/" + other + "/context?container_ref=yard");
  EXPECT_EQ(size_at(around, "items"), 1U) << around.body;
  client_.drain();
  EXPECT_EQ(client_.expand(summary).status, 404);

  const auto again = forget(item);
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(at(again, "count"), Value(0));
  EXPECT_EQ(at(again, "forgotten"), Value(false));
  EXPECT_EQ(server_.stop(), 0);
  EXPECT_FALSE(folder_contains(server_.data(), "zanzibar"));
}

TEST_F(ForgottenSourceTest, SendingItAgainDoesNotBringItBack) {
  const Value said = recall_item("1", "We decided to hide the zanzibar key.");
  const auto item = client_.stored_id(said);
  forget(item);
  const auto again = client_.store(said);
  EXPECT_EQ(text_at(again, "0.source_item_id"), item);
  EXPECT_EQ(text_at(again, "0.processing_status"), "skipped");
  EXPECT_EQ(text_at(again, "0.processing_error"), "source_forgotten");
  client_.drain();
  EXPECT_EQ(size_at(client_.ask("zanzibar key"), "results"), 0U);
}

TEST_F(ForgottenSourceTest, AFactKeepsWhatElseItRestsOn) {
  const Value personal = Value::object({{"artifact_kind", "message"},
                                        {"role", "user"},
                                        {"visibility", "private"},
                                        {"actor_ref", "user:ann"}});
  const auto first = client_.stored_id(recall_item("1", "My favourite colour is red.", personal));
  const auto second = client_.stored_id(recall_item("2", "My favourite colour is red.", personal));
  client_.drain();
  forget(first);
  const Value private_query = Value::object({{"visibility", "private"}, {"actor_ref", "user:ann"}});
  const auto answer = client_.ask("favourite colour", private_query);
  EXPECT_EQ(text_at(answer, "results.0.type"), "atomic_fact") << answer.body;
  EXPECT_EQ(size_at(answer, "results.0.evidence"), 1U);
  EXPECT_EQ(text_at(answer, "results.0.evidence.0.source_item_id"), second);
  forget(second);
  EXPECT_EQ(size_at(client_.ask("favourite colour", private_query), "results"), 0U);
}

TEST_F(ForgottenSourceTest, AThreadOrAContainerAtOnce) {
  for (int i = 0; i < 6; ++i)
    client_.store(recall_item(std::to_string(i), "Crate " + std::to_string(i) + " has arrived.",
                              in_thread(i % 2 == 0 ? "even" : "odd")));
  client_.store(
      recall_item("far", "Crate far has arrived.", Value::object({{"container_ref", "sea"}})));
  const auto thread =
      forget(Value::object({{"container_ref", "yard"}, {"thread_ref", "even"}, {"reason", "x"}}));
  EXPECT_EQ(at(thread, "count"), Value(3)) << thread.body;
  EXPECT_TRUE(at(thread, "forgotten").is_null());
  const Value raw = Value::object({{"source_only", true}, {"limit", 20}});
  EXPECT_EQ(size_at(client_.ask("crate arrived", raw), "results"), 3U);
  EXPECT_EQ(at(forget(Value::object({{"container_ref", "yard"}})), "count"), Value(3));
  EXPECT_EQ(size_at(client_.ask("crate arrived", raw), "results"), 0U);
  Value elsewhere = raw;
  elsewhere.set("container_ref", "sea");
  EXPECT_EQ(size_at(client_.ask("crate arrived", elsewhere), "results"), 1U);
  client_.drain();
}

TEST_F(ForgottenSourceTest, WhatItRefuses) {
  EXPECT_EQ(forget(Value::object({{"reason", "x"}})).status, 422);
  const auto unknown = forget(std::string("00000000-0000-4000-8000-000000000000"));
  EXPECT_EQ(unknown.status, 404);
  EXPECT_EQ(text_at(unknown, "detail"), "source item not found");
  const auto item = client_.stored_id(recall_item("1", "The depot has a new roof."));
  const auto foreign = forget(Value::object({{"source_item_id", item}, {"container_ref", "sea"}}));
  EXPECT_EQ(foreign.status, 404);
  EXPECT_EQ(foreign.body, unknown.body);
  EXPECT_EQ(
      forget(Value::object({{"source_item_id", item}, {"reason", std::string(501, 'r')}})).status,
      422);
  EXPECT_EQ(client_.processing(item).status, 200);
}

TEST_F(ForgottenSourceTest, WhatIsForgottenBeforeItsTurnComesIsNotWaitedFor) {
  Value many = Value::array();
  for (int i = 0; i < 50; ++i)
    many.push(recall_item(std::to_string(i), "We decided to lend ladder L" + std::to_string(i) +
                                                 " to crew C" + std::to_string(i * 31) + "."));
  const auto stored = client_.send("POST", "/items", many);
  for (int i = 0; i < 50; i += 2)
    EXPECT_EQ(forget(text_at(stored, std::to_string(i) + ".source_item_id")).status, 200);
  client_.drain();
  const auto health = client_.send("GET", "/debug/queue/health");
  EXPECT_EQ(at(health, "status_counts.completed"), Value(25)) << health.body;
  EXPECT_EQ(size_at(health, "recent_failures"), 0U);
}

}  // namespace
}  // namespace holdfast::testing
