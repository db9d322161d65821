// JSON-RPC at /v1/mcp: who may call, and what is wrong with arguments.
#include <gtest/gtest.h>

#include "contract/continuity/calls.h"

namespace holdfast::testing {
namespace {

constexpr const char* kInitialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";
constexpr const char* kPing = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
constexpr const char* kList = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})";

class RpcTest : public ::testing::Test {
 protected:
  HttpAnswer send(const std::string& message,
                  const std::map<std::string, std::string>& headers = {}) {
    return HttpClient(server_.port()).request("POST", "/v1/mcp", message, headers);
  }
  HttpAnswer call(const std::string& tool, const std::string& arguments) {
    return send(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + tool +
                R"(","arguments":)" + arguments + "}}");
  }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--rate-limits", "off"}};
};

TEST_F(RpcTest, AForeignOriginIsRefusedInTheEnvelope) {
  EXPECT_EQ(send(kPing, {{"Origin", "http://localhost:3000"}}).status, 200);
  for (const char* origin : {"http://evil.example", "null"}) {
    const auto refused = send(kPing, {{"Origin", origin}});
    EXPECT_EQ(refused.status, 403);
    EXPECT_EQ(refused.body,
              R"({"jsonrpc":"2.0","id":null,"error":{"code":-32002,"message":"Forbidden",)"
              R"("data":{"reason":"origin not allowed","origin":")" +
                  std::string(origin) + R"("}}})");
  }
  const auto route =
      HttpClient(server_.port())
          .request("POST", "/v1/continuity/list", "{}", {{"Origin", "http://evil.example"}});
  EXPECT_EQ(route.status, 403);
  EXPECT_NE(at(route, "detail"), Value()) << route.body;
}

TEST_F(RpcTest, WithoutTokensEveryCallerIsTheOwnerAndReadyAtOnce) {
  EXPECT_EQ(text_at(send(kList), "error.code"), "-32000");
  send(kInitialize);
  EXPECT_NE(at(send(kList), "result.tools"), Value());
  EXPECT_NE(at(send(kList, {{"Authorization", "Bearer whatever"}}), "result.tools"), Value());
}

TEST(RpcTokensTest, ReadinessIsOnePeersAndNoStrangerTakesIt) {
  const TemporaryFolder folder;
  const ServerProcess server(
      folder / "data", {"--auth", "tokens"},
      {{"COGNIRELAY_TOKENS", "one-token-0123456789,other-token-0123456789"}});
  const auto send = [&](const char* message, const std::string& header) {
    return HttpClient(server.port())
        .request("POST", "/v1/mcp", message, {{"Authorization", header}});
  };
  send(kInitialize, "Bearer one-token-0123456789");
  EXPECT_NE(at(send(kList, "bearer one-token-0123456789"), "result.tools"), Value());
  EXPECT_EQ(text_at(send(kList, "Bearer other-token-0123456789"), "error.code"), "-32000");
  EXPECT_EQ(text_at(send(kList, "Bearer no-token-0123456789"), "error.code"), "-32000");
}

TEST_F(RpcTest, ArgumentsThatAreNoObjectFailTheSchema) {
  send(kInitialize);
  const auto refused = call("continuity.read", "[1]");
  EXPECT_EQ(text_at(refused, "error.code"), "-32602") << refused.body;
  EXPECT_EQ(text_at(refused, "error.data.reason"), "schema validation failed");
  EXPECT_EQ(text_at(refused, "error.data.status"), "422");
  EXPECT_EQ(text_at(call("schedule.create", "[1]"), "error.data.detail.message"),
            "body must be a JSON object");
}

TEST_F(RpcTest, ReminderToolsSayWhichArgumentIsMissingOrOfAnotherType) {
  send(kInitialize);
  for (const char* tool : {"get", "acknowledge", "retire", "update"}) {
    for (const char* arguments : {"{}", R"({"schedule_id":7})"}) {
      const auto refused = call(std::string("schedule.") + tool, arguments);
      EXPECT_EQ(text_at(refused, "error.code"), "-32602") << tool << refused.body;
      EXPECT_EQ(to_json(at(refused, "error.data.detail")),
                R"({"code":"invalid_schedule_payload","field":"schedule_id",)"
                R"("message":"schedule_id must be a string"})")
          << tool;
    }
  }
  for (const char* tool : {"get", "acknowledge", "retire", "update"}) {
    const auto refused =
        call(std::string("schedule.") + tool, R"({"schedule_id":"sched_1","colour":"red"})");
    EXPECT_EQ(text_at(refused, "error.data.detail.message"), "unexpected field: colour") << tool;
  }
  const std::string none = "/v1/schedule/items/sched_1?colour=red";
  EXPECT_EQ(server_.get(none).status, 404) << "queries may hold anything";
  for (const char* name : {"status", "task_id", "thread_id", "subject_kind", "subject_id"}) {
    const auto refused = call("schedule.list", R"({")" + std::string(name) + R"(":7})");
    EXPECT_EQ(text_at(refused, "error.data.detail.field"), "query." + std::string(name))
        << refused.body;
  }
}

TEST_F(RpcTest, ReconciliationQueriesAreClosedForToolsAndOpenForRoutes) {
  send(kInitialize);
  const auto refused =
      call("coordination.reconciliations_query", R"({"owner_peer":"local","colour":"red"})");
  EXPECT_EQ(text_at(refused, "error.data.details.0.path"), "colour") << refused.body;
  EXPECT_EQ(text_at(refused, "error.data.details.0.keyword"), "extra_forbidden");
  EXPECT_EQ(
      server_.get("/v1/coordination/reconciliations/query?owner_peer=local&colour=red").status,
      200);
}

}  // namespace
}  // namespace holdfast::testing
