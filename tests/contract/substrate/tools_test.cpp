// The memory tools as they are offered and as they refuse.
#include <gtest/gtest.h>

#include "contract/substrate/memory_tools.h"

namespace holdfast::testing {
namespace {

const char* const kFact =
    R"({"kind":"fact","title":"t","summary":"s","reason":"r","memory_source":"agent_inferred","scope_refs":["scope:p"]})";

std::string with(const std::string& input, const std::string& member, const std::string& value) {
  Value object = parsed(input);
  object.set(member, parsed(value));
  return to_json(object);
}

class SubstrateToolsTest : public ::testing::Test {
 protected:
  std::string refused(const std::string& tool, const std::string& mode, const std::string& input,
                      const std::string& options = "{}") {
    const ToolAnswer answer = tools_.call(tool, mode, input, options);
    EXPECT_TRUE(answer.is_error) << answer.text;
    return answer.text;
  }
  static void expect_in_order(const std::string& text, const std::vector<std::string>& parts) {
    size_t at = 0;
    for (const std::string& part : parts) {
      at = text.find(part, at);
      ASSERT_NE(at, std::string::npos) << part << " in " << text;
    }
  }

  TemporaryFolder folder_;
  MemoryTools tools_{folder_ / "data"};
};

TEST_F(SubstrateToolsTest, AToolIsAUnionOnItsMode) {
  const Value answer = tools_.mcp().ask("tools/list", Value::object(), 900);

  const Value tools = at(answer, "result.tools");
  ASSERT_TRUE(tools.is_array());
  for (const Value& tool : *tools.if_array()) {
    const Value args = at(tool, "inputSchema.properties.args");
    EXPECT_EQ(at(args, "discriminator.propertyName"), Value("mode"));
    const Value mapping = at(args, "discriminator.mapping");
    ASSERT_TRUE(mapping.is_object());
    for (const auto& [mode, reference] : *mapping.if_object()) {
      EXPECT_EQ(shown(reference), "#/$defs/" + mode);
      const Value definition = at(tool, "inputSchema.$defs." + mode);
      EXPECT_TRUE(at(definition, "properties.input_data").is_object()) << mode;
      EXPECT_EQ(definition.find("properties")->find("root"), nullptr);
    }
  }
}

TEST_F(SubstrateToolsTest, APartOfManyWordsFindsThemAll) {
  const auto remember = [&](const std::string& title, const std::string& summary) {
    std::string input =
        with(with(kFact, "title", "\"" + title + "\""), "summary", "\"" + summary + "\"");
    const ToolAnswer answer = tools_.call("memory_remember", "knowledge", input);
    EXPECT_FALSE(answer.is_error) << answer.text;
  };
  for (int i = 100; i < 190; ++i) remember("xx ticket" + std::to_string(i), "plain");
  remember("zz ticket999", "on ticket999");
  remember("Use C++ -> here", "plain");
  const auto titles = [&](const char* query) {
    const ToolAnswer answer =
        tools_.call("memory_query", "search", std::string(R"({"query":")") + query + "\"}",
                    R"({"max_items":200})");
    std::vector<std::string> found;
    const Value items = at(answer.result, "data.items");
    for (const Value& item : *items.if_array()) found.push_back(shown(at(item, "title")));
    return found;
  };

  const auto tickets = titles("ticket");
  ASSERT_EQ(tickets.size(), 91U);
  EXPECT_EQ(tickets.front(), "zz ticket999");
  EXPECT_EQ(titles("icke").size(), 91U);
  for (const char* marks : {"++", "->", "+"})
    EXPECT_EQ(titles(marks), std::vector<std::string>{"Use C++ -> here"}) << marks;
}

TEST_F(SubstrateToolsTest, EveryProblemIsListedWithItsPlace) {
  const std::string input = with(with(kFact, "memory_source", "\"x\""), "scope_refs", "[]");

  const std::string text = refused("memory_remember", "knowledge", with(input, "surprise", "1"));

  const std::string head =
      "Error executing tool memory_remember: 3 validation errors for memory_rememberArguments";
  const std::string sources =
      "Input should be 'user_declared', 'human_curated', 'agent_inferred', 'system_generated' or "
      "'imported' [type=literal_error, input_value=";
  expect_in_order(text, {head, "args.knowledge.input_data.memory_source", sources,
                         "args.knowledge.input_data.scope_refs",
                         "List should have at least 1 item after validation, not 0 [type=too_short",
                         "args.knowledge.input_data.surprise",
                         "Extra inputs are not permitted [type=extra_forbidden"});
  EXPECT_EQ(tools_.events(), 0U);
}

TEST_F(SubstrateToolsTest, ABatchNamesTheEntry) {
  const std::string text = refused(
      "memory_remember", "batch",
      R"({"entries":[{"mode":"work_item","input_data":{}},{"mode":"promote","input_data":{}}]})");

  expect_in_order(text, {"args.batch.input_data.entries.0.work_item.input_data.kind",
                         "Field required", "args.batch.input_data.entries.1",
                         "Input tag 'promote' found using 'mode' does not match any of the "
                         "expected tags: 'activity', 'knowledge', 'work_item'"});
}

TEST_F(SubstrateToolsTest, OptionsBelongToTheirMode) {
  expect_in_order(refused("memory_query", "search", R"({"query":"m"})", R"({"detail":"full"})"),
                  {"args.search.options.detail", "Extra inputs are not permitted"});
  expect_in_order(refused("memory_query", "page", R"({"id":"x"})", R"({"snippet_chars":39})"),
                  {"args.page.options.snippet_chars",
                   "Input should be greater than or equal to 40 [type=greater_than_equal"});
  expect_in_order(refused("memory_query", "source_slice", R"({"source_id":"x","line_start":0})",
                          R"({"max_lines":501})"),
                  {"line_start", "greater than or equal to 1", "max_lines",
                   "Input should be less than or equal to 500"});
}

TEST_F(SubstrateToolsTest, ScalarsAreLenient) {
  const ToolAnswer answer = tools_.call(
      "memory_query", "recent", "{}", R"({"max_items":"3","filters":{"include_temporary":"yes"}})");

  EXPECT_FALSE(answer.is_error) << answer.text;
}

TEST_F(SubstrateToolsTest, ChangesNeedApply) {
  for (const char* mode : {"configure", "repair", "promote_candidates", "merge_duplicates",
                           "decay_stale", "cycle", "render_projection"}) {
    EXPECT_EQ(refused("memory_maintain", mode, "{}"),
              std::string("Error executing tool memory_maintain: memory_maintain mode '") + mode +
                  "' mutates memory and requires options.apply=true");
    expect_in_order(refused("memory_maintain", mode, "{}", R"({"apply":false})"),
                    {std::string("args.") + mode + ".options.apply", "Input should be True"});
  }
  for (const char* mode : {"structure", "audit", "reindex", "report", "reconcile_projection"}) {
    expect_in_order(
        refused("memory_maintain", mode, "{}", R"({"apply":true})"),
        {std::string("args.") + mode + ".options.apply", "Extra inputs are not permitted"});
  }
}

TEST_F(SubstrateToolsTest, NullMeansAbsentButStaysInFreeFormMaps) {
  std::string input = with(kFact, "status", "null");
  input = with(input, "payload", R"({"value":null,"metadata":{"note":null}})");
  const ToolAnswer answer = tools_.call("memory_remember", "knowledge", input);

  const Value stored = tools_.page(at(answer.result, "object_id"));

  EXPECT_EQ(at(stored, "status"), Value("candidate"));
  EXPECT_EQ(at(stored, "payload").find("value"), nullptr);
  ASSERT_NE(at(stored, "payload.metadata").find("note"), nullptr);
}

// What is let in can be read again, with what is stored around it.
TEST_F(SubstrateToolsTest, DeepValuesAreReadAgain) {
  const std::string deep = std::string(200, '[') + std::string(200, ']');
  const ToolAnswer made = tools_.call("memory_remember", "knowledge",
                                      with(kFact, "payload", R"({"value":)" + deep + "}"));

  ASSERT_FALSE(made.is_error) << made.text;
  EXPECT_EQ(to_json(at(tools_.page(at(made.result, "object_id")), "payload.value")), deep);
  for (const char* mode : {"structure", "report", "audit", "reindex"})
    EXPECT_FALSE(tools_.call("memory_maintain", mode, "{}").is_error) << mode;
  EXPECT_FALSE(tools_.call("memory_query", "recent", "{}").is_error);
}

TEST_F(SubstrateToolsTest, AReportSuggestsWritesThatAreAccepted) {
  write_file(folder_ / "guide.md",
             "# Guide\n\n## Context Pack\n\nA Context Pack groups evidence. `Context Pack` "
             "matters.\n\nThe Context Pack again.\n");
  tools_.ingest("markdown", path_input(folder_ / "guide.md"));
  const ToolAnswer report = tools_.call("memory_maintain", "report", "{}");
  const Value suggested =
      at(report.result, "data.concept_candidates.0.suggested_memory.input_data");
  ASSERT_TRUE(suggested.is_object()) << report.text;

  const ToolAnswer answer = tools_.call("memory_remember", "knowledge", to_json(suggested));

  EXPECT_FALSE(answer.is_error) << answer.text;
}

TEST_F(SubstrateToolsTest, AdviceIsWordedAsPublished) {
  write_file(folder_ / "a.txt", "words\n");
  const Value made = tools_.ingest("file", path_input(folder_ / "a.txt"));
  for (int i = 0; i < 2; ++i) tools_.call("memory_remember", "knowledge", kFact);

  const ToolAnswer report = tools_.call("memory_maintain", "report", "{}");

  EXPECT_EQ(shown(at(made, "memory_suggestions.agent_extraction.summary")),
            "Ingest captured evidence; agent analyzes it and uses memory_remember for durable "
            "writes.");
  EXPECT_EQ(shown(at(report.result,
                     "data.soft_duplicate_candidates.0.suggested_resolution.input_data.reason")),
            "Reviewed soft duplicate candidate and selected the canonical memory.");
}

TEST_F(SubstrateToolsTest, ResourcesAndPromptsSpeakForThemselves) {
  for (const char* uri :
       {"memory://policy", "memory://agent-playbook", "memory://mcp-api-summary"}) {
    const Value answer = tools_.mcp().ask("resources/read", Value::object({{"uri", uri}}), 901);
    EXPECT_GT(shown(at(answer, "result.contents.0.text")).size(), 500U) << uri;
  }
  const Value prompt =
      tools_.mcp().ask("prompts/get",
                       Value::object({{"name", "memory_review"},
                                      {"arguments", Value::object({{"outcome", "Shipped it"}})}}),
                       902);
  EXPECT_TRUE(shown(at(prompt, "result.messages.0.content.text")).ends_with("Shipped it"));
}

}  // namespace
}  // namespace holdfast::testing
