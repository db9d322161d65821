#include "model/json_pieces.h"

#include <gtest/gtest.h>

#include "model/json_text.h"

namespace holdfast::json_pieces {
namespace {

TEST(JsonPiecesTest, FindsWhereTextsEnd) {
  EXPECT_EQ(text_piece(R"("")", 0).end, 2);
  EXPECT_EQ(text_piece(R"("plain",)", 0).end, 7);
  EXPECT_FALSE(text_piece(R"("plain",)", 0).has_escapes);
  for (size_t before = 0; before < 40; ++before) {
    const std::string text = "\"" + std::string(before, 'x') + R"(\"y\\")";
    EXPECT_EQ(text_piece(text + ",\"", 0).end, text.size()) << text;
    EXPECT_TRUE(text_piece(text, 0).has_escapes);
    for (size_t size = 1; size < text.size(); ++size)
      EXPECT_EQ(text_piece(text.substr(0, size), 0).end, kNone) << text << size;
  }
}

TEST(JsonPiecesTest, PlainIsWhatIsWrittenAgainTheSame) {
  for (const char* json : {"{}", "[]", R"({"a":1,"b":[true,false,null,"x y"]})", "-5", "0",
                           "123456789012345678", R"({"b":{"":""}})", R"(["é"])"}) {
    EXPECT_TRUE(is_plain(json)) << json;
    EXPECT_EQ(to_json(*parse_json(json)), json);
  }
  for (const char* json : {"1.5", "1e3", "-0", "01", "1234567890123456789", R"("a\nb")",
                           R"({"a": 1})", "[\"a\"\n]", R"("open)", "nul", "+1"})
    EXPECT_FALSE(is_plain(json)) << json;
}

}  // namespace
}  // namespace holdfast::json_pieces
