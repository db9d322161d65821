// `holdfast mcp` as a client starts it.
#include <filesystem>
#include <fstream>

#include "support/mcp.h"

namespace holdfast::testing {
namespace {

class StdioContractTest : public ::testing::Test {
 protected:
  std::string data() const { return folder_ / "data"; }
  TemporaryFolder folder_;
};

TEST_F(StdioContractTest, BothErasOnOneStream) {
  McpStdio wire(data(), {"--mcp-fixtures"});
  EXPECT_EQ(at(wire.ask("tools/list", Value::object(), 1), "error.code"), Value(-32602));
  EXPECT_EQ(at(wire.ask("server/discover", modern(), 2), "result.resultType"), Value("complete"));
  EXPECT_EQ(at(wire.begin("2025-06-18"), "result.protocolVersion"), Value("2025-06-18"));
  EXPECT_TRUE(at(wire.ask("tools/list", Value::object(), 3), "result.resultType").is_null());
  EXPECT_EQ(at(wire.ask("tools/list", modern(), 4), "result.resultType"), Value("complete"));
  EXPECT_EQ(at(wire.ask("initialize", modern(), 5), "error.code"), Value(-32601));
  Value newer = modern();
  newer.find("_meta")->set("io.modelcontextprotocol/protocolVersion", "2999-01-01");
  EXPECT_EQ(at(wire.ask("tools/list", newer, 6), "error.code"), Value(-32022));
  EXPECT_EQ(wire.finish(), 0);
}

TEST_F(StdioContractTest, BadLinesAreAnsweredAndSurvived) {
  McpStdio wire(data());
  for (const auto& [line, code] :
       {std::pair{std::string("not json"), -32700}, std::pair{std::string(200'000, '['), -32700},
        std::pair{std::string("[]"), -32600},
        std::pair{std::string(R"({"jsonrpc":"2.0"})"), -32600},
        std::pair{std::string(size_t{17} << 20U, 'x'), -32600}}) {
    wire.send(line);
    const Value answer = wire.next();
    EXPECT_EQ(at(answer, "error.code"), Value(code)) << line.substr(0, 20);
    EXPECT_EQ(answer.find("id"), nullptr);
  }
  wire.send("");
  EXPECT_EQ(to_json(at(wire.ask("ping", {}, 5), "result")), "{}");
}

TEST_F(StdioContractTest, ServesAlsoFromAFolderWhoseNameIsNoText) {
  const auto here = std::filesystem::current_path();
  const std::filesystem::path odd = folder_ / "d\xff";
  std::filesystem::create_directories(odd);
  std::ofstream(odd / "f.txt") << "alpha\n";
  std::filesystem::current_path(odd);
  McpStdio wire(data());
  std::filesystem::current_path(here);

  EXPECT_EQ(at(wire.begin("2025-06-18"), "result.protocolVersion"), Value("2025-06-18"));
  const Value answer = wire.ask("tools/call", parsed(R"({"name":"memory_ingest",
                 "arguments":{"args":{"mode":"file","input_data":{"path":"f.txt"}}}})"),
                                2);
  EXPECT_EQ(at(answer, "result.isError"), Value(true));
}

TEST_F(StdioContractTest, ProgressAndCancellation) {
  McpStdio wire(data(), {"--mcp-fixtures"});
  wire.begin("2025-11-25", R"({"elicitation":{}})");
  wire.send(rpc("tools/call",
                parsed(R"({"name":"test_tool_with_progress","_meta":{"progressToken":8}})"), 2));
  for (const int progress : {0, 50, 100}) {
    const Value message = wire.next();
    EXPECT_EQ(at(message, "params.progress"), Value(progress));
    EXPECT_EQ(at(message, "params.progressToken"), Value(8));
  }
  EXPECT_EQ(at(wire.next(), "id"), Value(2));

  wire.send(rpc("tools/call", parsed(R"({"name":"test_elicitation","arguments":{"message":"m"}})"),
                "slow"));
  EXPECT_EQ(at(wire.next(), "method"), Value("elicitation/create"));
  wire.send(rpc_notification("notifications/cancelled", R"({"requestId":"slow"})"));
  wire.send(rpc("ping", {}, "after"));
  EXPECT_EQ(at(wire.next(), "id"), Value("after"));
  wire.process().close_input();
  EXPECT_TRUE(wire.next().is_null());
  EXPECT_EQ(wire.process().wait(), 0);
}

TEST_F(StdioContractTest, ManyThatWaitHoldNobodyUp) {
  McpStdio wire(data(), {"--mcp-fixtures"});
  wire.begin("2025-11-25", R"({"elicitation":{}})");
  for (int i = 0; i < 100; ++i) {
    wire.send(rpc("tools/call",
                  parsed(R"({"name":"test_elicitation","arguments":{"message":"m"}})"), 100 + i));
    EXPECT_EQ(at(wire.next(), "method"), Value("elicitation/create"));
  }

  wire.send(rpc("tools/call", parsed(R"({"name":"test_simple_text"})"), 1));
  const Value answer = wire.next();

  EXPECT_EQ(at(answer, "id"), Value(1)) << to_json(answer);
}

TEST_F(StdioContractTest, TheEndOfTheInputAndSigtermEndTheProcessWithStatusZero) {
  {
    McpStdio wire(data(), {"--mcp-fixtures"});
    wire.begin("2025-11-25", R"({"elicitation":{}})");
    wire.send(rpc("tools/call",
                  parsed(R"({"name":"test_elicitation","arguments":{"message":"m"}})"), "slow"));
    EXPECT_EQ(at(wire.next(), "method"), Value("elicitation/create"));
    wire.process().close_input();
    EXPECT_EQ(at(wire.next(), "result.isError"), Value(true));
    EXPECT_EQ(wire.process().wait(), 0);
  }
  McpStdio wire(data());
  wire.send(rpc("subscriptions/listen", modern(R"({"notifications":{}})"), "s"));
  EXPECT_EQ(at(wire.next(), "method"), Value("notifications/subscriptions/acknowledged"));
  wire.process().signal(SIGTERM);
  EXPECT_EQ(at(wire.next(), "method"), Value("notifications/cancelled"));
  EXPECT_EQ(at(wire.next(), "id"), Value("s"));
  EXPECT_EQ(wire.process().wait(), 0);
}

TEST_F(StdioContractTest, ASpaceThatCannotBeIsRefusedAtTheStart) {
  const auto refused = run_holdfast({"mcp", "--data", data(), "--space", "Bad Space!"},
                                    R"({"jsonrpc":"2.0","id":1,"method":"ping"})");

  EXPECT_NE(refused.status, 0);
  EXPECT_EQ(refused.out, "");
  EXPECT_NE(refused.err.find("A space name is"), std::string::npos) << refused.err;
}

TEST_F(StdioContractTest, ProcessesAndAServerShareOneFolder) {
  McpStdio first(data());
  first.begin();
  McpStdio second(data());
  second.begin();
  const auto beside = run_holdfast({"remember", "beside two editors", "--data", data()});
  EXPECT_EQ(beside.status, 0) << beside.err;
  EXPECT_EQ(first.finish(), 0);

  ServerProcess server(data());
  EXPECT_NE(server.post("/holdfast/v1/search", R"({"query":"editors"})").body.find("two editors"),
            std::string::npos);
  EXPECT_FALSE(at(second.ask("tools/list", Value::object(), 9), "result.tools").is_null());
}

TEST_F(StdioContractTest, FixturesAreOfferedOnlyWhereTheyWereAskedFor) {
  McpStdio with(data(), {"--mcp-fixtures"});
  McpStdio without(data());
  const auto names = [](McpStdio& wire) {
    return to_json(at(wire.ask("tools/list", modern(), 1), "result.tools"));
  };
  EXPECT_NE(names(with).find("test_simple_text"), std::string::npos);
  EXPECT_EQ(names(without).find("test_simple_text"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::testing
