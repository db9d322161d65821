#include "service/recall/words.h"

#include <gtest/gtest.h>

#include "service/recall/memory.h"
#include "service/recall/patterns.h"

namespace holdfast::service::recall {
namespace {

TEST(Words, PlainAndOtherLettersAreFoldedAlike) {
  EXPECT_EQ(normalised("Café-Décor, API_v2!"), "cafe decor api v2");
  EXPECT_EQ(normalised("ＦＵＬＬ width"), "full width");
  EXPECT_EQ(content_words("What did the API say?"), std::vector<std::string>{"api"});
}

TEST(Words, CapitalsGiveGlueNoContent) {
  EXPECT_TRUE(content_words("WHAT IS THE").empty());
  EXPECT_EQ(content_words("WHAT IS THE WEATHER IN C1?"),
            (std::vector<std::string>{"weather", "c1"}));
}

TEST(Words, OnlyHanAndKanaAreWordsOfOneCharacter) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(content_words("東京タワー"), (Words{"東", "京", "タ", "ワ", "ー"}));
  EXPECT_EQ(content_words("데이터베이스 백업을"), (Words{"데이터베이스", "백업을"}));
  EXPECT_EQ(content_words("ㄅㄆ ㄇㄈ"), (Words{"ㄅㄆ", "ㄇㄈ"}));
  EXPECT_EQ(content_words("ฐานขอมล ລາວ ខមរ").size(), 3U);
  EXPECT_EQ(content_words("백업 API를 매일"), (Words{"백업", "api를", "매일"}));
}

TEST(Words, SimilarityIsThatOfMatchingBlocks) {
  EXPECT_DOUBLE_EQ(similarity_of("abcd", "abcd"), 1);
  EXPECT_DOUBLE_EQ(similarity_of("abcd", "bcde"), 0.75);
  // A common subsequence is not enough: blocks must follow one another around the longest.
  EXPECT_DOUBLE_EQ(similarity_of("abxcd", "cdxab"), 0.4);
  EXPECT_DOUBLE_EQ(similarity_of("", "a"), 0);
  EXPECT_TRUE(is_similar("use redis for sessions", "use redis for session", 0.85));
  EXPECT_FALSE(is_similar("use redis for sessions", "use kafka for billing", 0.85));
}

TEST(Words, LettersAreCountedNotBytes) {
  // The letters of these scripts share their first byte.
  EXPECT_DOUBLE_EQ(similarity_of("абвг", "бвгд"), 0.75);
  EXPECT_DOUBLE_EQ(similarity_of("абвг", "деёж"), 0);
  EXPECT_EQ(WordSet("простой проект").match("просьба"), 0);
  EXPECT_EQ(WordSet("проектирование").match("проект"), 0) << "eight letters longer";
  EXPECT_EQ(WordSet("проекты").match("проект"), 0.8);
}

Memory concluded(const std::string& id, const std::string& text, int day,
                 std::vector<std::string> refs = {}) {
  Memory memory{.id = id,
                .type = std::string(type::kDecision),
                .payload = Value::object({{"decision", text}}),
                .container_ref = "room",
                .thread_ref = "thread " + id,
                .freshness_at = from_micros(int64_t{86'400'000'000} * day),
                .work_refs = std::move(refs),
                .evidence = {{.source_item_id = id}}};
  return memory;
}

TEST(Patterns, ThreeThreadsThatShareWords) {
  const std::vector<Memory> all = {concluded("a", "Cache tiles on the edge", 1),
                                   concluded("b", "Warm the tiles cache nightly", 2),
                                   concluded("x", "Order new chairs", 3),
                                   concluded("c", "Cache tiles per region", 4)};
  const auto pattern = pattern_among(all, all.back());
  ASSERT_TRUE(pattern.has_value());
  EXPECT_EQ(text_of(*pattern, "summary"), "Recurring (3 threads): Cache tiles per region");
  EXPECT_EQ(text_of(*pattern, "pattern_label"), "cache tiles");
  EXPECT_EQ(pattern->evidence.size(), 3U);
  EXPECT_FALSE(pattern_among(all, all[2]).has_value()) << "it has nothing to do with them";
}

TEST(Patterns, ThreeThreadsOfOnePieceOfWork) {
  const std::vector<Memory> all = {concluded("a", "Cache tiles", 1, {"map-7"}),
                                   concluded("b", "Rename columns", 2, {"map-7"}),
                                   concluded("c", "Order chairs", 3, {"map-7"})};
  const auto pattern = pattern_among(all, all.back());
  ASSERT_TRUE(pattern.has_value());
  EXPECT_EQ(text_of(*pattern, "pattern_label"), "map-7");
}

}  // namespace
}  // namespace holdfast::service::recall
