#include "text/sentences.h"

#include <gtest/gtest.h>

namespace holdfast::text {
namespace {

using Sentences = std::vector<std::string_view>;

TEST(SentencesTest, EndAtTerminatorsAndLineEnds) {
  EXPECT_EQ(split_sentences("One. Two! Three?  Four… Five\nSix"),
            (Sentences{"One.", "Two!", "Three?", "Four…", "Five", "Six"}));
  EXPECT_EQ(split_sentences("He said \"stop.\" Then he left."),
            (Sentences{"He said \"stop.\"", "Then he left."}));
  EXPECT_EQ(split_sentences("今日は。元気？はい"), (Sentences{"今日は。", "元気？", "はい"}));
  EXPECT_EQ(split_sentences("Really?! Yes... Fine."), (Sentences{"Really?!", "Yes...", "Fine."}));
}

TEST(SentencesTest, DoNotEndInsideNamesNumbersAndAbbreviations) {
  EXPECT_EQ(split_sentences("Version 1.2 of file.txt, e.g. by Dr. J. Smith. Done."),
            (Sentences{"Version 1.2 of file.txt, e.g. by Dr. J. Smith.", "Done."}));
  EXPECT_EQ(split_sentences("See etc."), (Sentences{"See etc."}));
}

TEST(SentencesTest, NothingComesOfNothing) {
  EXPECT_TRUE(split_sentences("").empty());
  EXPECT_TRUE(split_sentences(" \n\t ").empty());
  EXPECT_EQ(split_sentences("..."), (Sentences{"..."}));
}

TEST(SentencesTest, QuestionsAreKnownByTheirEnd) {
  EXPECT_TRUE(ends_as_question("Where is it?\""));
  EXPECT_TRUE(ends_as_question("どこ？"));
  EXPECT_FALSE(ends_as_question("Why? Because."));
}

TEST(SentencesTest, SpaceIsCollapsed) { EXPECT_EQ(collapse_space("  a \n\t b  "), "a b"); }

}  // namespace
}  // namespace holdfast::text
