#include "service/chat/distiller.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace holdfast::service::chat {
namespace {

using Lines = std::vector<std::pair<Role, std::string>>;

std::vector<WindowEntry> window_of(const Lines& lines) {
  std::vector<WindowEntry> window;
  for (size_t i = 0; i < lines.size(); ++i) {
    window.push_back({.message_id = std::to_string(i),
                      .role = lines[i].first,
                      .content = lines[i].second,
                      .created_at = from_micros(static_cast<int64_t>(i))});
  }
  return window;
}

std::optional<std::string> fact_of(const Lines& lines, const std::string& trigger = "none") {
  return distill(window_of(lines), trigger);
}

TEST(DistillerTest, TakesTheUsersOwnWords) {
  EXPECT_EQ(fact_of({{Role::kUser, "I have a peanut allergy."}}), "I have a peanut allergy.");
  EXPECT_EQ(fact_of({{Role::kUser, "Please remember that: my desk is by the window."}}),
            "my desk is by the window.");
  EXPECT_EQ(fact_of({{Role::kUser, "No thanks. I work at Initech."}}), "I work at Initech.");
}

TEST(DistillerTest, CurlyApostrophesAreApostrophesWhereverTheyStand) {
  EXPECT_EQ(fact_of({{Role::kUser, "Remember that I don’t eat meat."}}), "I don’t eat meat.");
  EXPECT_EQ(fact_of({{Role::kUser, "Don’t forget that my sister’s train is at 9."}}),
            "my sister’s train is at 9.");
  EXPECT_EQ(fact_of({{Role::kUser, "Well, I’m from Oslo."}}), "I’m from Oslo.");
}

TEST(DistillerTest, FindsNothingWhereNothingIsSaid) {
  EXPECT_EQ(fact_of({{Role::kUser, "hi"}, {Role::kAssistant, "You were born in 1980."}}),
            std::nullopt);
  for (const char* text : {"Where do I live?", "Sounds good to me", "What if I moved to Rome",
                           "Tell me about my trip", "ok", "That's great news"})
    EXPECT_EQ(fact_of({{Role::kUser, text}}), std::nullopt) << text;
}

TEST(DistillerTest, StatementsThatBeginLikeQuestionsOrReactionsAreFacts) {
  for (const char* text :
       {"When I travel I always use the train.", "Where I live dogs are banned, and I have two.",
        "What I need is a quiet desk.", "Will is my brother and I love him.",
        "Which is why I always use tea.", "I see Doctor Miller weekly.", "I love it in Porto.",
        "I am Al.", "I am 9."})
    EXPECT_EQ(fact_of({{Role::kUser, text}}), text);
  EXPECT_EQ(fact_of({{Role::kUser, "I understand Portuguese."}}, "0"), "I understand Portuguese.");
  for (const char* text : {"When do I travel to Rome", "What is my name", "Will my train be late",
                           "I love it so much", "I see, great idea", "I agree with you"})
    EXPECT_EQ(fact_of({{Role::kUser, text}}, "0"), std::nullopt) << text;
}

TEST(DistillerTest, ACorrectionReplacesWhatItCorrects) {
  EXPECT_EQ(fact_of({{Role::kUser, "My flight is on Monday at 9."},
                     {Role::kAssistant, "Noted."},
                     {Role::kUser, "Actually, the flight is on Tuesday."}}),
            "the flight is on Tuesday.");
}

TEST(DistillerTest, TheTriggerMessageCounts) {
  const Lines lines = {{Role::kUser, "I like tea."}, {Role::kUser, "I like coffee."}};
  EXPECT_EQ(fact_of(lines, "0"), "I like tea.");
  EXPECT_EQ(fact_of(lines), "I like coffee.");
}

TEST(DistillerTest, AWindowSentBackwardsIsReadForwards) {
  auto window = window_of({{Role::kUser, "I like tea."}, {Role::kUser, "I like coffee."}});
  std::swap(window[0], window[1]);
  EXPECT_EQ(distill(window, "none"), "I like coffee.");
}

TEST(DistillerTest, LongFactsAreCutAtAClause) {
  const std::string text =
      "I live in a small house near the harbour of Porto with two cats and a very old dog, and my "
      "neighbour, who is a retired sailor, comes by for coffee on most mornings of the week.";
  const auto fact = fact_of({{Role::kUser, text}});
  ASSERT_TRUE(fact.has_value());
  EXPECT_LE(count_code_points(*fact), kFactLength);
  EXPECT_TRUE(text.starts_with(*fact));
  EXPECT_FALSE(fact->ends_with(','));
}

TEST(DistillerTest, AReactionIsNoFact) {
  for (const char* text :
       {"That sounds great, thanks!", "Wow, amazing work!", "Good idea, thank you.", "I think so.",
        "I don't know.", "Okay, that works for me.", "Thank you so much for the help.",
        "No problem at all.", "Haha, that is so funny."})
    EXPECT_EQ(fact_of({{Role::kUser, text}}, "0"), std::nullopt) << text;
  EXPECT_EQ(fact_of({{Role::kUser, "Great, my dog is good at this."}}),
            "Great, my dog is good at this.");
}

TEST(DistillerTest, AFactDoesNotEndInAComma) {
  EXPECT_EQ(fact_of({{Role::kUser,
                      "My daughter's birthday is 3 March, and she loves cake, but she cannot eat "
                      "anything with nuts or eggs or milk because of her allergies which are quite "
                      "serious according to the doctor."}}),
            "My daughter's birthday is 3 March, and she loves cake");
}

class FixedCompleter : public embed::Completer {
 public:
  explicit FixedCompleter(std::string content) : content_(std::move(content)) {}
  std::string model() const override { return "fixed"; }
  Result<embed::Completion> complete(const embed::CompletionRequest&, Deadline) override {
    return embed::Completion{.content = content_};
  }

