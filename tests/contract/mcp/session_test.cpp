// Sessions over HTTP.
#include "support/mcp.h"

namespace holdfast::testing {
namespace {

class SessionContractTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--mcp-fixtures", "--test-clock"}};
  McpHttp mcp_{server_.port()};
};

TEST_F(SessionContractTest, VersionsAreEchoedOrTheLatestIsOffered) {
  for (const auto& [wanted, given] :
       {std::pair{"2024-11-05", "2024-11-05"}, std::pair{"2025-03-26", "2025-03-26"},
        std::pair{"2025-06-18", "2025-06-18"}, std::pair{"2025-11-25", "2025-11-25"},
        std::pair{"2026-07-28", "2025-11-25"}, std::pair{"1999-01-01", "2025-11-25"},
        std::pair{"", "2025-11-25"}}) {
    const auto answer = mcp_.post(rpc("initialize", Value::object({{"protocolVersion", wanted}})));
    EXPECT_EQ(text_at(answer, "result.protocolVersion"), given);
    EXPECT_GE(answer.headers.at("mcp-session-id").size(), 22U);
  }
  const auto wrong = mcp_.post(rpc("initialize", Value::object({{"protocolVersion", 5}})));
  EXPECT_EQ(wrong.status, 200);
  EXPECT_EQ(text_at(wrong, "error.code"), "-32602");
  EXPECT_FALSE(wrong.headers.contains("mcp-session-id"));
}

TEST_F(SessionContractTest, TheVersionHeaderIsOptionalButMustBeKnown) {
  HeaderMap session = mcp_.begin("2025-06-18");
  EXPECT_EQ(mcp_.post(rpc("ping", {}), session).status, 200);
  for (const auto& [version, status] :
       {std::pair{"2025-06-18", 200}, std::pair{"2025-11-25", 200}, std::pair{"1999-01-01", 400},
        std::pair{"x", 400}, std::pair{"2026-07-28", 400}}) {
    session["MCP-Protocol-Version"] = version;
    EXPECT_EQ(mcp_.post(rpc("ping", {}), session).status, status) << version;
  }
}

TEST_F(SessionContractTest, SessionsAreNeededMustExistAndBeginOnce) {
  EXPECT_EQ(mcp_.post(rpc("tools/list", {})).status, 400);
  EXPECT_EQ(mcp_.post(rpc("tools/list", {}), {{"Mcp-Session-Id", "nope"}}).status, 404);
  const HeaderMap session = mcp_.begin();
  EXPECT_EQ(mcp_.post(rpc("initialize", parsed(R"({"protocolVersion":"2025-11-25"})")), session)
                .status,
            400);
  server_.restart();
  McpHttp again(server_.port());
  EXPECT_EQ(again.post(rpc("ping", {}), session).status, 404);
}

TEST_F(SessionContractTest, AnIdleSessionIsForgottenAfterAnHour) {
  const HeaderMap idle = mcp_.begin();
  const HeaderMap used = mcp_.begin();
  const auto advance = [&](int seconds) {
    server_.post("/_test/clock", R"({"advance_seconds":)" + std::to_string(seconds) + "}");
  };
  advance(3500);
  EXPECT_EQ(mcp_.post(rpc("ping", {}), used).status, 200);
  advance(200);
  EXPECT_EQ(mcp_.post(rpc("ping", {}), idle).status, 404);
  EXPECT_EQ(mcp_.post(rpc("ping", {}), used).status, 200);
}

TEST_F(SessionContractTest, TheOldestIdleSessionMakesWayForTheThousandAndFirst) {
  const HeaderMap first = mcp_.begin();
  const HeaderMap second = mcp_.begin();
  for (int i = 0; i < 998; ++i) mcp_.begin();
  EXPECT_EQ(mcp_.post(rpc("ping", {}), first).status, 200);
  mcp_.begin();
  EXPECT_EQ(mcp_.post(rpc("ping", {}), first).status, 200);
  EXPECT_EQ(mcp_.post(rpc("ping", {}), second).status, 404);
}

TEST_F(SessionContractTest, ErrorsOfRequestsTravelWithStatus200) {
  const HeaderMap session = mcp_.begin();
  for (const auto& [method, params, code] :
       {std::tuple{"no/such", "{}", -32601}, std::tuple{"tools/call", R"({"name":"nope"})", -32602},
        std::tuple{"resources/read", R"({"uri":"x:y"})", -32002},
        std::tuple{"resources/subscribe", R"({"uri":"x:y"})", -32002},
        std::tuple{"resources/unsubscribe", R"({"uri":"x:y"})", -32002},
        std::tuple{"logging/setLevel", R"({"level":"loud"})", -32602}}) {
    const auto answer = mcp_.post(rpc(method, parsed(params)), session);
    EXPECT_EQ(answer.status, 200) << method;
    EXPECT_EQ(text_at(answer, "error.code"), std::to_string(code)) << method;
  }
  EXPECT_EQ(text_at(mcp_.post(rpc("resources/subscribe", parsed(R"({"uri":"test://static-text"})")),
                              session),
                    "result"),
            "{}");
}

TEST_F(SessionContractTest, StateOfAnInputRoundExpires) {
  const std::string capable = R"({"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}})";
  const auto asked = mcp_.send(
      "tools/call", modern(R"({"name":"test_input_required_result_request_state"})", capable));
  Value again = modern(R"({"name":"test_input_required_result_request_state",
                           "inputResponses":{"confirm":{"action":"accept"}}})",
                       capable);
  again.set("requestState", at(asked, "result.requestState"));
  EXPECT_NE(mcp_.send("tools/call", again).body.find("state-ok"), std::string::npos);

  server_.post("/_test/clock", R"({"advance_seconds":601})");

  EXPECT_EQ(text_at(mcp_.send("tools/call", again), "error.code"), "-32602");
}

}  // namespace
}  // namespace holdfast::testing
