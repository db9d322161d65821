#include "mcp/registry.h"

#include <gtest/gtest.h>

#include "model/json_text.h"

namespace holdfast::mcp {
namespace {

Tool some_tool(std::string name) {
  return {.name = std::move(name),
          .description = "Does something.",
          .run = [](const ToolCall&) -> Result<ToolResult> { return ToolResult{}; }};
}

Group with(Tool tool) {
  Group group{.name = "test"};
  group.tools.push_back(std::move(tool));
  return group;
}

ResourceTemplate some_template(std::string uri) {
  return {.uri_template = std::move(uri),
          .name = "t",
          .read = [](const ItemCall&) -> Result<ResourceContent> { return ResourceContent{}; }};
}

TEST(RegistryTest, KeepsToolsInOrderOfTheirNames) {
  Registry registry;
  ASSERT_TRUE(registry.add(with(some_tool("b"))).has_value());
  ASSERT_TRUE(registry.add(with(some_tool("a"))).has_value());

  EXPECT_EQ(registry.tools().begin()->first, "a");
  EXPECT_EQ(to_json(registry.tool("b")->input_schema),
            R"({"type":"object","additionalProperties":false})");
  EXPECT_EQ(registry.tool("c"), nullptr);
}

TEST(RegistryTest, RefusesWhatClientsCouldNotUse) {
  Registry registry;
  ASSERT_TRUE(registry.add(with(some_tool("taken"))).has_value());
  Tool undescribed = some_tool("a");
  undescribed.description = "";
  Tool idle = some_tool("a");
  idle.run = nullptr;
  Tool list = some_tool("a");
  list.input_schema = Value::object({{"type", "array"}});
  Tool mirrored = some_tool("a");
  mirrored.input_schema = *parse_json(
      R"({"type":"object","properties":{"a":{"type":"string","x-mcp-header":"b c"}}})");
  for (const Tool& wrong : {some_tool(""), some_tool("no spaces"), some_tool(std::string(65, 'x')),
                            some_tool("taken"), undescribed, idle, list, mirrored}) {
    const auto added = registry.add(with(wrong));
    ASSERT_FALSE(added.has_value()) << wrong.name;
    EXPECT_EQ(added.error().code, ErrorCode::kInvalidArgument);
  }
  Group twice{.name = "twice", .instructions = "never kept"};
  twice.tools = {some_tool("x"), some_tool("x")};
  EXPECT_FALSE(registry.add(std::move(twice)).has_value());
  EXPECT_EQ(registry.tools().size(), 1U);
  EXPECT_EQ(registry.instructions(), "");
}

TEST(RegistryTest, JoinsWhatGroupsSayAndOffer) {
  Registry registry;
  ASSERT_TRUE(
      registry.add({.name = "a", .instructions = "one", .features = {.logging = true}}).has_value());
  ASSERT_TRUE(registry.add({.name = "b", .instructions = "two", .features = {.subscribe = true}})
                  .has_value());

  EXPECT_EQ(registry.instructions(), "one\n\ntwo");
  EXPECT_TRUE(registry.features().logging);
  EXPECT_TRUE(registry.features().subscribe);
  EXPECT_FALSE(registry.features().completions);
}

TEST(RegistryTest, MatchesTemplates) {
  Registry registry;
  Group group{.name = "t"};
  group.templates = {some_template("test://{id}/data"), some_template("mem://{kind}-{id}")};
  ASSERT_TRUE(registry.add(std::move(group)).has_value());

  EXPECT_EQ(registry.match_template("test://42/data").variables.at("id"), "42");
  EXPECT_EQ(registry.match_template("mem://fact-7").variables.at("kind"), "fact");
  EXPECT_EQ(registry.match_template("mem://fact-7").variables.at("id"), "7");
  for (const char* other : {"test:///data", "test://a/b/data", "test://42/data/", "test://42",
                            "mem://fact", "mem://-", "", "x"}) {
    EXPECT_EQ(registry.match_template(other).item, nullptr) << other;
    EXPECT_FALSE(registry.has_resource(other)) << other;
  }
}

}  // namespace
}  // namespace holdfast::mcp
