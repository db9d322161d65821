// What /mcp refuses before it reads a message, and in which order.
#include "support/mcp.h"

namespace holdfast::testing {
namespace {

class GuardsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder();
    server_ = new ServerProcess(*folder_ / "data",
                                {"--mcp-fixtures", "--allow-origin", "https://app.example"});
  }
  static void TearDownTestSuite() {
    delete server_;
    delete folder_;
  }

  static void expect_refusal(const HttpAnswer& answer, int status, int code) {
    EXPECT_EQ(answer.status, status) << answer.body;
    EXPECT_EQ(text_at(answer, "error.code"), std::to_string(code)) << answer.body;
    EXPECT_EQ(at(answer, "id"), Value()) << answer.body;
    EXPECT_EQ(answer.body.find("\"id\""), std::string::npos) << answer.body;
  }

  McpHttp mcp_{server_->port()};
  static TemporaryFolder* folder_;
  static ServerProcess* server_;
};

TemporaryFolder* GuardsTest::folder_ = nullptr;
ServerProcess* GuardsTest::server_ = nullptr;

TEST_F(GuardsTest, ForeignHostsAndOriginsAreForbiddenForEveryMethod) {
  for (const auto& [name, value] :
       {std::pair{"Host", "evil.example"}, std::pair{"Host", "localhost.evil.example:80"},
        std::pair{"Origin", "http://evil.example"}, std::pair{"Origin", "null"},
        std::pair{"Origin", "http://localhost.evil.example"}, std::pair{"Origin", "file://localhost"}}) {
    expect_refusal(mcp_.send("server/discover", modern(), {{name, value}}), 403, -32600);
    for (const char* method : {"GET", "DELETE", "OPTIONS", "PUT"})
      EXPECT_EQ(mcp_.other(method, {{name, value}}).status, 403) << method << " " << value;
  }
  for (const char* origin : {"http://localhost:5173", "https://127.0.0.1", "http://[::1]:80"})
    EXPECT_EQ(mcp_.send("server/discover", modern(), {{"Origin", origin}}).status, 200) << origin;
}

TEST_F(GuardsTest, OnlyListedOriginsGetCorsAnswers) {
  const auto listed = mcp_.send("server/discover", modern(), {{"Origin", "https://app.example"}});
  EXPECT_EQ(listed.headers.at("access-control-allow-origin"), "https://app.example");
  EXPECT_NE(listed.headers.at("access-control-expose-headers").find("Mcp-Session-Id"),
            std::string::npos);
  const auto local = mcp_.send("server/discover", modern(), {{"Origin", "http://localhost:1"}});
  EXPECT_FALSE(local.headers.contains("access-control-allow-origin"));

  const HeaderMap preflight = {{"Origin", "https://app.example"},
                               {"Access-Control-Request-Method", "POST"},
                               {"Access-Control-Request-Headers", "mcp-method"}};
  const auto allowed = mcp_.other("OPTIONS", preflight);
  EXPECT_EQ(allowed.status, 204);
  EXPECT_EQ(allowed.headers.at("access-control-allow-headers"), "mcp-method");
  EXPECT_EQ(mcp_.other("OPTIONS", {{"Origin", "http://localhost:1"},
                                   {"Access-Control-Request-Method", "POST"}})
                .status,
            405);
}

TEST_F(GuardsTest, MethodsWithoutASessionAreNotAllowed) {
  for (const char* method : {"GET", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD"}) {
    const auto answer = mcp_.other(method, {{"Accept", "text/event-stream"}});
    EXPECT_EQ(answer.status, 405) << method;
    EXPECT_EQ(answer.headers.at("allow"), "POST, GET, DELETE") << method;
  }
}

TEST_F(GuardsTest, MediaTypesAreJudgedBeforeTheBody) {
  for (const char* type : {"text/plain", "application/x-www-form-urlencoded", "application/jsonx"})
    expect_refusal(mcp_.send("x", modern(), {{"Content-Type", type}}), 415, -32600);
  expect_refusal(mcp_.post("{", {{"Accept", "image/png"}}), 406, -32600);
  EXPECT_EQ(mcp_.send("tools/list", modern(), {{"Content-Type", "application/json;charset=UTF-8"}})
                .status,
            200);
  for (const char* accept : {"*/*", "application/json", "text/html, application/json;q=0.5"})
    EXPECT_EQ(mcp_.send("tools/list", modern(), {{"Accept", accept}}).status, 200) << accept;
  const auto streamed = mcp_.send("tools/list", modern(), {{"Accept", "text/event-stream"}});
  EXPECT_EQ(streamed.headers.at("content-type"), "text/event-stream");
  EXPECT_EQ(messages_of(streamed).size(), 1U);
}

TEST_F(GuardsTest, StreamsMustBeAccepted) {
  const Value wanted = modern(R"({"notifications":{}})");
  const auto listen = mcp_.send("subscriptions/listen", wanted, {{"Accept", "application/json"}});
  EXPECT_EQ(listen.status, 406);
  HeaderMap session = mcp_.begin();
  session["Accept"] = "application/json";
  EXPECT_EQ(mcp_.other("GET", session).status, 406);
}

TEST_F(GuardsTest, UnreadableAndMisshapenMessagesAreTold) {
  for (const std::string& body :
       {std::string("{"), std::string("{'a':1}"), std::string("\xff{}"), std::string("{} x"),
        std::string(100'000, '[')})
    expect_refusal(mcp_.post(body), 400, -32700);
  expect_refusal(mcp_.post("", {{"Content-Type", "application/json"}}), 400, -32700);
  for (const char* body : {"7", "null", "{}", "[]", R"({"jsonrpc":"2.0","id":null,"method":"ping"})",
                           R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})"})
    expect_refusal(mcp_.post(body), 400, -32600);
  EXPECT_EQ(text_at(mcp_.post(R"({"jsonrpc":"2.0","id":"x"})"), "id"), "x");
}

TEST_F(GuardsTest, BodiesAreTakenUpToTheLimit) {
  const auto call = [&](size_t bytes) {
    Value params = modern(R"({"name":"test_header_param","arguments":{}})");
    params.find("arguments")->set("pad", std::string(bytes, 'x'));
    return mcp_.send("tools/call", params).status;
  };
  EXPECT_EQ(call(size_t{4} << 20U), 200);
  const int refused = call(size_t{17} << 20U);
  EXPECT_TRUE(refused == 413 || refused == 0) << refused;  // 0: cut off while still sending
  EXPECT_EQ(call(10), 200);
}

TEST_F(GuardsTest, DeepArgumentsAreTaken) {
  Value deep = 1;
  for (int i = 0; i < 64; ++i) deep = Value::array({deep});
  Value params = modern(R"({"name":"json_schema_2020_12_tool","arguments":{}})");
  params.find("arguments")->set("a", deep);
  EXPECT_EQ(mcp_.send("tools/call", params).status, 200);
}

TEST_F(GuardsTest, IdsComeBackWithTheirType) {
  for (const Value& id : {Value(0), Value(-7), Value(9007199254740991), Value(""), Value("ünï"),
                          Value("1")})
    EXPECT_EQ(at(mcp_.send("server/discover", modern(), {}, id), "id"), id);
}

}  // namespace
}  // namespace holdfast::testing
