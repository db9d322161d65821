// The memory tools beside the other doors of one server: what one stores the other finds, and
// forgetting reaches everywhere.
#include <gtest/gtest.h>

#include "contract/substrate/memory_tools.h"

namespace holdfast::testing {
namespace {

std::string knowledge(const std::string& title) {
  return R"({"kind":"fact","title":")" + title +
         R"(","summary":"s","reason":"r","memory_source":"agent_inferred","scope_refs":["scope:p"]})";
}

class SubstrateCrossingTest : public ::testing::Test {
 protected:
  Value call(const std::string& tool, const std::string& mode, const std::string& input,
             const std::string& options = "{}", const HeaderMap& headers = {}) {
    McpHttp http(server_.port());
    http.always = headers;
    const Value params =
        modern(R"({"name":")" + tool + R"(","arguments":{"args":{"mode":")" + mode +
               R"(","input_data":)" + input + R"(,"options":)" + options + "}}}");
    const HttpAnswer answer = http.send("tools/call", params);
    const Value message = messages_of(answer).back();
    EXPECT_NE(at(message, "result.isError"), Value(true)) << answer.body;
    return parsed(shown(at(message, "result.content.0.text")));
  }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data"};
};

TEST_F(SubstrateCrossingTest, ANativeMemoryIsFoundAsAMemory) {
  server_.post("/holdfast/v1/remember",
               R"({"id":"m1","text":"the pelican sleeps","title":"Pelican"})");

  const Value found = call("memory_query", "search", R"({"query":"pelican"})");

  EXPECT_EQ(at(found, "data.items.0.object_type"), Value("memory"));
  EXPECT_EQ(at(found, "data.items.0.id"), Value("m1"));
  EXPECT_EQ(at(call("memory_query", "page", R"({"id":"m1"})"), "data.object_type"),
            Value("memory"));
}

TEST_F(SubstrateCrossingTest, KnowledgeIsFoundByTheNativeSearchAndBookkeepingIsNot) {
  const Value made = call("memory_remember", "knowledge", knowledge("the ibis wades"));

  const HttpAnswer found = server_.post("/holdfast/v1/search", R"({"query":"ibis"})");
  const HttpAnswer listed = server_.post("/holdfast/v1/search", R"({"query":""})");

  EXPECT_EQ(text_at(found, "hits.0.id"), shown(at(made, "object_id")));
  EXPECT_EQ(text_at(found, "hits.0.kind"), "knowledge");
  EXPECT_EQ(size_at(listed, "hits"), 1U) << listed.body;
}

TEST_F(SubstrateCrossingTest, ForgettingReachesTheToolsTheAuditLogThePagesAndTheDisk) {
  const Value made = call("memory_remember", "knowledge", knowledge("zanzibarquokka"));
  const std::string id = shown(at(made, "object_id"));
  call("memory_maintain", "reindex", "{}");
  ASSERT_TRUE(folder_contains(folder_ / "data", "zanzibarquokka"));

  ASSERT_EQ(server_.del("/holdfast/v1/objects/knowledge/" + id).status, 200);

  EXPECT_TRUE(at(call("memory_query", "page", R"({"id":")" + id + "\"}"), "data").is_null());
  const Value audit = call("memory_maintain", "audit", "{}");
  EXPECT_EQ(to_json(audit).find("zanzibarquokka"), std::string::npos);
  EXPECT_FALSE(folder_contains(folder_ / "data", "zanzibarquokka"));
}

TEST_F(SubstrateCrossingTest, SpacesDoNotSeeEachOther) {
  const HeaderMap other = {{"X-Holdfast-Space", "other"}};
  const Value made = call("memory_remember", "knowledge", knowledge("mine"), "{}", other);
  const std::string id = shown(at(made, "object_id"));

  const std::string page = R"({"id":")" + id + "\"}";

  EXPECT_TRUE(at(call("memory_query", "page", page), "data").is_null());
  EXPECT_TRUE(at(call("memory_query", "page", page, "{}", other), "data").is_object());
  EXPECT_EQ(at(call("memory_maintain", "audit", "{}"), "data.events").if_array()->size(), 0U);
}

TEST_F(SubstrateCrossingTest, EverythingIsThereAfterAKill) {
  call("memory_maintain", "configure", R"({"graph_backend":"file"})", R"({"apply":true})");
  const Value made = call("memory_remember", "knowledge", knowledge("kept 记忆"));
  const std::string page = R"({"id":")" + shown(at(made, "object_id")) + "\"}";
  const Value before = call("memory_query", "page", page, R"({"detail":"full"})");
  const Value events = call("memory_maintain", "audit", "{}");

  server_.restart(SIGKILL);

  EXPECT_EQ(call("memory_query", "page", page, R"({"detail":"full"})"), before);
  EXPECT_EQ(call("memory_maintain", "audit", "{}"), events);
  const Value found = call("memory_query", "search", R"({"query":"记忆"})");
  EXPECT_EQ(at(found, "data.items.0.id"), at(made, "object_id"));
  EXPECT_EQ(at(found, "data.items.0.retrieval_sources.0"), Value("graph"));
}

}  // namespace
}  // namespace holdfast::testing
