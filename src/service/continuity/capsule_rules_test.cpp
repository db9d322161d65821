#include <gtest/gtest.h>

#include "model/json_text.h"
#include "service/continuity/capsule.h"
#include "service/continuity/document.h"
#include "service/continuity/letters.h"
#include "service/continuity/normalise.h"
#include "service/continuity/rules.h"
#include "service/continuity/trim.h"
#include "service/continuity/utc_time.h"

namespace holdfast::service::continuity {
namespace {

Value capsule(const std::string& kind = "user") {
  const Value sent = *parse_json(R"({"subject_kind":")" + kind +
                                 R"(","subject_id":"ada","updated_at":"2026-03-01T10:00:00Z",
          "verified_at":"2026-03-01T10:00:00Z",
          "source":{"producer":"tester","update_reason":"manual"},
          "confidence":{"continuity":1,"relationship_model":0.5},
          "continuity":{"top_priorities":["ship"],"active_concerns":[],"active_constraints":["no"],
            "open_loops":["why"],"stance_summary":"Ship the thing before the week is over.",
            "drift_signals":[]}})");
  std::vector<ShapeIssue> issues;
  Value taken = tidy(take(capsule_shape(), sent, issues));
  EXPECT_TRUE(issues.empty());
  return taken;
}

TEST(CanonicalText, SortsMembersAndKeepsFloats) {
  const Value value = *parse_json(R"({"b":1.0,"a":[1,0.00001,1e16],"é":"x"})");
  EXPECT_EQ(canonical_text(value), R"({"a":[1,1e-05,1e+16],"b":1.0,"é":"x"})");
}

TEST(Letters, AreLowerCaseOrWrittenOut) {
  EXPECT_EQ(lower_case("ÉCOLE Straße"), "école straße");
  EXPECT_EQ(quoted_literal("it's"), "\"it's\"");
  EXPECT_EQ(quoted_literal("a'b\"c\\"), R"('a\'b"c\\')");
  EXPECT_EQ(quoted_literal("x\xC2\xA0y\xE2\x80\x8B\n"), R"('x\xa0y\u200b\n')");
}

TEST(Shape, ListsEveryViolationInDeclaredOrder) {
  std::vector<ShapeIssue> issues;
  take(capsule_shape(), *parse_json(R"({"subject_kind":"robot","subject_id":""})"), issues);
  ASSERT_GE(issues.size(), 6U);
  EXPECT_EQ(issues[0].type, "literal_error");
  EXPECT_EQ(issues[1].type, "string_too_short");
  EXPECT_EQ(issues[2].type, "missing");
}

TEST(Shape, TakesNumbersThatAreWrittenAsText) {
  const auto takes = [](const Shape& shape, const char* sent) {
    std::vector<ShapeIssue> issues;
    const Value taken = take(shape, Value(sent), issues);
    return issues.empty() ? to_json(taken) : issues.front().type;
  };
  for (const char* sent : {"300", " 300 ", "+300", "300.0"})
    EXPECT_EQ(takes(integer(0, 400), sent), "300") << sent;
  for (const char* sent : {"", "+", "300.", "300.5", "0x10", "+-3", "3e2"})
    EXPECT_EQ(takes(integer(0, 400), sent), "int_parsing") << sent;
  for (const char* sent : {"0.5", "+0.5", " .5", "5e-1"})
    EXPECT_EQ(takes(number(0, 1), sent), "0.5") << sent;
  for (const char* sent : {"", "0x1", "nan", "inf", "1e999", "+-1", "0.5x"})
    EXPECT_EQ(takes(number(0, 1), sent), "float_parsing") << sent;
}

TEST(Shape, JudgesIntegersOfAnySizeByTheirBounds) {
  const auto takes = [](const Shape& shape, const char* sent) {
    std::vector<ShapeIssue> issues;
    const Value taken = take(shape, *parse_json(sent), issues);
    return issues.empty() ? to_json(taken) : issues.front().type;
  };
  for (const char* sent :
       {"9223372036854775808", "99999999999999999999", "1e18", "1e20", "\"99999999999999999999\""})
    EXPECT_EQ(takes(integer(1, 200), sent), "less_than_equal") << sent;
  for (const char* sent :
       {"-9223372036854775809", "-99999999999999999999", "\"-99999999999999999999\""})
    EXPECT_EQ(takes(integer(1, 200), sent), "greater_than_equal") << sent;
  EXPECT_EQ(takes(integer(1, INT64_MAX), "99999999999999999999"), "9223372036854775807");
  EXPECT_EQ(takes(integer(1, INT64_MAX), "\"99999999999999999999x\""), "int_parsing");
  EXPECT_EQ(takes(integer(1, 200), "7.5"), "int_from_float");
}

TEST(Rules, LengthsAreThoseOfCharacters) {
  Value good = capsule();
  std::string text;
  for (int i = 0; i < 160; ++i) text += "é";
  good.find("continuity")->set("open_loops", Value::array({text}));
  EXPECT_TRUE(check_capsule(good));
  good.find("continuity")->set("open_loops", Value::array({text + "x"}));
  const Status status = check_capsule(good);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "Value too long in open_loops");
}

