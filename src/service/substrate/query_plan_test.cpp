#include "service/substrate/query_plan.h"

#include <gtest/gtest.h>

namespace holdfast::service::substrate {
namespace {

using Words = std::vector<std::string>;

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST(QueryPlanTest, ThePhraseComesFirstThenItsWordsWithoutStopWords) {
  EXPECT_EQ(plan_query("How the Echidna of v1.2-beta").terms,
            (Words{"how the echidna of v1.2-beta", "echidna", "v1.2-beta"}));
}

TEST(QueryPlanTest, IdeographsAddTheirPairs) {
  const auto terms = plan_query("开放图书馆吗").terms;

  EXPECT_EQ(terms, (Words{"开放图书馆吗", "开放", "放图", "图书", "书馆", "馆吗"}));
}

TEST(QueryPlanTest, TodosMeanOpenWork) {
  const QueryPlan plan = plan_query("待办项");

  EXPECT_EQ(plan.terms, (Words{"待办项", "待办", "办项", "todo", "to-do", "task", "tasks", "任务",
                               "work_item", "open", "pending"}));
  EXPECT_EQ(plan.inferred.object_types, (Words{"work_item"}));
  EXPECT_EQ(plan.inferred.statuses, (Words{"open", "in_progress", "blocked", "pending"}));
}

TEST(QueryPlanTest, AWordInsideAnotherInfersNothing) {
  for (const char* query : {"quarterly report", "resource limits", "multitasking", "sourcery"}) {
    EXPECT_EQ(plan_query(query).inferred, Filters()) << query;
  }
  EXPECT_EQ(plan_query("the repo's layout").inferred.object_types, (Words{"source", "node"}));
}

TEST(QueryPlanTest, SeveralRulesUniteTheirFilters) {
  const QueryPlan plan = plan_query("decision about the procedure");

  EXPECT_EQ(plan.inferred.object_types, (Words{"knowledge"}));
  EXPECT_EQ(plan.inferred.kinds, (Words{"decision", "procedure"}));
}

TEST(QueryPlanTest, WhatTheCallerGaveIsNotInferredOver) {
  const Filters given{.kinds = {"fact"}};

  const Filters both = with_inferred(given, plan_query("decision").inferred);

  EXPECT_EQ(both.kinds, (Words{"fact"}));
  EXPECT_EQ(both.object_types, (Words{"knowledge"}));
}

TEST(QuerySanitizerTest, ShortTextsPass) {
  const auto query = sanitize_query("  find \n kuzu ");

  EXPECT_EQ(query.text, "find kuzu");
  EXPECT_EQ(query.method, "passthrough");
  EXPECT_FALSE(query.was_sanitized);
  EXPECT_EQ(query.original_length, 14);
}

TEST(QuerySanitizerTest, ALabelledLineIsTheQuestion) {
  const auto query = sanitize_query(repeated("System prompt. ", 40) +
                                    "\nTask: find kuzu backend\n" + repeated("tail ", 10));

  EXPECT_EQ(query.text, "find kuzu backend");
  EXPECT_EQ(query.method, "labeled_line");
  EXPECT_TRUE(query.was_sanitized);
  EXPECT_EQ(query.clean_length, 17);
}

TEST(QuerySanitizerTest, TheLastLabelWinsInAnyCaseAndLanguage) {
  const auto query =
      sanitize_query(repeated("pad ", 120) + "\nQUERY: first\n用户问题：海象在哪里\nmore\n");

  EXPECT_EQ(query.text, "海象在哪里");
}

TEST(QuerySanitizerTest, ALabelWithoutTextIsNone) {
  const auto query = sanitize_query(repeated("pad. ", 120) + "Where is it?\nTask:\n");

  EXPECT_EQ(query.method, "question_sentence");
}

TEST(QuerySanitizerTest, WithoutALabelTheLastQuestionIsMeant) {
  const auto query = sanitize_query(repeated("Filler! ", 60) + "Where is the tapir? Thanks.");

  EXPECT_EQ(query.text, "Where is the tapir?");
  EXPECT_EQ(query.method, "question_sentence");
}

TEST(QuerySanitizerTest, OtherwiseTheEndIsKept) {
  const auto query = sanitize_query(repeated("word ", 120));

  EXPECT_EQ(query.method, "tail_truncation");
  EXPECT_EQ(query.original_length, 600);
  EXPECT_EQ(query.clean_length, 399);
}

}  // namespace
}  // namespace holdfast::service::substrate
