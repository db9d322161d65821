// Event streams of /mcp: calls, subscriptions, sessions, and how they end.
#include <thread>

#include "support/mcp.h"

namespace holdfast::testing {
namespace {

const std::string kElicit = R"({"elicitation":{}})";

class StreamsTest : public ::testing::Test {
 protected:
  HttpAnswer call(const std::string& tool) {
    return mcp_.send("tools/call", modern(R"({"name":")" + tool + R"("})"));
  }
  McpStream listen(const std::string& filter, const Value& id) {
    const Value params = modern(R"({"notifications":)" + filter + "}");
    return {server_.port(), "POST", rpc("subscriptions/listen", params, id),
            modern_headers("subscriptions/listen", params)};
  }
  static Value tag(const Value& message) {
    const Value meta = at(message, "params._meta");
    const Value* found = meta.find("io.modelcontextprotocol/subscriptionId");
    return found != nullptr ? *found : Value();
  }

  void wait_for_no_streams() {
    while (server_.get("/metrics").body.find("holdfast_mcp_streams 0\n") == std::string::npos)
      std::this_thread::yield();
  }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--mcp-fixtures"}};
  McpHttp mcp_{server_.port()};
};

TEST_F(StreamsTest, ProgressMakesAnAnswerAStream) {
  const auto answer = mcp_.send("tools/call", modern(R"({"name":"test_tool_with_progress"})",
                                                     R"({"progressToken":"t"})"));
  EXPECT_EQ(answer.headers.at("content-type"), "text/event-stream");
  EXPECT_EQ(answer.headers.at("cache-control"), "no-cache");
  EXPECT_EQ(answer.headers.at("x-accel-buffering"), "no");
  EXPECT_TRUE(answer.body.starts_with("event: message\ndata: {")) << answer.body;
  EXPECT_EQ(answer.body.find("\nid:"), std::string::npos);
  EXPECT_EQ(answer.body.find("retry:"), std::string::npos);
  const auto messages = messages_of(answer);
  ASSERT_EQ(messages.size(), 4U);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(at(messages[i], "params.progressToken"), Value("t"));
    EXPECT_EQ(at(messages[i], "params.progress"), Value(50 * i));
  }
  EXPECT_EQ(at(messages[3], "id"), Value(1));

