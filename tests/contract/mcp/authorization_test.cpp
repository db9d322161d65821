// Tokens on /mcp.
#include "support/mcp.h"

namespace holdfast::testing {
namespace {

class AuthorizationTest : public ::testing::Test {
 protected:
  std::string token(const std::string& scopes) {
    HttpClient client(server_.port());
    const auto made = client.request(
        "POST", "/holdfast/v1/tokens",
        R"({"name":"who may )" + scopes + R"(","scopes":[")" + scopes + R"("]})",
        {{"Authorization", "Bearer " + server_.first_token()}});
    EXPECT_LT(made.status, 300) << made.body;
    return text_at(made, "token");
  }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--auth", "tokens", "--mcp-fixtures"}};
  McpHttp mcp_{server_.port()};
};

TEST_F(AuthorizationTest, ChallengesSayWhatIsWrong) {
  const auto nobody = mcp_.send("tools/list", modern());
  EXPECT_EQ(nobody.status, 401);
  EXPECT_EQ(nobody.headers.at("www-authenticate"), "Bearer realm=\"holdfast\"");
  EXPECT_EQ(text_at(nobody, "error.code"), "-32600");

  const auto unknown = mcp_.send("tools/list", modern(), {{"Authorization", "Bearer nope"}});
  EXPECT_EQ(unknown.status, 401);
  EXPECT_EQ(unknown.headers.at("www-authenticate"),
            "Bearer realm=\"holdfast\", error=\"invalid_token\"");

  const auto malformed = mcp_.send("tools/list", modern(), {{"Authorization", "Basic eDp5"}});
  EXPECT_EQ(malformed.status, 400);
  EXPECT_NE(malformed.headers.at("www-authenticate").find("invalid_request"), std::string::npos);
}

TEST_F(AuthorizationTest, TheSchemeHasNoCaseAndQueriesCarryNoTokens) {
  const std::string& token = server_.first_token();
  EXPECT_EQ(mcp_.send("tools/list", modern(), {{"Authorization", "bEaReR " + token}}).status, 200);
  HttpClient client(server_.port());
  HeaderMap headers = modern_headers("tools/list", {});
  EXPECT_EQ(client.request("POST", "/mcp?access_token=" + token, rpc("tools/list", modern()), headers)
                .status,
            401);
  headers["Authorization"] = "Bearer " + token;
  EXPECT_EQ(client.request("POST", "/mcp?access_token=" + token, rpc("tools/list", modern()), headers)
                .status,
            400);
}

TEST_F(AuthorizationTest, AuthorizationComesAfterTheMethodAndBeforeTheBody) {
  EXPECT_EQ(mcp_.other("GET", {}).status, 405);
  EXPECT_EQ(mcp_.other("GET", {{"Mcp-Session-Id", "x"}}).status, 401);
  EXPECT_EQ(mcp_.other("DELETE", {{"Mcp-Session-Id", "x"}}).status, 401);
  EXPECT_EQ(mcp_.post("{", {{"Content-Type", "text/plain"}}).status, 401);
}

TEST_F(AuthorizationTest, SessionsAndStatesBelongToTheirPrincipal) {
  const std::string anna = token("read");
  const std::string bert = token("write");
  mcp_.always = {{"Authorization", "Bearer " + anna}};
  const HeaderMap session = mcp_.begin();
  EXPECT_EQ(mcp_.post(rpc("ping", {}), session).status, 200);
  const std::string capable = R"({"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}})";
  const auto asked = mcp_.send(
      "tools/call", modern(R"({"name":"test_input_required_result_request_state"})", capable));
  Value again = modern(R"({"name":"test_input_required_result_request_state",
                           "inputResponses":{"confirm":{"action":"accept"}}})",
                       capable);
  again.set("requestState", at(asked, "result.requestState"));
  EXPECT_NE(mcp_.send("tools/call", again).body.find("state-ok"), std::string::npos);

  mcp_.always = {{"Authorization", "Bearer " + bert}};

  EXPECT_EQ(mcp_.post(rpc("ping", {}), session).status, 404);
  EXPECT_EQ(mcp_.other("DELETE", session).status, 404);
  EXPECT_EQ(text_at(mcp_.send("tools/call", again), "error.code"), "-32602");
}

}  // namespace
}  // namespace holdfast::testing
