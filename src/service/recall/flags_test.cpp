#include "service/recall/flags.h"

#include <gtest/gtest.h>

namespace holdfast::service::recall {
namespace {

constexpr Timestamp kNow = from_micros(1'700'000'000'000'000);
constexpr size_t kMany = 1005;

Flag flag_of(const std::string& source, const std::string& reason, bool immediate = false) {
  return {.reason = reason, .source_ref = source, .immediate = immediate, .at = kNow};
}

// A memory that one source said very much against.
Memory nagged() {
  Memory memory;
  for (size_t i = 0; i < kMany; ++i) add_flag(memory, flag_of("ada", std::to_string(i)));
  return memory;
}

TEST(Flags, AreCountedBeyondThoseThatAreKept) {
  Memory memory = nagged();
  EXPECT_EQ(flag_count(memory), int64_t{kMany});
  EXPECT_EQ(memory.flags.size(), 1000U);
  EXPECT_FALSE(add_flag(memory, flag_of("ada", "1004"))) << "it was said just before";
  EXPECT_EQ(flag_count(memory), int64_t{kMany});
}

TEST(Flags, OneMoreSourceCountsHoweverOftenTheFirstSpoke) {
  Memory memory = nagged();
  EXPECT_FALSE(is_refuted(memory, memory.flags.back(), kNow));
  EXPECT_TRUE(is_refuted(memory, flag_of("ada", "at once", true), kNow));
  add_flag(memory, flag_of("bob", "wrong"));
  EXPECT_EQ(flag_sources(memory, kNow), 2);
  EXPECT_TRUE(is_refuted(memory, memory.flags.back(), kNow));
}

TEST(Flags, WhoSpokeOnceIsNotForgottenForWhoSpeaksOften) {
  Memory memory;
  add_flag(memory, flag_of("bob", "wrong"));
  for (size_t i = 0; i < kMany; ++i) add_flag(memory, flag_of("ada", std::to_string(i)));
  EXPECT_EQ(flag_sources(memory, kNow), 2);
  EXPECT_EQ(flag_sources(memory, kNow + std::chrono::hours(24 * 30)), 0);
}

}  // namespace
}  // namespace holdfast::service::recall