  EXPECT_EQ(mcp_.send("tools/call",
                      modern(R"({"name":"test_tool_with_progress"})", R"({"progressToken":1})"),
                      {{"Accept", "application/json"}})
                .headers.at("content-type"),
            "application/json");
}

TEST_F(StreamsTest, SubscriptionsKeepToTheirFilter) {
  McpStream tools = listen(R"({"toolsListChanged":true,"promptsListChanged":false})", 7);
  McpStream prompts =
      listen(R"({"promptsListChanged":true,"resourceSubscriptions":["test://static-text","x:y"]})",
             "seven");
  ASSERT_TRUE(tools.ok() && prompts.ok());
  Value acknowledged = tools.next();
  EXPECT_EQ(at(acknowledged, "method"), Value("notifications/subscriptions/acknowledged"));
  EXPECT_EQ(to_json(at(acknowledged, "params.notifications")), R"({"toolsListChanged":true})");
  EXPECT_EQ(tag(acknowledged), Value(7));
  acknowledged = prompts.next();
  EXPECT_EQ(to_json(at(acknowledged, "params.notifications")),
            R"({"promptsListChanged":true,"resourceSubscriptions":["test://static-text"]})");
  EXPECT_EQ(tag(acknowledged), Value("seven"));

  call("test_trigger_prompt_change");
  call("test_trigger_tool_change");

  const Value change = tools.next();
  EXPECT_EQ(at(change, "method"), Value("notifications/tools/list_changed"));
  EXPECT_EQ(tag(change), Value(7));
  EXPECT_EQ(at(prompts.next(), "method"), Value("notifications/prompts/list_changed"));
}

TEST_F(StreamsTest, ShutdownEndsSubscriptionsInTwoMessagesAndWaitsForNobody) {
  McpStream stream = listen("{}", "last");
  stream.next();
  const HeaderMap session = mcp_.begin("2025-11-25", kElicit);
  McpStream asking(server_.port(), "POST",
                   rpc("tools/call",
                       parsed(R"({"name":"test_elicitation","arguments":{"message":"m"}})"), 5),
                   session);
  EXPECT_EQ(at(asking.next(), "method"), Value("elicitation/create"));

  EXPECT_EQ(server_.stop(SIGTERM), 0);

  const Value cancelled = stream.next();
  EXPECT_EQ(at(cancelled, "method"), Value("notifications/cancelled"));
  EXPECT_EQ(at(cancelled, "params.requestId"), Value("last"));
  const Value result = stream.next();
  EXPECT_EQ(at(result, "id"), Value("last"));
  EXPECT_EQ(at(result, "result.resultType"), Value("complete"));
  EXPECT_TRUE(stream.next().is_null());
  EXPECT_EQ(at(asking.next(), "result.isError"), Value(true));
}

TEST_F(StreamsTest, SubscriptionsAreBoundedAndGivenBack) {
  std::vector<std::unique_ptr<McpStream>> open;
  const Value params = modern(R"({"notifications":{}})");
  const auto subscribe = [&] {
    return std::make_unique<McpStream>(server_.port(), "POST",
                                       rpc("subscriptions/listen", params),
                                       modern_headers("subscriptions/listen", params));
  };
  for (int i = 0; i < 64; ++i) {
    open.push_back(subscribe());
    ASSERT_TRUE(open.back()->ok()) << i << open.back()->head;
  }
  EXPECT_TRUE(subscribe()->head.starts_with("HTTP/1.1 429"));
  open.clear();
  while (!subscribe()->ok()) std::this_thread::yield();
}

TEST_F(StreamsTest, ASessionsStreamIsReplacedByANewerOneAndEndsWithIt) {
  HeaderMap session = mcp_.begin();
  McpStream older(server_.port(), "GET", "", session);
  ASSERT_TRUE(older.ok());
  McpStream newer(server_.port(), "GET", "", session);
  EXPECT_TRUE(older.next().is_null());

  call("test_trigger_tool_change");

  const Value change = newer.next();
  EXPECT_EQ(at(change, "method"), Value("notifications/tools/list_changed"));
  EXPECT_TRUE(tag(change).is_null());
  EXPECT_EQ(mcp_.other("DELETE", session).status, 204);
  EXPECT_TRUE(newer.next().is_null());
  EXPECT_EQ(mcp_.other("GET", session).status, 404);
}

TEST_F(StreamsTest, AServersRequestIsAnsweredByPost) {
  const HeaderMap session = mcp_.begin("2025-11-25", kElicit);
  McpStream stream(server_.port(), "POST",
                   rpc("tools/call",
                       parsed(R"({"name":"test_elicitation","arguments":{"message":"who?"}})"), 5),
                   session);
  const Value asked = stream.next();
  EXPECT_EQ(at(asked, "params.message"), Value("who?"));

  Value reply = Value::object({{"jsonrpc", "2.0"}, {"id", at(asked, "id")}});
  reply.set("result", parsed(R"({"action":"accept","content":{"username":"u","email":"e"}})"));
  EXPECT_EQ(mcp_.post(to_json(reply), session).status, 202);

  const Value answer = stream.next();
  EXPECT_EQ(at(answer, "id"), Value(5));
  EXPECT_NE(to_json(answer).find("username"), std::string::npos);
  EXPECT_TRUE(stream.next().is_null());
}

TEST_F(StreamsTest, ACancelledRequestEndsWithoutAnAnswer) {
  const HeaderMap session = mcp_.begin("2025-11-25", kElicit);
  McpStream stream(server_.port(), "POST",
                   rpc("tools/call",
                       parsed(R"({"name":"test_elicitation","arguments":{"message":"m"}})"), "slow"),
                   session);
  stream.next();
  for (const char* params : {R"({"requestId":"other"})", R"({"requestId":null})", "{}", "[]",
                             R"({"requestId":"slow","reason":"enough"})"})
    EXPECT_EQ(mcp_.post(rpc_notification("notifications/cancelled", params), session).status, 202);
  EXPECT_TRUE(stream.next().is_null());
  EXPECT_EQ(mcp_.post(rpc("ping", {}), session).status, 200);
}

TEST_F(StreamsTest, WithoutACapabilityOrAStreamAToolCannotAsk) {
  const Value ask = parsed(R"({"name":"test_elicitation","arguments":{"message":"m"}})");
  EXPECT_EQ(text_at(mcp_.post(rpc("tools/call", ask), mcp_.begin()), "result.isError"), "true");
  HeaderMap session = mcp_.begin("2025-11-25", kElicit);
  session["Accept"] = "application/json";
  EXPECT_EQ(text_at(mcp_.post(rpc("tools/call", ask), session), "result.isError"), "true");
  EXPECT_EQ(text_at(mcp_.send("tools/call", modern(to_json(ask))), "result.isError"), "true");
}

TEST_F(StreamsTest, AbandonedStreamsWearNothingOut) {
  for (int i = 0; i < 200; ++i) {
    McpStream stream = listen("{}", i);
    ASSERT_TRUE(stream.ok()) << i;
    stream.close();
    // Each is closed by the server a moment later; more than the limit at once are not open.
    if (i % 32 == 31) wait_for_no_streams();
  }
  EXPECT_EQ(mcp_.send("tools/list", modern()).status, 200);
}

}  // namespace
}  // namespace holdfast::testing
