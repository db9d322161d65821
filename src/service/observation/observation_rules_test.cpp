// Rules that need no store: metadata, queries, findings, forms of text.
#include <gtest/gtest.h>

#include "model/json_text.h"
#include "service/observation/content_scan.h"
#include "service/observation/failure.h"
#include "service/observation/list_query.h"
#include "service/observation/metadata.h"
#include "service/observation/observation.h"

namespace holdfast::service::observation {
namespace {

Value json(const std::string& text) { return *parse_json(text); }

TEST(Metadata, IsMergedMemberByMember) {
  Value metadata = json(R"({"a":1,"deep":{"x":1,"y":2},"list":[1]})");

  merge_metadata(
      metadata, json(R"({"b":2,"a":null,"gone":null,"deep":{"y":null,"z":{"n":null}},"list":[]})"));

  EXPECT_TRUE(json_equal(metadata, json(R"({"b":2,"deep":{"x":1,"z":{}},"list":[]})")))
      << to_json(metadata);
}

TEST(Metadata, HasLimits) {
  EXPECT_TRUE(metadata_issues(json(R"({"a":[{"b":"c"}],"n":null})")).empty());
  Value wide = Value::object();
  for (int i = 0; i < 201; ++i) wide.set("k" + std::to_string(i), i);
  EXPECT_EQ(metadata_issues(wide).front().rule, "OBJECT_TOO_LARGE");
  Value deep = Value::object();
  for (int i = 0; i < 10; ++i) deep = Value::object({{"d", deep}});
  EXPECT_EQ(metadata_issues(deep).front().rule, "OBJECT_TOO_LARGE");
  const auto issues = metadata_issues(Value::object({{"a", std::string("\0", 1)}, {"", 1}}));
  ASSERT_EQ(issues.size(), 2U);
  EXPECT_EQ(issues[0].path_text(), "metadata.a");
  EXPECT_EQ(issues[0].rule, "INVALID_FORMAT");
  EXPECT_EQ(issues[1].rule, "STRING_TOO_SHORT");
  // Names are strings like others; values may hold any control character but that one.
  EXPECT_TRUE(metadata_issues(json(R"({"a é":"\u0007\u009f"})")).empty());
  for (const char* name : {R"({"a\u0007":1})", R"({"\u007f":1})", R"({"a\u009f":1})"})
    EXPECT_EQ(metadata_issues(json(name)).front().rule, "INVALID_FORMAT") << name;
}

TEST(Metadata, APatchIsJudgedByWhatItLeadsTo) {
  Value before = Value::object();
  for (int i = 0; i < 200; ++i) before.set("k" + std::to_string(i), i);
  EXPECT_EQ(merged_issues(before, json(R"({"more":1})")).front().rule, "OBJECT_TOO_LARGE");
  EXPECT_TRUE(merged_issues(before, json(R"({"more":1,"k0":null})")).empty());
  EXPECT_TRUE(merged_issues(before, json(R"({"":1,"more":1})")).empty());  // told by the patch
}

TEST(ListQuery, TermsAreWordsAndPhrases) {
  EXPECT_EQ(split_terms("  a \"b c\"  d\"e \"open"),
            (std::vector<std::string>{"a", "b c", "d\"e", "\"open"}));
  EXPECT_EQ(split_terms("東京\u3000\"a\u00A0b\"\u2003c\u0085"),
            (std::vector<std::string>{"東京", "a\u00A0b", "c"}));
  EXPECT_TRUE(split_terms(" \"\" ").empty());
}

TEST(TextForm, TellsHowFarTheIndexKnowsTheWords) {
  EXPECT_EQ(text_form({.title = "plain words", .summary_md = "all_of it, 100%"}), kPlainText);
  EXPECT_EQ(text_form({.title = "naïve", .summary_md = "x"}), "");
  EXPECT_EQ(text_form({.title = "x", .summary_md = std::string(100, 'a')}), kLongText);
}

TEST(TextForm, FindsALongWordWhereverItBegins) {
  for (size_t begin = 0; begin < 200; ++begin) {
    // What stands before it is words of every length below.
    std::string before;
    for (size_t i = 0; i < begin; ++i) before += i % 7 == 0 || i + 1 == begin ? ' ' : 'b';
    for (const char* after :
         {"", " ", " and more, much more of it than a word could hold by itself"}) {
      const std::string fits = before + std::string(72, 'a') + after;
      const std::string exceeds = before + std::string(72, 'a') + "7" + after;
      EXPECT_EQ(text_form({.title = "x", .summary_md = fits}), kPlainText) << begin;
      EXPECT_EQ(text_form({.title = exceeds, .summary_md = "x"}), kLongText) << begin;
    }
  }
}

TEST(Projecting, NamesIdsThatWereNotMadeHere) {
  const auto own_id = [](const std::string& id, std::optional<bool> seeded) {
    const auto projection = observation_noun().project({.id = id, .seeded = seeded});
    for (const Facet& facet : projection.facets)
      if (facet.name.substr(1) == facet::kOwnId) return facet.text;
    return std::string("none");
  };
  const std::string ulid = "obs_01M80000000000000000000000";

  EXPECT_EQ(own_id(ulid, std::nullopt), "none");
  EXPECT_EQ(own_id(ulid, true), ulid);
  // Before there were marks.
  for (const char* id : {"obs_1", "0first", "obs_81M80000000000000000000000"})
    EXPECT_EQ(own_id(id, std::nullopt), id);
}

TEST(ContentScan, LooksIntoEveryMember) {
  const std::string key = std::string("AKIA") + "Q3ZX7M2N4K8P1R5T";
  Observation observation{.title = "t " + key, .tags = {"a", key}};
  observation.metadata = Value::object({{"deep", Value::object({{"list", Value::array({key})}})}});

  const auto findings = scan_observation(observation);

  std::vector<std::string> fields;
  for (const Finding& finding : findings) fields.push_back(Issue{.path = finding.path}.path_text());
  EXPECT_EQ(fields, (std::vector<std::string>{"title", "tags[1]", "metadata.deep.list[0]"}));
}

TEST(ContentScan, AMemberIsReadAsASentence) {
  Observation observation;
  observation.metadata =
      json(R"({"db":{"password":"hunter2hunter2"},"card":4242424242424242,"pin":7})");

  const auto findings = scan_observation(observation);

  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].secret.code, "PASSWORD_ASSIGNMENT");
  EXPECT_EQ(findings[0].secret.position, 0U);
  EXPECT_EQ(findings[0].secret.length, 14U);
  EXPECT_EQ(findings[1].secret.code, "PAYMENT_CARD");
}

