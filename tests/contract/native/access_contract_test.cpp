// --auth tokens through a real socket: tokens, scopes, spaces, private memories, the bootstrap
// file.
#include <fstream>

#include <gtest/gtest.h>

#include "support/json.h"
#include "support/process.h"

namespace holdfast::testing {
namespace {

using Headers = std::map<std::string, std::string>;

class NativeAccessTest : public ::testing::Test {
 protected:
  HttpAnswer as(const std::string& token, const std::string& method, const std::string& target,
                const std::string& body = "", Headers headers = {}) {
    if (!token.empty()) headers["Authorization"] = "Bearer " + token;
    return HttpClient(server_.port()).request(method, target, body, headers);
  }
  std::string make_token(const std::string& json) {
    const auto answer = as(server_.first_token(), "POST", "/holdfast/v1/tokens", json);
    EXPECT_EQ(answer.status, 201) << answer.body;
    return text_at(answer, "token");
  }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--auth", "tokens"}};
};

TEST_F(NativeAccessTest, TheFirstStartPrintsOneTokenAndLaterOnesNone) {
  const std::string first = server_.first_token();
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(as("", "GET", "/holdfast/v1/journal").status, 401);
  EXPECT_EQ(as("nonsense-token", "GET", "/holdfast/v1/journal").status, 401);
  EXPECT_EQ(as(first, "GET", "/holdfast/v1/journal").status, 200);
  EXPECT_EQ(as("", "GET", "/health").status, 200);

  server_.restart(SIGKILL);

  EXPECT_EQ(server_.first_token(), first);
  EXPECT_EQ(as(first, "GET", "/holdfast/v1/journal").status, 200);
  EXPECT_FALSE(folder_contains(server_.data(), first));
}

TEST_F(NativeAccessTest, ScopesBind) {
  const std::string reader = make_token(R"({"name":"reader","scopes":["read"]})");

  EXPECT_EQ(as(reader, "POST", "/holdfast/v1/search", "{}").status, 200);
  EXPECT_EQ(as(reader, "POST", "/holdfast/v1/remember", R"({"text":"x"})").status, 403);
  EXPECT_EQ(as(reader, "GET", "/holdfast/v1/tokens").status, 403);
  EXPECT_EQ(as(reader, "GET", "/holdfast/v1/export").status, 403);
  EXPECT_EQ(as(reader, "GET", "/metrics").status, 403);
  EXPECT_EQ(as("", "GET", "/metrics").status, 401);
  EXPECT_EQ(as(server_.first_token(), "GET", "/metrics").status, 200);
}

TEST_F(NativeAccessTest, ALargeBodyOfNobodyIsNotWaitedFor) {
  const auto refused = as("", "POST", "/holdfast/v1/import", std::string(3'000'000, ' '));

  EXPECT_EQ(refused.status, 401) << refused.body;
  EXPECT_EQ(refused.headers.at("connection"), "close") << "its bytes were not read";
}

TEST_F(NativeAccessTest, ARevokedTokenEndsAtOnce) {
  const auto made = as(server_.first_token(), "POST", "/holdfast/v1/tokens", R"({"name":"t"})");
  const std::string token = text_at(made, "token");
  ASSERT_EQ(as(token, "POST", "/holdfast/v1/search", "{}").status, 200);

  as(server_.first_token(), "DELETE", "/holdfast/v1/tokens/" + text_at(made, "id"));

  EXPECT_EQ(as(token, "POST", "/holdfast/v1/search", "{}").status, 401);
}

TEST_F(NativeAccessTest, PrivateAndSensitiveMemoriesDoNotExistForOthers) {
  const std::string ann = make_token(R"({"name":"ann"})");
  const std::string bob = make_token(R"({"name":"bob"})");
  ASSERT_EQ(as(ann, "POST", "/holdfast/v1/remember",
               R"({"id":"d","text":"diary entry","visibility":"private"})")
                .status,
            201);
  ASSERT_EQ(as(server_.first_token(), "POST", "/holdfast/v1/remember",
               R"({"id":"s","text":"diary salary","sensitivity":"sensitive"})")
                .status,
            201);

  EXPECT_EQ(size_at(as(ann, "POST", "/holdfast/v1/search", R"({"query":"diary"})"), "hits"), 1U);
  const auto seen = as(bob, "POST", "/holdfast/v1/search", R"({"query":"diary"})");
  EXPECT_EQ(size_at(seen, "hits"), 0U);
  EXPECT_EQ(text_at(seen, "total"), "0");
  EXPECT_EQ(as(bob, "GET", "/holdfast/v1/objects/memory/d").status, 404);
  EXPECT_EQ(as(bob, "DELETE", "/holdfast/v1/objects/memory/d").status, 404);
  EXPECT_EQ(size_at(as(bob, "GET", "/holdfast/v1/journal"), "entries"), 0U);
  EXPECT_EQ(text_at(as(bob, "GET", "/holdfast/v1/stats"), "objects"), "{}");
  EXPECT_EQ(as(bob, "GET", "/holdfast/v1/graph?kind=memory&id=d").status, 404);
}

TEST_F(NativeAccessTest, ATokenOfOneSpaceStaysThere) {
  as(server_.first_token(), "POST", "/holdfast/v1/spaces", R"({"name":"team-a"})");
  const std::string token = make_token(R"({"name":"a","space":"team-a"})");

  EXPECT_EQ(
      as(token, "POST", "/holdfast/v1/remember", R"({"text":"x"})").headers.at("x-holdfast-space"),
      "team-a");
  EXPECT_EQ(as(token, "GET", "/holdfast/v1/journal", "", {{"X-Holdfast-Space", "default"}}).status,
            403);
  EXPECT_EQ(text_at(as(token, "GET", "/holdfast/v1/spaces"), "spaces.0.name"), "team-a");
  EXPECT_EQ(size_at(as(token, "GET", "/holdfast/v1/spaces"), "spaces"), 1U);
  const std::string any = make_token(R"({"name":"b"})");
  EXPECT_EQ(
      as(any, "POST", "/holdfast/v1/remember", R"({"text":"x"})", {{"X-Holdfast-Space", "fresh"}})
          .status,
      404);
}

TEST(RateLimitTest, APrincipalOverItsBudgetIsToldWhenToComeBack) {
  TemporaryFolder folder;
  ServerProcess server(folder / "data",
                       {"--auth", "tokens", "--requests-per-minute", "3", "--test-clock"});
  const Headers token = {{"Authorization", "Bearer " + server.first_token()}};
  HttpClient client(server.port());
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(client.request("GET", "/holdfast/v1/journal", "", token).status, 200);

  const auto refused = client.request("GET", "/holdfast/v1/journal", "", token);

  EXPECT_EQ(refused.status, 429);
  EXPECT_GE(std::stoi(refused.headers.at("retry-after")), 1);
  EXPECT_EQ(client.get("/health").status, 200);
  client.post("/_test/clock", R"({"advance_seconds":61})");
  EXPECT_EQ(client.request("GET", "/holdfast/v1/journal", "", token).status, 200);
}

TEST(BootstrapTest, SeedsPrincipalsAndTokensAndRefusesABadFileBeforeListening) {
  TemporaryFolder folder;
  std::ofstream(folder / "seed.json")
      << R"({"principals":[{"id":"principal_x","handle":"x-user","trust_tier":2}],
      "tokens":[{"token":"tok-x-0000000000","principal_id":"principal_x","scopes":["read","write:observations"],"space":"lab"}]})";
  std::ofstream(folder / "bad.json")
      << R"({"tokens":[{"token":"tok-x-0000000000","principal_id":"nobody","scopes":["read"]}]})";
  {
    ServerProcess server(folder / "data",
                         {"--auth", "tokens", "--bootstrap", folder / "seed.json"});
    const Headers token = {{"Authorization", "Bearer tok-x-0000000000"}};
    EXPECT_EQ(server.first_token(), "");
    EXPECT_EQ(HttpClient(server.port())
                  .request("POST", "/holdfast/v1/remember", R"({"text":"x"})", token)
                  .status,
              201);
    server.restart();
    EXPECT_EQ(HttpClient(server.port())
                  .request("GET", "/holdfast/v1/journal", "", token)
                  .headers.at("x-holdfast-space"),
              "lab");
  }

