#include "search/flat_table.h"

#include <unordered_map>

#include <gtest/gtest.h>

namespace holdfast::search {
namespace {

TEST(FlatTableTest, KeepsWhatAnotherMapKeeps) {
  FlatTable<uint64_t> table(3);  // grows
  std::unordered_map<uint64_t, uint64_t> expected;
  uint64_t number = 1;
  for (uint64_t i = 0; i < 20'000; ++i) {
    number = number * 6364136223846793005U + 1442695040888963407U;
    // Runs of neighbours, keys that differ only in the upper half, and zero.
    const uint64_t key = (number >> 62U) << 32U | (number >> 40U) % 3'000;
    table[key] += i;
    expected[key] += i;
  }
  for (const auto& [key, value] : expected) EXPECT_EQ(table[key], value) << key;
  EXPECT_EQ(table.find(uint64_t{1} << 60U), nullptr);
  EXPECT_EQ(table[uint64_t{1} << 60U], 0U);
  for (const auto& [key, value] : expected) {
    ASSERT_NE(table.find(key), nullptr) << key;
    EXPECT_EQ(*table.find(key), value) << key;
  }
}

}  // namespace
}  // namespace holdfast::search