 private:
  std::string content_;
};

TEST(DistillerTest, AModelIsBelievedOnlyWhatTheMessageSays) {
  const auto window = window_of({{Role::kUser, "I never eat 3 eggs at breakfast."}});
  const auto by = [&](const std::string& content) {
    FixedCompleter completer(content);
    return distill_with(completer, window, "none", kNoDeadline);
  };
  EXPECT_EQ(by(R"({"fact":"never eat eggs at breakfast","source_message_id":"0"})"),
            "never eat eggs at breakfast");
  const std::string by_rules = "I never eat 3 eggs at breakfast.";
  EXPECT_EQ(by(R"({"fact":"eats bacon at breakfast","source_message_id":"0"})"), by_rules);
  EXPECT_EQ(by(R"({"fact":"eat 4 eggs","source_message_id":"0"})"), by_rules);
  EXPECT_EQ(by(R"({"fact":"eat eggs","source_message_id":"7"})"), by_rules);
  EXPECT_EQ(by(R"({"fact":"doesn't eat eggs","source_message_id":"0"})"), by_rules);
  EXPECT_EQ(by(R"({"fact":"isn’t at breakfast","source_message_id":"0"})"), by_rules);
  EXPECT_EQ(by(R"({"fact":"never eat breakfasttime eggs","source_message_id":"0"})"), by_rules);
  EXPECT_EQ(by("no json"), by_rules);
}

TEST(DistillerTest, AClauseDoesNotEndWithANegation) {
  std::string text = "I have a family at the lake house in the north that doesn't,";
  for (int i = 0; i < 30; ++i) text += " ever";
  const auto fact = fact_of({{Role::kUser, text + " swim."}});
  ASSERT_TRUE(fact.has_value());
  EXPECT_TRUE(fact->ends_with(" ever")) << *fact;
}

TEST(DistillerTest, MoodsAreNamedByTheirWords) {
  EXPECT_EQ(mood_of("I have a peanut allergy."), "standard_fact");
  EXPECT_EQ(mood_of("I am so happy today"), "breakthrough");
  EXPECT_EQ(mood_of("I miss my childhood and I am determined"), "insight");
}

}  // namespace
}  // namespace holdfast::service::chat
