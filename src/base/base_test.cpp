#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/ids.h"
#include "base/result.h"
#include "base/time_text.h"
#include "base/ulid.h"
#include "base/utf8.h"

namespace holdfast {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return invalid_argument("odd");
  return n / 2;
}

Result<int> quarter(int n) {
  HOLDFAST_TRY(const int once, half(n));
  HOLDFAST_TRY(const int twice, half(once));
  return twice;
}

TEST(ResultTest, TryReturnsTheFirstError) {
  EXPECT_EQ(*quarter(12), 3);
  ASSERT_FALSE(quarter(6).has_value());
  EXPECT_EQ(quarter(6).error().message, "odd");
}

TEST(IssueTest, PathTextReadsLikeCode) {
  const Issue issue{.path = {{"items"}, {"3", true}, {"title"}}};

  EXPECT_EQ(issue.path_text(), "items[3].title");
}

TEST(UlidTest, IdsIncreaseStrictlyEvenWhenTheClockStandsStill) {
  const ManualClock clock(from_micros(1'700'000'000'000'000));
  UlidGenerator ids(clock);

  std::string last = ids.next();
  for (int i = 0; i < 10'000; ++i) {
    const std::string next = ids.next();
    ASSERT_EQ(next.size(), 26U);
    ASSERT_LT(last, next);
    last = next;
  }
}

TEST(UlidTest, GeneratorsThatBeginOneAfterTheOtherFollowEachOther) {
  ManualClock clock(from_micros(1'700'000'000'000'000));

  std::string last;
  for (int i = 0; i < 3000; ++i) {
    UlidGenerator ids(clock);
    ASSERT_LT(last, ids.next()) << i;
    last = ids.next();
    clock.advance(std::chrono::microseconds(1));
  }
}

TEST(UlidTest, TheFirstTenCharactersAreTheTime) {
  const ManualClock clock(from_micros(1'469'918'176'385'000));

  EXPECT_EQ(UlidGenerator(clock).next().substr(0, 10), "01ARYZ6S41");
  EXPECT_EQ(ulid_time(clock.now()), "01ARYZ6S41");
  EXPECT_EQ(ulid_time(from_micros(-1)), "0000000000");
}

TEST(UuidTest, HasVersionAndVariant) {
  const std::string id = make_uuid();

  ASSERT_EQ(id.size(), 36U);
  EXPECT_EQ(id[14], '4');
  EXPECT_NE(std::string("89ab").find(id[19]), std::string::npos);
  EXPECT_NE(id, make_uuid());
}

TEST(DigestTest, KnownAnswers) {
  EXPECT_EQ(to_hex(sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(to_hex(hmac_sha256("key", "The quick brown fox jumps over the lazy dog")),
            "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8");
  // An empty key is a key of its own, not that of the time before.
  EXPECT_EQ(to_hex(hmac_sha256("", "")),
            "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

TEST(DigestTest, Base64ReadsWhatItWroteInBothAlphabets) {
  for (size_t size = 0; size < 40; ++size) {
    const std::string bytes = random_bytes(size);
    EXPECT_EQ(base64_decode(base64_encode(bytes)), bytes);
    EXPECT_EQ(base64_decode(base64url_encode(bytes)), bytes);
  }
  EXPECT_EQ(base64_decode("a"), std::nullopt);
  EXPECT_EQ(base64_decode("ab!d"), std::nullopt);
}

TEST(TimeTextTest, FormatsAndReadsBack) {
  const Timestamp at = from_micros(1'736'937'000'123'456);

  EXPECT_EQ(format_millis(at), "2025-01-15T10:30:00.123Z");
  EXPECT_EQ(format_seconds(at), "2025-01-15T10:30:00Z");
  EXPECT_EQ(parse_time(format_micros(at)), at);
  EXPECT_EQ(parse_time("2025-01-15T11:30:00.123456789+01:00"), at);
  EXPECT_EQ(parse_time("2025-01-15"), parse_time("2025-01-15T00:00:00Z"));
}

TEST(TimeTextTest, FieldsHaveTheirWidth) {
  EXPECT_EQ(format_micros(from_micros(0)), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(format_micros(from_micros(-1)), "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(format_millis(*parse_time("0007-02-03T04:05:06.007Z")), "0007-02-03T04:05:06.007Z");
  EXPECT_EQ(format_seconds(*parse_time("9999-12-31T23:59:59Z")), "9999-12-31T23:59:59Z");
  EXPECT_EQ(format_seconds(*parse_time("9999-12-31T23:59:59Z") + std::chrono::seconds(1)),
            "10000-01-01T00:00:00Z");
}

TEST(TimeTextTest, RefusesWhatIsNoTime) {
  for (const char* text : {"", "2025", "2025-02-30", "2025-01-15T24:00:00Z", "2025-01-15T10:30:60Z",
                           "2025-01-15t10:30:00Z", "2025-01-15T10:30:00", "2025-01-15T10:30:00.Z",
                           "2025-01-15T10:30:00Zx"}) {
    EXPECT_EQ(parse_time(text), std::nullopt) << text;
  }
}

TEST(Utf8Test, KnowsBrokenText) {
  EXPECT_TRUE(is_valid_utf8("décor 漢字 🙂"));
  EXPECT_FALSE(is_valid_utf8("\xc0\xaf"));
  EXPECT_FALSE(is_valid_utf8("\xed\xa0\x80"));
  EXPECT_FALSE(is_valid_utf8("abc\xe6\xbc"));
}

TEST(Utf8Test, CountsCutsTrimsAndFolds) {
  EXPECT_EQ(count_code_points("né🙂"), 3U);
  EXPECT_EQ(count_code_points("a longer text, né🙂, of several words🙂"), 37U);
  EXPECT_EQ(prefix_code_points("né🙂x", 3), "né🙂");
  EXPECT_EQ(prefix_code_points("\x9e z", 1), "\x9e");
  EXPECT_EQ(trim_space(" \t\xc2\xa0 a b \xe3\x80\x80\n"), "a b");
  EXPECT_EQ(trim_space("   "), "");
  EXPECT_EQ(trim_space(" a \x9e"), "a \x9e") << "a broken byte is no space";
  EXPECT_EQ(fold_case("ÉCOLE Straße"), fold_case("école STRASSE"));
  EXPECT_EQ(fold_case("AZ az @[`{ 09"), "az az @[`{ 09");
}

}  // namespace
}  // namespace holdfast
