#include "model/object_codec.h"

#include <gtest/gtest.h>

#include "model/json_text.h"

namespace holdfast {
namespace {

Object sample() {
  return Object{.key = {.kind = "memory", .id = "m1"},
                .revision = 3,
                .state = "active",
                .body = R"({"text":"é","n":1.5})",
                .label = {.visibility = Visibility::kOwner,
                          .sensitivity = Sensitivity::kSensitive,
                          .container = "c",
                          .owner = "o",
                          .compartments = {"x", "y"}},
                .created_at = from_micros(1'700'000'000'000'001),
                .updated_at = from_micros(1'700'000'000'000'002)};
}

TEST(ObjectCodecTest, ObjectsComeBackAsTheyWere) {
  EXPECT_EQ(*decode_object_exactly(encode_object_exactly(sample())), sample());
}

TEST(ObjectCodecTest, ABodyThatIsNoCanonicalJsonComesBackByteForByte) {
  for (const char* body : {"not json", "{ \"spaced\": 1 }", ""}) {
    Object object = sample();
    object.body = body;
    EXPECT_EQ(decode_object_exactly(encode_object_exactly(object))->body, body);
  }
}

TEST(ObjectCodecTest, EntriesComeBackAsTheyWere) {
  const JournalEntry entry{.position = 7,
                           .change = 6,
                           .at = from_micros(5),
                           .principal = "p",
                           .surface = "native",
                           .action = "updated",
                           .key = {.kind = "memory", .id = "m"},
                           .revision = 2,
                           .message = "why",
                           .request_id = "r",
                           .label = sample().label};

  EXPECT_EQ(*decode_entry_exactly(encode_entry_exactly(entry)), entry);
}

TEST(ObjectCodecTest, BytesFromOutsideAreJudged) {
  for (const char* text : {"1", "{}", R"({"kind":1})", R"({"at":"x"})"}) {
    EXPECT_EQ(decode_object_exactly(*parse_json(text)).error().code, ErrorCode::kInvalidArgument)
        << text;
    EXPECT_EQ(decode_entry_exactly(*parse_json(text)).error().code, ErrorCode::kInvalidArgument)
        << text;
  }
}

}  // namespace
}  // namespace holdfast
