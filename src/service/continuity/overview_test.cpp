// What operators look at: counts, rows by state, health and name, everything of one subject.
#include "service/continuity/service_fixture.h"

namespace holdfast::service::continuity {
namespace {

class OverviewTest : public ServiceTest {
 protected:
  std::vector<std::string> browse(const Value& args) {
    const auto found = call(reads_, &ReadService::browse, args);
    EXPECT_TRUE(found) << found.error().message;
    std::vector<std::string> out;
    for (const Value& row : list_of(*found, "capsules"))
      out.push_back(text_of(row, "subject_id") + " " + text_of(row, "artifact_state"));
    return out;
  }
  void archive(const std::string& id) {
    ASSERT_TRUE(
        call(capsules_, &CapsuleService::archive,
             Value::object({{"subject_kind", "thread"}, {"subject_id", id}, {"reason", "over"}})));
  }
  using Rows = std::vector<std::string>;
};

TEST_F(OverviewTest, CountsFollowEveryChange) {
  const auto count = [&](const char* state, const char* kind) {
    const auto counts = call(reads_, &ReadService::counts, "{}");
    return integer_of(*counts->find("counts")->find(state), kind, -1);
  };
  EXPECT_EQ(count("active", "total"), 0);
  ASSERT_TRUE(upsert("a", "2026-02-01T00:00:00Z"));
  ASSERT_TRUE(upsert("b", "2026-02-01T00:00:00Z"));
  EXPECT_EQ(count("active", "total"), 2);
  EXPECT_EQ(count("active", "thread"), 2);
  EXPECT_EQ(count("active", "user"), 0);
  EXPECT_EQ(count("fallback", "thread"), 2);
  archive("a");
  EXPECT_EQ(count("active", "total"), 1);
  EXPECT_EQ(count("fallback", "total"), 2);
  EXPECT_EQ(count("archived", "thread"), 1);
  EXPECT_EQ(count("cold", "total"), 0);
}

TEST_F(OverviewTest, CountsKnowOnlyWhatTheCallerMayRead) {
  ASSERT_TRUE(upsert("a", "2026-02-01T00:00:00Z"));
  ASSERT_TRUE(upsert("b", "2026-02-01T00:00:00Z"));
  const CallContext guest{.surface = "test",
                          .principal = PrincipalId{"guest"},
                          .scopes = {"read:files"},
                          .read_namespaces = {"memory/continuity/thread-a.json"}};
  const Value none = Value::object();
  const auto counts = reads_.counts({.call = guest, .args = none, .raw = none});
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ(integer_of(*counts->find("counts")->find("active"), "total", -1), 1);
  EXPECT_EQ(integer_of(*counts->find("counts")->find("active"), "thread", -1), 1);
  EXPECT_EQ(integer_of(*counts->find("counts")->find("fallback"), "total", -1), 0);
}

TEST_F(OverviewTest, RowsAreFoundByStateHealthAndPartOfTheName) {
  ASSERT_TRUE(upsert("Parser-One", "2026-02-01T00:00:00Z"));
  ASSERT_TRUE(upsert("lexer", "2026-02-01T00:00:00Z"));
  archive("lexer");
  ASSERT_TRUE(call(capsules_, &CapsuleService::revalidate,
                   R"({"subject_kind":"thread","subject_id":"Parser-One","outcome":"degrade",
                       "reason":"old","signals":[{"kind":"self_review","source_ref":"s",
                       "observed_at":"2026-02-02T00:00:00Z","summary":"x"}]})"));
  EXPECT_EQ(browse(Value::object()),
            (Rows{"Parser-One active", "Parser-One fallback", "lexer fallback", "lexer archived"}));
  EXPECT_EQ(browse(Value::object({{"artifact_state", "archived"}})), Rows{"lexer archived"});
  EXPECT_EQ(browse(Value::object({{"q", " PARSER "}, {"artifact_state", "active"}})),
            Rows{"Parser-One active"});
  EXPECT_EQ(browse(Value::object({{"health_status", "degraded"}})),
            (Rows{"Parser-One active", "Parser-One fallback"}));
  EXPECT_EQ(browse(Value::object({{"health_status", "conflicted"}})), Rows{});
  EXPECT_EQ(browse(Value::object({{"subject_kind", "user"}})), Rows{});
  EXPECT_EQ(browse(Value::object({{"limit", 1}})).size(), 1U);
}

TEST_F(OverviewTest, OneSubjectHasItsArtefactsAndNoOthers) {
  for (const char* id : {"a", "aa", "b"}) ASSERT_TRUE(upsert(id, "2026-02-01T00:00:00Z"));
  archive("a");
  ASSERT_TRUE(upsert("a", "2026-02-02T00:00:00Z"));
  const auto found =
      call(reads_, &ReadService::artefacts, R"({"subject_kind":"thread","subject_id":"a"})");
  ASSERT_TRUE(found) << found.error().message;
  std::vector<std::string> states;
  for (const Value& row : list_of(*found, "capsules")) {
    EXPECT_EQ(text_of(row, "subject_id"), "a");
    states.push_back(text_of(row, "artifact_state"));
  }
  EXPECT_EQ(states, (std::vector<std::string>{"active", "fallback", "archived"}));
}

}  // namespace
}  // namespace holdfast::service::continuity
