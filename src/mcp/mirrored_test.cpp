#include "mcp/mirrored.h"

#include <gtest/gtest.h>

#include "model/json_text.h"

namespace holdfast::mcp {
namespace {

Value json(std::string_view text) { return *parse_json(text); }

const std::vector<MirroredParameter> kParameters = {{.header = "Region", .path = {"region"}},
                                                    {.header = "Depth", .path = {"at", "depth"}},
                                                    {.header = "Dry", .path = {"dry"}}};

bool agree(std::string_view arguments, const wire::Headers& headers) {
  return !check_mirrored(kParameters, json(arguments), headers).has_value();
}

TEST(MirroredTest, FindsAnnotatedPropertiesAtAnyDepth) {
  const auto found = mirrored_parameters(json(R"({"type":"object","properties":{
      "region":{"type":"string","x-mcp-header":"Region"},
      "at":{"type":"object","properties":{"depth":{"type":"integer","x-mcp-header":"Depth"}}},
      "x-mcp-header":{"type":"string"},
      "free":{"type":"object","default":{"x-mcp-header":"no keyword here"}}}})"));

  ASSERT_TRUE(found.has_value()) << found.error().message;
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ((*found)[1].header, "Depth");
  EXPECT_EQ((*found)[1].path, (std::vector<std::string>{"at", "depth"}));
}

TEST(MirroredTest, RefusesWrongAnnotations) {
  for (const char* properties :
       {R"({"a":{"type":"string","x-mcp-header":"two words"}})",
        R"({"a":{"type":"string","x-mcp-header":""}})", R"({"a":{"type":"string","x-mcp-header":5}})",
        R"({"a":{"type":"number","x-mcp-header":"A"}})", R"({"a":{"x-mcp-header":"A"}})",
        R"({"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}})",
        R"({"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}})",
        R"({"a":{"anyOf":[{"type":"string","x-mcp-header":"A"}]}})"}) {
    Value schema = Value::object({{"type", "object"}});
    schema.set("properties", json(properties));
    EXPECT_FALSE(mirrored_parameters(schema).has_value()) << properties;
  }
}

TEST(MirroredTest, ComparesByTheTypeOfTheArgument) {
  EXPECT_TRUE(agree(R"({"region":"eu west"})", {{"mcp-param-region", " eu west\t"}}));
  EXPECT_TRUE(agree(R"({"at":{"depth":7}})", {{"Mcp-Param-Depth", "07"}}));
  EXPECT_TRUE(agree(R"({"dry":true})", {{"Mcp-Param-Dry", "true"}}));
  EXPECT_FALSE(agree(R"({"region":"eu"})", {{"Mcp-Param-Region", "EU"}}));
  EXPECT_FALSE(agree(R"({"at":{"depth":7}})", {{"Mcp-Param-Depth", "7x"}}));
  EXPECT_FALSE(agree(R"({"dry":true})", {{"Mcp-Param-Dry", "1"}}));
}

TEST(MirroredTest, PresenceMustAgreeToo) {
  EXPECT_TRUE(agree(R"({})", {}));
  EXPECT_TRUE(agree(R"({"region":null})", {}));
  EXPECT_TRUE(agree(R"({})", {{"Mcp-Param-Unknown", "x"}}));
  EXPECT_FALSE(agree(R"({"region":"eu"})", {}));
  EXPECT_FALSE(agree(R"({})", {{"Mcp-Param-Region", "eu"}}));
  EXPECT_FALSE(agree(R"({"region":"a"})", {{"Mcp-Param-Region", "a"}, {"Mcp-Param-Region", "b"}}));
}

TEST(MirroredTest, DecodesStrictly) {
  EXPECT_EQ(decode_mirrored("=?base64?bWVtb3J5?="), "memory");
  EXPECT_EQ(decode_mirrored("=?base64?YQ==?="), "a");
  EXPECT_EQ(decode_mirrored("=?BASE64?YQ==?="), "=?BASE64?YQ==?=");
  EXPECT_EQ(decode_mirrored("=?base64?YQ=="), "=?base64?YQ==");
  EXPECT_EQ(decode_mirrored("=?base64?YQ=?="), std::nullopt);
  EXPECT_EQ(decode_mirrored("=?base64?YQ?="), std::nullopt);
  EXPECT_EQ(decode_mirrored("=?base64?!!!?="), std::nullopt);
  EXPECT_EQ(decode_mirrored("=?base64?/w==?="), std::nullopt);
}

}  // namespace
}  // namespace holdfast::mcp
