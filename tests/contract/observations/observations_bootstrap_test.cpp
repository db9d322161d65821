// The bootstrap file and the first start: what of them stays, and what stops the server.
#include <fstream>

#include <gtest/gtest.h>

#include "contract/observations/observation_client.h"

namespace holdfast::testing {
namespace {

class BootstrapFileTest : public ::testing::Test {
 protected:
  std::string file(const std::string& text) {
    const std::string path = folder_ / "bootstrap.json";
    std::ofstream(path) << text;
    return path;
  }
  RunResult refusal(const std::string& text) {
    return run_holdfast({"serve", "--data", data(), "--listen", "127.0.0.1:0", "--auth", "tokens",
                         "--bootstrap", file(text)});
  }
  std::string data() { return folder_ / "data"; }

  static HttpAnswer as(ServerProcess& server, const std::string& token, const std::string& target) {
    return HttpClient(server.port())
        .request("GET", target, "", {{"Authorization", "Bearer " + token}});
  }

  TemporaryFolder folder_;
};

TEST_F(BootstrapFileTest, NothingOfARefusedOneIsKept) {
  const auto refused = refusal(R"({
      "principals":[{"id":"principal_ann","handle":"ann","kind":"human","trust_tier":4}],
      "tokens":[{"token":"token-ann-0000000","principal_id":"principal_ann","scopes":["admin"],"space":"lab"},
                {"token":"token-old-0000000","principal_id":"principal_ann","scopes":["admin"]}],
      "agent_keys":[{"key":"agent-key-00000000","principal_id":"principal_ann","scopes":["admin"]}],
      "tasks":[{"id":"task_1","workspace_id":"workspace_none","title":"Lost task"}]})");
  ASSERT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("workspace_none"), std::string::npos) << refused.err;

  ServerProcess server(data(), {"--auth", "tokens", "--bootstrap", file(R"({
      "principals":[{"id":"principal_ann","handle":"ann","kind":"human","trust_tier":1}],
      "tokens":[{"token":"token-ann-0000000","principal_id":"principal_ann","scopes":["read"]}]})")});

  const auto seen = as(server, "token-ann-0000000", "/api/v2/principals/principal_ann");
  EXPECT_EQ(text_at(seen, "data.trust_tier"), "1") << seen.body;
  const auto spaces = as(server, "token-ann-0000000", "/holdfast/v1/journal");
  EXPECT_EQ(spaces.headers.at("x-holdfast-space"), "default");
  EXPECT_EQ(as(server, "token-ann-0000000", "/holdfast/v1/tokens").status, 403) << "it only reads";
  EXPECT_EQ(as(server, "token-old-0000000", "/api/v2/observations").status, 401);
  const auto minted =
      HttpClient(server.port())
          .request("POST", "/api/v2/auth/token", R"({"agent_key":"agent-key-00000000"})",
                   {{"Content-Type", "application/json"}});
  EXPECT_EQ(text_at(minted, "error.code"), "AUTH_AGENT_KEY_INVALID") << minted.body;
}

}  // namespace
}  // namespace holdfast::testing
