// What a question finds by its words and its work.
#include <gtest/gtest.h>

#include "recall_client.h"

namespace holdfast::testing {
namespace {

class QueryTest : public ::testing::Test {
 protected:
  std::string decided(const std::string& id, const std::string& text, const Value& more = {}) {
    const std::string item = client_.stored_id(recall_item(id, text, more));
    client_.drain();
    return client_.memory_of(item, "decision");
  }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--rate-limits", "off"}};
  RecallClient client_{server_.port()};
};

TEST_F(QueryTest, GlueInCapitalsFindsNothing) {
  decided("1", "We decided to keep the crane IN the yard because THE hall is full.");
  for (const char* question : {"WHAT IS THE WEATHER IN PARIS", "THE"}) {
    const auto answer = client_.ask(question);
    EXPECT_EQ(at(answer, "should_inject"), Value(false)) << answer.body;
    EXPECT_EQ(size_at(answer, "results"), 0U) << answer.body;
  }
}

TEST_F(QueryTest, KoreanIsFoundByItsWordsNotBySyllables) {
  const std::string nightly = decided("1", "Decision: 데이터베이스 백업을 매일 새벽 실행");
  const auto found = client_.ask("데이터베이스 백업을 언제 실행");
  EXPECT_EQ(text_at(found, "injectable_blocks.0.memory_object_id"), nightly) << found.body;
  const auto other = client_.ask("데이트 새벽길 베이스캠프");
  EXPECT_EQ(size_at(other, "results"), 0U) << other.body;
}

TEST_F(QueryTest, AHundredThousandPiecesOfWorkMayBeAskedFor) {
  const std::string known = decided("1", "We decided to oil the crane.",
                                    Value::object({{"work_refs", Value::array({"yard-77"})}}));
  Value refs = Value::array();
  for (int i = 0; i < 100'000; ++i) refs.push("yard " + std::to_string(i));

  const auto answer = client_.ask("anything on this?", Value::object({{"work_refs", refs}}));

  EXPECT_EQ(text_at(answer, "results.0.memory_object_id"), known) << answer.body.substr(0, 300);
}

}  // namespace
}  // namespace holdfast::testing
