// The recall surface for MCP clients, where it is switched on.
#include <set>

#include <gtest/gtest.h>

#include "recall_client.h"
#include "support/mcp.h"

namespace holdfast::testing {
namespace {

std::set<std::string> tool_names(ServerProcess& server) {
  const Value params = modern();
  const auto answer =
      HttpClient(server.port())
          .request("POST", "/mcp", rpc("tools/list", params), modern_headers("tools/list", params));
  std::set<std::string> names;
  const Value tools = at(messages_of(answer).back(), "result.tools");
  for (const Value& tool : *tools.if_array()) names.insert(*at(tool, "name").if_string());
  return names;
}

Value call_tool(ServerProcess& server, const std::string& name, const Value& arguments) {
  Value params = modern();
  params.set("name", name);
  params.set("arguments", arguments);
  HeaderMap headers = modern_headers("tools/call", params);
  headers["Content-Type"] = "application/json";
  const auto answer =
      HttpClient(server.port()).request("POST", "/mcp", rpc("tools/call", params), headers);
  return at(messages_of(answer).back(), "result");
}

TEST(RecallToolsTest, AreOfferedOnlyWhenAskedFor) {
  TemporaryFolder folder;
  ServerProcess plain(folder / "plain");
  ServerProcess more(folder / "more", {"--recall-mcp", "on"});
  const auto few = tool_names(plain);
  EXPECT_EQ(few.size(), 4U);
  auto added = tool_names(more);
  for (const std::string& name : few) EXPECT_EQ(added.erase(name), 1U) << name;
  EXPECT_EQ(added, (std::set<std::string>{"recall_query", "recall_query_debug", "recall_ingest",
                                          "recall_expand", "recall_flag"}));
}

TEST(RecallToolsTest, DoWhatTheRoutesDo) {
  TemporaryFolder folder;
  ServerProcess server(folder / "data", {"--recall-mcp", "on", "--rate-limits", "off"});
  RecallClient client(server.port());
  const Value item = recall_item("1", "We decided to paint the depot green.");
  const Value stored =
      call_tool(server, "recall_ingest", Value::object({{"items", Value::array({item})}}));
  EXPECT_EQ(at(stored, "structuredContent.items.0.source_item_id"),
            at(client.store(item), "0.source_item_id"))
      << to_json(stored);
  client.drain();

  const Value query = Value::object(
      {{"text", "paint the depot"}, {"container_ref", "yard"}, {"visibility", "container"}});
  const Value answer = call_tool(server, "recall_query", query);
  EXPECT_EQ(to_json(at(answer, "structuredContent")), client.ask("paint the depot").body);
  const Value traced = call_tool(server, "recall_query_debug", query);
  EXPECT_EQ(at(traced, "structuredContent.trace.query_text"), Value("paint the depot"));

  const Value memory = at(answer, "structuredContent.results.0.memory_object_id");
  const Value whole =
      call_tool(server, "recall_expand",
                Value::object({{"memory_object_id", memory}, {"container_ref", "yard"}}));
  EXPECT_EQ(at(whole, "structuredContent.payload.decision"), Value("Paint the depot green"));
  const Value foreign =
      call_tool(server, "recall_expand",
                Value::object({{"memory_object_id", memory}, {"container_ref", "sea"}}));
  EXPECT_EQ(at(foreign, "isError"), Value(true)) << to_json(foreign);
  EXPECT_EQ(at(foreign, "content.0.text"), Value(R"({"detail":"memory object not found"})"));

  const Value flagged = call_tool(server, "recall_flag",
                                  Value::object({{"memory_object_id", memory},
                                                 {"reason", "wrong"},
                                                 {"source_ref", "me"},
                                                 {"immediate", true}}));
  EXPECT_EQ(at(flagged, "structuredContent.suppressed"), Value(true)) << to_json(flagged);
  const Value wrong = call_tool(server, "recall_query", Value::object({{"text", ""}}));
  EXPECT_EQ(at(wrong, "isError"), Value(true));
  EXPECT_NE(to_json(wrong).find("string_too_short"), std::string::npos) << to_json(wrong);
}

}  // namespace
}  // namespace holdfast::testing
