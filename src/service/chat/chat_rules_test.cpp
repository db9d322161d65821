// The rules that need no store: words, gates, blocks, linter, budgets.
#include <gtest/gtest.h>

#include "embed/openai_endpoint.h"
#include "service/chat/budget.h"
#include "service/chat/driver_blocks.h"
#include "service/chat/failure.h"
#include "service/chat/gates.h"
#include "service/chat/linter.h"
#include "service/chat/trimming.h"
#include "service/chat/words.h"

namespace holdfast::service::chat {
namespace {

using Texts = std::vector<std::string>;

Texts texts_of(const std::vector<Word>& words) {
  Texts texts;
  for (const Word& word : words) texts.push_back(word.text);
  return texts;
}

TEST(WordsTest, ContentWordsCarryMeaning) {
  EXPECT_EQ(texts_of(content_words("Where does my sister Ana live in Q3 of 2025?")),
            (Texts{"sister", "ana", "live", "q3", "2025"}));
  EXPECT_EQ(content_words("sister sisters SISTER").size(), 1U);
  EXPECT_TRUE(content_words("What is it?").empty());
  // Two letters are too few in every script that has words; where there are none, pairs count.
  EXPECT_TRUE(content_words("он да мы öl").empty());
  EXPECT_EQ(texts_of(content_words("北京")), Texts{"北京"});
}

TEST(WordsTest, WordsAreTheSameByStemOrByBeginning) {
  const auto same = [](const char* a, const char* b) {
    return same_word(all_words(a).front(), all_words(b).front());
  };
  EXPECT_TRUE(same("deployed", "deployment"));
  EXPECT_TRUE(same("arch", "architecture"));
  EXPECT_FALSE(same("car", "carpet"));
}

TEST(WordsTest, MentionsAreWholeWords) {
  EXPECT_TRUE(Phrases({"sister"}).occur_in("My Sister's boat"));
  EXPECT_TRUE(Phrases({"blue green"}).occur_in("a blue-green deploy"));
  EXPECT_FALSE(Phrases({"kill"}).occur_in("a skill"));
  EXPECT_FALSE(Phrases({}).occur_in("anything"));
}

TEST(GatesTest, RiskIsAboutWordsNotLetters) {
  EXPECT_EQ(judge_risk("This is an issue of skill and carbon.").risk, Risk::kLow);
  EXPECT_EQ(judge_risk("Contractions, stockings and a taxi.").risk, Risk::kLow);
  for (const char* text :
       {"He sued us", "two stabbings", "I invested", "the diagnoses", "my EpiPens",
        "new autoinjectors", "killings", "they keep hurting people"})
    EXPECT_EQ(judge_risk(text).risk, Risk::kHigh) << text;
  EXPECT_EQ(judge_risk("My taxes are late").reasons, Texts{"FINANCE"});
  EXPECT_EQ(judge_risk("I have a peanut allergy.").risk, Risk::kHigh);
  EXPECT_EQ(judge_risk("I forgot my password").risk, Risk::kMedium);
  EXPECT_TRUE(judge_risk("I want to hurt myself").urgent);
  EXPECT_TRUE(judge_risk("Yesterday I harmed myself").urgent);
  EXPECT_TRUE(judge_risk("He hurts people").urgent);
  EXPECT_TRUE(judge_risk("I feel like hurting my boss").urgent);
  EXPECT_FALSE(judge_risk("I hurt my knee and it is still hurting").urgent);
  EXPECT_FALSE(judge_risk("I was suing my landlord").urgent);
}

TEST(GatesTest, TheFirstModeThatFitsIsTaken) {
  EXPECT_EQ(choose_mode("I feel worried about the legal review").label, "System-mode");
  EXPECT_EQ(choose_mode("I feel fine").label, "Sole");
  EXPECT_EQ(choose_mode("Two contracts and three taxes").label, "Ida");
}

InlineBlock carried(std::string definition, std::string thread = {}) {
  return {.id = "mine",
          .version = "1",
          .definition = std::move(definition),
          .thread_id = std::move(thread)};
}

TEST(DriverBlocksTest, AreCountedDroppedAndTrimmed) {
  const BlockRegistry registry;
  const std::vector<BlockRef> refs(12, BlockRef{"DB-001", "1.0"});
  const auto many = assemble_blocks(registry, refs, {}, "t");
  EXPECT_EQ(many.accepted, 15);
  EXPECT_EQ(many.dropped, 2);

  const auto unknown = assemble_blocks(registry, {{"DB-001", "9.9"}, {"DB-005", "1.0"}}, {}, "t");
  EXPECT_EQ(unknown.accepted, 6);
  EXPECT_EQ(unknown.dropped, 1);

  const auto mine = assemble_blocks(
      registry, {},
      {carried(std::string(10'000, 'x')), carried(std::string(10'001, 'y')), carried("z", "other")},
      "t");
  EXPECT_EQ(mine.accepted, 7);
  EXPECT_EQ(mine.trimmed, 1);
  EXPECT_EQ(mine.dropped, 1);
  EXPECT_EQ(mine.blocks.back().definition.size(), 10'000U);
  EXPECT_FALSE(mine.blocks.back().system);
}

Texts flags_of(const std::string& definition, const std::string& answer) {
  Texts flags;
  for (const Violation& violation : lint({{.id = "B", .definition = definition}}, answer))
    flags.push_back(violation.flag());
  return flags;
}

TEST(LinterTest, FindsWhatMustNotBe) {
  const std::string rule = "Text.\nValidators:\n- Must-not: \"I sent/added\", \"for sure\"\n- note";
  EXPECT_EQ(flags_of(rule, "Today i  SENT it."), Texts{"B:must-not"});
  EXPECT_EQ(flags_of(rule, "Then I added one."), Texts{"B:must-not"});
  EXPECT_TRUE(flags_of(rule, "I sentimentally agree.").empty());
  EXPECT_TRUE(flags_of(rule, "I sentó.").empty());
  for (const char* mark : {"—", "…", "。", "«", "\u200b", "\u00a0"})
    EXPECT_EQ(flags_of(rule, "Yes, I sent" + std::string(mark) + "it."), Texts{"B:must-not"})
        << mark;
  EXPECT_EQ(flags_of("Validators:\n- Must-not: \"已发送\"", "邮件已发送了。"), Texts{"B:must-not"});
  EXPECT_TRUE(flags_of(rule, "You wrote \"I sent it\" and “I added it”.").empty());
}

TEST(LinterTest, FindsWhatMustBe) {
  EXPECT_EQ(flags_of("Validators:\n- Must: \"Next step\"", "Nothing."), Texts{"B:must-have"});
  EXPECT_TRUE(flags_of("Validators:\n- Must-have: \"Next step\"", "The next  step is it.").empty());
  EXPECT_EQ(flags_of("Validators:\n- Must-have-any: \"a b\", \"c d\"", "x"),
            Texts{"B:must-have-any"});
  EXPECT_TRUE(flags_of("Validators:\n- Must-have-any-of: \"ab\", \"cd\"", "cd").empty());
  EXPECT_TRUE(flags_of("- Must: \"x\"\nno validators here", "y").empty());
}

TEST(LinterTest, BaselineForbidsClaimsOfActions) {
  for (const char* claim : {"I sent the mail.", "I've just booked it.", "We have already called."})
    EXPECT_EQ(lint(baseline_blocks(), claim).size(), 1U) << claim;
  EXPECT_TRUE(lint(baseline_blocks(), "Here is a draft: \"I sent it\".").empty());
}

TEST(LinterTest, ViolationsSayWhatAnotherAnswerNeeds) {
  const std::vector<DriverBlock> blocks = {
      {.id = "B", .definition = "Validators:\n- Must-not: \"I sent\"\n- Must: \"Over And Out\""}};
  const Demands demands = demands_of(lint(blocks, "I  SENT it. The rest is fine."));
  EXPECT_EQ(demands.required, Texts{"Over And Out"});
  EXPECT_FALSE(demands.allow("Today i sent  it."));
  EXPECT_TRUE(demands.allow("I sentenced it."));
}

TEST(FailureTest, ACallThatWeEndIsOurFailure) {
  const Error ended{.code = ErrorCode::kUnavailable, .reason = std::string(embed::kStopping)};
  EXPECT_EQ(failure_of(provider_failure(ended)).status, 500);
  EXPECT_EQ(failure_of(provider_failure({.code = ErrorCode::kUnavailable})).status, 502);
}

TEST(BudgetTest, TextsAreCutBetweenWords) {
  EXPECT_EQ(count_tokens(""), 0);
  EXPECT_EQ(count_tokens("12345"), 2);
  EXPECT_EQ(fit_tokens("alpha beta gamma", 3), "alpha beta");
  EXPECT_EQ(fit_bytes("ééé", 3), "é");
  EXPECT_EQ(summarise("One. Two.", 160), "One. Two.");
  EXPECT_EQ(summarise("First sentence here. Second sentence is longer.", 25),
            "First sentence here.");
  EXPECT_EQ(summarise("nodotsatallbutwords and more", 20), "nodotsatallbutwords");
}

TEST(TrimmingTest, TheLeastImportantGoesFirst) {
  Material material{.input_text = std::string(40, 'i')};
  for (int i = 0; i < 20; ++i) {
    material.around.history.push_back({.content = std::string(400, 'h')});
    material.around.history.back().message_id = std::to_string(i);
  }
  material.memories.push_back({.summary = std::string(40, 'm')});

  const auto counts = trim_to_budget(material, 220);

  ASSERT_TRUE(counts.has_value());
  EXPECT_EQ(counts->history, 18);
  EXPECT_EQ(counts->memories, 0);
  EXPECT_EQ(material.around.history.front().message_id, "18");
  EXPECT_EQ(input_tokens(material), 220);
}

TEST(TrimmingTest, TheMessageIsNeverCut) {
  Material material{.input_text = std::string(400, 'i')};
  const auto counts = trim_to_budget(material, 50);
  ASSERT_FALSE(counts.has_value());
  EXPECT_EQ(counts.error().reason, reason::kBudgetExceeded);
  EXPECT_EQ(counts.error().issues.front().param("required"), "100");
}

TEST(TrimmingTest, TheCapsuleIsCutLast) {
  Material material{.input_text = "abcd"};
  material.around.capsule_summary = "alpha beta gamma delta";
  material.around.next = {"one step"};
  const auto counts = trim_to_budget(material, 4);
  ASSERT_TRUE(counts.has_value());
  EXPECT_TRUE(material.around.next.empty());
  EXPECT_EQ(material.around.capsule_summary, "alpha beta");
}

}  // namespace
}  // namespace holdfast::service::chat
