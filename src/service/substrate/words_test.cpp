#include "service/substrate/words.h"

#include <gtest/gtest.h>

#include "model/json_text.h"
#include "service/substrate/claim.h"
#include "service/substrate/ids.h"

namespace holdfast::service::substrate {
namespace {

TEST(SubstrateIdsTest, StableIdsFollowTheIdentityKey) {
  EXPECT_EQ(stable_id("src", "source|markdown|/data/guide.md"),
            "src:20b2896a8c1082b098097ab2ec86312c");
  EXPECT_EQ(stable_id("src", "source|repo|/data/demo"), "src:e5451ac2fd93d4756ee0e6986de98f8c");
  EXPECT_EQ(stable_id("src", "source|web|https://example.com/page"),
            "src:5c0cf95766a17105db4df8d8e4bf96e1");
  EXPECT_EQ(stable_id("node", "node|document|source|markdown|/data/guide.md"),
            "node:f802169c9b314f392bc3f3b4ba190bfc");
}

TEST(SubstrateIdsTest, RandomIdsDifferAndKeepTheirPrefix) {
  const std::string id = random_id("know");

  EXPECT_EQ(id.size(), std::string("know:").size() + 32);
  EXPECT_NE(id, random_id("know"));
  EXPECT_EQ(type_of_id(id), ObjectType::kKnowledge);
}

TEST(SubstrateIdsTest, TheKindOfAnIdIsItsPrefixAndUnknownOnesAreEntities) {
  EXPECT_EQ(kind_of_id("src:1"), "source");
  EXPECT_EQ(kind_of_id("scope:p"), "scope");
  EXPECT_EQ(kind_of_id("ep:1"), "episode");
  EXPECT_EQ(kind_of_id("alice"), "entity");
  EXPECT_EQ(kind_of_id("../config"), "entity");
  EXPECT_FALSE(type_of_id("know"));
}

TEST(SubstrateWordsTest, TimesAreMicrosecondsWithAnOffset) {
  const auto at = read_time("2026-04-28T00:00:00.5+02:00");

  ASSERT_TRUE(at);
  EXPECT_EQ(time_text(*at), "2026-04-27T22:00:00.500000+00:00");
}

TEST(SubstrateWordsTest, TimesWithoutAnOffsetAreUtc) {
  EXPECT_EQ(read_time("2026-04-28"), read_time("2026-04-28T00:00:00Z"));
  EXPECT_EQ(read_time("2026-04-28 10:30"), read_time("2026-04-28T10:30:00+00:00"));
  EXPECT_FALSE(read_time("soon"));
  const auto refused = require_time("soon");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "Invalid isoformat string: 'soon'");
}

TEST(SubstrateWordsTest, TimesMayLeaveOutMarksAndSmallParts) {
  const auto at = read_time("2026-04-28T10:00:00Z");

  for (const char* text : {"2026-04-28T10", "20260428T10", "20260428T100000Z", "2026-04-28t10:00z",
                           "2026-04-28T15:30:00+0530", "20260428T12+02", "2026-04-28 10:00:00,0"}) {
    EXPECT_EQ(read_time(text), at) << text;
  }
  EXPECT_EQ(read_time("20260428"), read_time("2026-04-28"));
  for (const char* text :
       {"2026042", "202604281", "2026-04-28T", "2026-04-28T1", "2026-04-28T100", "2026-04-28T10.5",
        "2026-04-28T10:00+", "2026-04-28T10:00+1", "20260230", "2026-04-28X10", ""}) {
    EXPECT_FALSE(read_time(text)) << text;
  }
}

TEST(SubstrateWordsTest, SlugsKeepAsciiLettersAndDigits) {
  EXPECT_EQ(slug("  Alpha  Beta!! "), "alpha-beta");
  EXPECT_EQ(slug("待办项"), "item");
  EXPECT_EQ(slug("1-待办"), "1");
  EXPECT_EQ(slug(""), "item");
}

TEST(SubstrateWordsTest, ClippingCountsCodePointsAndTrimsTheCutEnd) {
  EXPECT_EQ(clip("short", 5), "short");
  EXPECT_EQ(clip("abcdefgh", 6), "abc...");
  EXPECT_EQ(clip("ab   cdefgh", 7), "ab...");
  EXPECT_EQ(clip("  abcdefgh", 8), "  abc...");
  EXPECT_EQ(clip("待办待办待办", 5), "待办...");
}

TEST(SubstrateWordsTest, SqueezingLeavesOneBlank) {
  EXPECT_EQ(squeeze("  a \n\t b　c "), "a b c");
  EXPECT_EQ(squeeze(" \n "), "");
}

TEST(SubstrateWordsTest, LowerCaseReachesEveryScript) {
  EXPECT_EQ(lower("ÄPFEL Ω x"), "äpfel ω x");
  EXPECT_EQ(lower(std::string("\xff"
                              "A")),
            std::string("\xff"
                        "a"));
}

TEST(SubstrateWordsTest, LowerCaseTakesEveryAsciiCharacterAtEveryPlace) {
  for (size_t length = 1; length < 20; ++length) {
    for (int c = 0; c < 0x80; ++c) {
      const auto low = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 0x20 : c);
      EXPECT_EQ(lower(std::string(length, static_cast<char>(c))), std::string(length, low));
      const std::string mixed(length, 'Q');
      EXPECT_EQ(lower(mixed + static_cast<char>(c) + "Z"), std::string(length, 'q') + low + "z");
    }
  }
}

TEST(SubstrateWordsTest, SortedJsonKeepsOneAndOnePointZeroApart) {
  const Value value = *parse_json(R"({"b":[{"y":1,"x":2}],"a":1.0})");

  EXPECT_EQ(sorted_json(value), R"({"a":1.0,"b":[{"x":2,"y":1}]})");
  EXPECT_NE(sorted_json(Value(1)), sorted_json(Value(1.0)));
}

TEST(SubstrateWordsTest, ScopesOverlapWhenTheyShareOneOrOneIsOpen) {
  EXPECT_TRUE(scopes_overlap({"a", "b"}, {"b"}));
  EXPECT_FALSE(scopes_overlap({"a"}, {"b"}));
  EXPECT_TRUE(scopes_overlap({}, {"b"}));
}

TEST(ClaimTest, NeedsASubjectAndAPredicate) {
  const Value payload = *parse_json(R"({"subject":"node:x","predicate":"uses","value":1})");

  const auto claim = claim_of("fact", {}, payload);

  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->subject, "node:x");
  EXPECT_FALSE(claim_of("fact", {}, *parse_json(R"({"predicate":"uses"})")));
  EXPECT_FALSE(claim_of("fact", {"node:x"}, Value::object()));
}

TEST(ClaimTest, TheFirstSubjectReferenceWins) {
  const Value payload = *parse_json(R"({"subject":"node:x","predicate":"uses"})");

  EXPECT_EQ(claim_of("fact", {"node:first", "node:second"}, payload)->subject, "node:first");
}

TEST(ClaimTest, AnAbsentValueIsNull) {
  const auto absent = claim_of("fact", {"s"}, *parse_json(R"({"predicate":"p"})"));
  const auto null = claim_of("fact", {"s"}, *parse_json(R"({"predicate":"p","value":null})"));

  EXPECT_EQ(*absent, *null);
}

}  // namespace
}  // namespace holdfast::service::substrate
