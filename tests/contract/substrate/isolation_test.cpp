// --isolate-surfaces: each published API finds only what it stored itself, and the native one still
// shows everything. Without it, everything is found everywhere.
#include <gtest/gtest.h>

#include "contract/substrate/memory_tools.h"

namespace holdfast::testing {
namespace {

class IsolationTest : public ::testing::TestWithParam<bool> {
 protected:
  IsolationTest() {
    server_.post("/holdfast/v1/remember", R"({"id":"m1","text":"the pelican sleeps"})");
    tool("memory_remember",
         R"({"mode":"knowledge","input_data":{"kind":"fact","title":"pelican","summary":"s",
             "reason":"r","memory_source":"agent_inferred","scope_refs":["scope:p"]}})");
    server_.post("/v1/tasks", R"({"task_id":"feed-birds","title":"pelican","owner_peer":"p"})");
  }

  Value tool(const std::string& name, const std::string& args) {
    McpHttp http(server_.port());
    const HttpAnswer answer = http.send(
        "tools/call", modern(R"({"name":")" + name + R"(","arguments":{"args":)" + args + "}}"));
    const Value message = messages_of(answer).back();
    EXPECT_NE(at(message, "result.isError"), Value(true)) << answer.body;
    return parsed(shown(at(message, "result.content.0.text")));
  }
  Value search(const std::string& filters) {
    return tool("memory_query",
                R"({"mode":"search","input_data":{"query":"pelican"},"options":)" + filters + "}");
  }
  size_t count(const Value& answer) const { return at(answer, "data.items").if_array()->size(); }
  bool isolated() const { return GetParam(); }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", isolated()
                                              ? std::vector<std::string>{"--isolate-surfaces"}
                                              : std::vector<std::string>{}};
};

TEST_P(IsolationTest, TheMemoryToolsFindTheirOwn) {
  EXPECT_EQ(count(search("{}")), isolated() ? 1U : 3U) << to_json(search("{}"));
  EXPECT_EQ(at(search("{}"), "data.items.0.object_type"), Value("knowledge"));
  const Value page = tool("memory_query", R"({"mode":"page","input_data":{"id":"m1"}})");
  EXPECT_EQ(at(page, "data").is_null(), isolated());
}

TEST_P(IsolationTest, AskingForTheKindOfAnotherDoesNotHelp) {
  const Value found = search(R"({"filters":{"object_types":["memory"]}})");
  EXPECT_EQ(count(found), isolated() ? 0U : 1U) << to_json(found);
}

TEST_P(IsolationTest, ContinuityFindsItsOwnDocuments) {
  const HttpAnswer answer = server_.post("/v1/context/retrieve", R"({"task":"pelican"})");
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(size_at(answer, "bundle.recent_relevant"), isolated() ? 1U : 3U) << answer.body;
}

TEST_P(IsolationTest, TheNativeSearchShowsEverything) {
  const HttpAnswer answer = server_.post("/holdfast/v1/search", R"({"query":"pelican"})");
  EXPECT_EQ(size_at(answer, "hits"), 3U) << answer.body;
}

INSTANTIATE_TEST_SUITE_P(Surfaces, IsolationTest, ::testing::Bool(), [](const auto& surfaces) {
  return surfaces.param ? "Isolated" : "Together";
});

}  // namespace
}  // namespace holdfast::testing
