#include "text/work_ref.h"

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

}  // namespace
}  // namespace holdfast::text
