#include "text/work_ref.h"

#include <string>

#include <gtest/gtest.h>

namespace holdfast::text {
namespace {

TEST(WorkRefTest, SpellingsOfOneNameMeet) {
  for (const char* spelling : {"PROJ-123", "PROJ 123", "proj_123", " Proj--123 ", "-proj__ 123-"}) {
    EXPECT_EQ(normalise_work_ref(spelling), "proj-123") << spelling;
  }
}

TEST(WorkRefTest, NothingIsMadeOfNothingOrOfAnEssay) {
  EXPECT_EQ(normalise_work_ref("  -_ "), std::nullopt);
  EXPECT_EQ(normalise_work_ref(std::string(129, 'a')), std::nullopt);
  EXPECT_EQ(normalise_work_ref(std::string(128, 'a')), std::string(128, 'a'));
}

TEST(WorkRefTest, IsFoundInATextOfAnyLengthBetweenAnyMarks) {
  const std::string essay(500, 'x');
  for (const std::string text : {"Anything on PROJ-123?", "(proj_123)", "proj 123, please",
                                 "see «PROJ-123»", "PROJ-123について"}) {
    EXPECT_TRUE(mentions_ref(in_ref_spelling(text), "proj-123")) << text;
    EXPECT_TRUE(mentions_ref(in_ref_spelling(essay + " " + text), "proj-123")) << text;
  }
  for (const char* text : {"PROJ-1234", "xproj-123", "proj-123é", "proj 12 3"})
    EXPECT_FALSE(mentions_ref(in_ref_spelling(text), "proj-123")) << text;
}

}  // namespace
}  // namespace holdfast::text
