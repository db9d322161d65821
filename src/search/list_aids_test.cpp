#include "search/list_aids.h"

#include <numeric>

#include <gtest/gtest.h>

namespace holdfast::search {
namespace {

TEST(ListAidsTest, FrequentFacetsAreBitsAndOthersAreNot) {
  constexpr uint32_t kDocuments = 40'000;
  std::vector<uint32_t> every_third;
  for (uint32_t doc = 0; doc < kDocuments; doc += 3) every_third.push_back(doc);
  const PostingList list{.count = static_cast<uint32_t>(every_third.size()),
                         .docs = every_third.data()};
  ListAids aids;
  const auto* bits = aids.bits(7, list, kDocuments);
  ASSERT_NE(bits, nullptr);
  for (uint32_t doc = 0; doc < kDocuments; ++doc)
    ASSERT_EQ((*bits)[doc >> 6] >> (doc & 63) & 1, doc % 3 == 0 ? 1U : 0U) << doc;
  EXPECT_EQ(aids.bits(7, list, kDocuments), bits);
  EXPECT_EQ(aids.bits(8, {.count = 100, .docs = every_third.data()}, kDocuments), nullptr);
  EXPECT_EQ(aids.bits(9, {.count = 100, .docs = every_third.data()}, 100), nullptr);
}

TEST(ListAidsTest, KnowsTheLatestAndTheEarliestOfEachSixtyFour) {
  std::vector<int64_t> at(130, 5);
  at[10] = 9;
  at[70] = 2;
  at[129] = 7;
  ListAids aids;
  const auto newest = aids.newest(at);
  const auto oldest = aids.oldest(at);
  EXPECT_EQ(std::vector<int64_t>(newest.begin(), newest.end()), (std::vector<int64_t>{9, 5, 7}));
  EXPECT_EQ(std::vector<int64_t>(oldest.begin(), oldest.end()), (std::vector<int64_t>{5, 2, 5}));
}

TEST(ListAidsTest, KnowsWhereNumbersHaveNoGaps) {
  std::vector<int64_t> numbers(200);
  std::iota(numbers.begin(), numbers.end(), 7);
  // One twice and one missing: as far from the first to the last as without gaps.
  numbers[66] = numbers[65];
  ListAids aids;
  const auto gapless = aids.gapless(numbers);
  EXPECT_EQ(std::vector<int64_t>(gapless.begin(), gapless.end()),
            (std::vector<int64_t>{7, 0, 135, 199}));
}

}  // namespace
}  // namespace holdfast::search
