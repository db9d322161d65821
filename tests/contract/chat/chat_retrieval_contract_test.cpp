// Which memories a chat finds, and in which order.
#include <gtest/gtest.h>

#include "chat_bodies.h"
#include "support/json.h"
#include "support/process.h"

namespace holdfast::testing {
namespace {

class ChatRetrievalTest : public ::testing::Test {
 protected:
  void keep(const std::string& request_id, const std::string& content) {
    const auto kept = client_.request("POST", "/v1/memories", memory_body(request_id, content),
                                      {{"x-sol-user-id", "ana"}});
    EXPECT_EQ(kept.status, 200) << kept.body;
  }
  HttpAnswer ask(const std::string& text, int most = 6, const std::string& avoided = "") {
    std::string body = chat_body("r" + std::to_string(++asked_), text);
    const std::string items = R"("max_items":5)";
    body.replace(body.find(items), items.size(), R"("max_items":)" + std::to_string(most));
    if (!avoided.empty()) {
      const std::string before = R"("capsule_summary":"")";
      body.insert(body.find(before) + before.size(),
                  R"(,"cfb_inference":{"scope_guard":{"avoid_topics":[")" + avoided + "\"]}}");
    }
    return client_.request("POST", "/v1/chat", body, {{"x-sol-user-id", "ana"}});
  }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--rate-limits", "off"}};
  HttpClient client_{server_.port()};
  int asked_ = 0;
};

TEST_F(ChatRetrievalTest, HoweverManyAreAvoidedTheOthersAreFound) {
  for (int i = 0; i < 70; ++i) {
    const std::string n = std::to_string(i);
    keep("a" + n, "My sister Ana lives in flat " + n + ".");
  }
  keep("b", "Ana lives by the sea, as everybody who was there last summer knows.");

  const auto answer = ask("Where does my sister Ana live?", 6, "sister");

  EXPECT_EQ(size_at(answer, "retrieved_memories_used"), 1U) << answer.body;
}

TEST_F(ChatRetrievalTest, MoreOfTheWordsComeFirstHoweverManyHaveSome) {
  std::string details;
  for (int i = 0; i < 60; ++i) details += " detail" + std::to_string(i);
  keep("both", "The garden pump stands by the shed." + details);
  for (int i = 0; i < 40; ++i) {
    keep("g" + std::to_string(i), "garden");
    keep("p" + std::to_string(i), "pump");
  }

  const auto answer = ask("garden pump?", 5);

  const std::string first = text_at(answer, "retrieved_memories_used.0.summary");
  EXPECT_TRUE(first.starts_with("The garden pump")) << answer.body;
}

// Who wants one memory gets the first of those that he would get if he wanted more.
TEST_F(ChatRetrievalTest, TheBestIsTheSameHoweverFewAreWanted) {
  keep("a", "alpha beta and nothing else.");
  keep("b", "alphabet betamax gammaray deltawing together.");
  const std::string first = "retrieved_memories_used.0.summary";

  const auto many = ask("alpha beta gamma delta");
  const auto one = ask("alpha beta gamma delta", 1);

  EXPECT_EQ(text_at(many, first), "alphabet betamax gammaray deltawing together.") << many.body;
  EXPECT_EQ(text_at(one, first), text_at(many, first)) << one.body;
}

}  // namespace
}  // namespace holdfast::testing