TEST(Rules, ThreadsHaveNoPreferences) {
  Value thread = capsule("thread");
  thread.set("stable_preferences", Value::array({Value::object({{"tag", "t"}, {"content", "c"}})}));
  EXPECT_FALSE(check_capsule(thread));
}

TEST(Rules, TheLowestProblemOfDocumentsIsTold) {
  const Value documents = *parse_json(
      R"([{"path":"/abs","kind":"Bad","label":""},{"path":"a","kind":"doc","label":"x","body":"y"}])");
  const DocumentsProblem problem = related_documents_problem(documents);
  EXPECT_TRUE(problem.embedded);
  EXPECT_EQ(problem.detail, "Embedded content is not allowed in continuity.related_documents[]");
}

TEST(Normalise, TellsWhatItDid) {
  Value one = capsule();
  one.find("continuity")->set("open_loops", Value::array({" a ", "a", ""}));
  EXPECT_EQ(normalise(one), (std::vector<std::string>{"strip:continuity.open_loops",
                                                      "drop_empty:continuity.open_loops",
                                                      "dedup:continuity.open_loops"}));
  EXPECT_EQ(list_of(*one.find("continuity"), "open_loops"), (Value::Array{"a"}));
}

TEST(Times, FollowTheRuleOfTheContract) {
  EXPECT_TRUE(require_utc("2026-01-01 00:00:00.25+00:00", "t"));
  EXPECT_TRUE(require_utc("20260101T000000Z", "t"));
  EXPECT_EQ(parse_iso("2026-W01-1"), parse_iso("2025-12-29"));
  EXPECT_EQ(parse_iso("2026-W53-7"), parse_iso("2027-01-03"));
  EXPECT_FALSE(parse_iso("2025-W53-1")) << "2025 has 52 weeks";
  EXPECT_FALSE(require_utc("2026-01-01T24:00:00Z", "t"));
  EXPECT_FALSE(require_utc("2026-01-01T00:00:00", "t"));
  EXPECT_FALSE(require_utc("2026-02-30T00:00:00Z", "t"));
}

TEST(Upgrade, RepairsTimesAndRefusesWhatIsMissing) {
  Value old = capsule();
  old.set("schema_version", "1.0");
  old.set("updated_at", "");
  const auto repaired = upgraded(old);
  ASSERT_TRUE(repaired);
  EXPECT_EQ(text_of(*repaired, "schema_version"), "1.1");
  EXPECT_EQ(text_of(*repaired, "updated_at"), "2026-03-01T10:00:00Z");
  remove_member(old, "source");
  EXPECT_FALSE(upgraded(old));
}

TEST(Trim, DropsOptionalMembersFirstAndNeverTheWholeCore) {
  Value big = capsule();
  big.set("metadata", Value::object({{"k", std::string(400, 'x')}}));
  const int64_t all = tokens_of(big);
  const auto trimmed = trim_capsule(big, all - 20);
  ASSERT_TRUE(trimmed);
  EXPECT_EQ(trimmed->fields, std::vector<std::string>{"metadata"});
  EXPECT_FALSE(trim_capsule(big, 5));
}

}  // namespace
}  // namespace holdfast::service::continuity