TEST(ContentScan, WhatAMemberHoldsIsToldByItsPlace) {
  const std::string key = std::string("AKIA") + "Q3ZX7M2N4K8P1R5T";
  Observation observation;
  observation.metadata = Value::object({{"pwd", "hunter2hunter2 " + key}, {"z", key}});

  const auto findings = scan_observation(observation);

  std::vector<std::string> told;
  for (const Finding& finding : findings) {
    told.push_back(Issue{.path = finding.path}.path_text() + " " +
                   std::to_string(finding.secret.position) + " " +
                   std::string(finding.secret.code));
  }
  EXPECT_EQ(told, (std::vector<std::string>{"metadata.pwd 0 PASSWORD_ASSIGNMENT",
                                            "metadata.pwd 15 AWS_ACCESS_KEY",
                                            "metadata.z 0 AWS_ACCESS_KEY"}));
}

TEST(ContentScan, ANameThatIsASecretIsNotTold) {
  const std::string key = std::string("AKIA") + "Q3ZX7M2N4K8P1R5T";
  Observation observation;
  observation.metadata = Value::object({{key, Value::object({{"pwd", "hunter2hunter2"}})}});

  const auto findings = scan_observation(observation);

  std::vector<std::string> fields;
  for (const Finding& finding : findings) fields.push_back(Issue{.path = finding.path}.path_text());
  EXPECT_EQ(fields, (std::vector<std::string>{"metadata.[hidden]", "metadata.[hidden].pwd"}));
}

TEST(ContentScan, SeverityTierAndSensitivityDecide) {
  const auto high = scan_text("summary_md", "password: hunter2hunter2");
  const auto critical = scan_text("summary_md", std::string("AKIA") + "Q3ZX7M2N4K8P1R5T");
  const auto mail = scan_text("summary_md", "write to someone@mail.test");

  EXPECT_FALSE(judge(high, {.trust_tier = 2}));
  EXPECT_TRUE(judge(high, {.trust_tier = 3})->quarantined);
  EXPECT_TRUE(judge(high, {.trust_tier = 1, .sensitivity = Sensitivity::kSensitive}));
  const auto refused = judge(critical, {.trust_tier = 4, .sensitivity = Sensitivity::kSensitive});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, reason::kSensitiveContent);
  EXPECT_TRUE(judge(mail, {})->warnings.empty());
  EXPECT_EQ(judge(mail, {.sensitive_workspace = true})->warnings.size(), 1U);
}

}  // namespace
}  // namespace holdfast::service::observation