  const auto refused = run_holdfast({"serve", "--data", folder / "other", "--listen", "127.0.0.1:0",
                                     "--auth", "tokens", "--bootstrap", folder / "bad.json"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_NE(refused.err.find("nobody"), std::string::npos);

  std::ofstream(folder / "space.json")
      << R"({"principals":[{"id":"principal_y","handle":"y-user","trust_tier":2}],
      "tokens":[{"token":"tok-y-0000000000","principal_id":"principal_y","scopes":["read"],"space":"No Name"}]})";
  const auto named = run_holdfast({"serve", "--listen", "127.0.0.1:0", "--bootstrap",
                                   folder / "space.json", "--data", folder / "third"});
  EXPECT_EQ(named.status, 2);
  EXPECT_NE(named.err.find("The bootstrap file"), std::string::npos) << named.err;
}

TEST(BootstrapTest, NamesWhatIsWrongWithPeopleAndTokens) {
  TemporaryFolder folder;
  const auto refusal = [&](const std::string& text) {
    std::ofstream(folder / "seed.json") << text;
    const auto refused = run_holdfast({"serve", "--data", folder / "data", "--listen",
                                       "127.0.0.1:0", "--bootstrap", folder / "seed.json"});
    EXPECT_EQ(refused.status, 2) << text;
    EXPECT_EQ(refused.out, "") << text;
    return refused.err;
  };

  EXPECT_NE(refusal(R"({"principals":[{"id":"p1","handle":"bot","kind":"agent","owner_id":"p9"}]})")
                .find("'p9'"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"principals":[{"id":"p1","handle":"bot"}],
      "tokens":[{"token":"has a space inside","principal_id":"p1","scopes":["read"]}]})")
                .find("visible ASCII"),
            std::string::npos);
}

}  // namespace
}  // namespace holdfast::testing
