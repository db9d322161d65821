// The bootstrap file and the first start: what of them stays, and what stops the server.
#include <algorithm>
#include <fstream>
#include <map>
#include <regex>

#include <gtest/gtest.h>

#include "contract/observations/observation_client.h"

namespace holdfast::testing {
namespace {

using Headers = std::map<std::string, std::string>;

class BootstrapFileTest : public ::testing::Test {
 protected:
  std::string file(const std::string& text) {
    std::string path = folder_ / "bootstrap.json";
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

TEST_F(BootstrapFileTest, WordsThatNoSurfaceKnowsStopTheServer) {
  constexpr const char* kAnn = R"({"id":"principal_ann","handle":"ann"})";
  const auto people = [](const std::string& more) {
    return R"({"principals":[{"id":"principal_ann",)" + more + "}]}";
  };
  const auto with = [&](const std::string& more) {
    return std::string(R"({"principals":[)") + kAnn + "]," + more + "}";
  };
  const auto workspace = [&](const std::string& slug) {
    return with(R"("workspaces":[{"id":"workspace_a","name":"A","slug":")" + slug + R"("}])");
  };
  const std::map<std::string, std::string> faults = {
      {with(R"("tokens":[{"token":"token-ann-0000000","principal_id":"principal_ann",)"
            R"("scopes":["read","fly"]}])"),
       "tokens[0].scopes[1] of 'principal_ann'"},
      {with(R"("agent_keys":[{"key":"agent-key-00000000","principal_id":"principal_ann",)"
            R"("scopes":["write:everything"]}])"),
       "agent_keys[0].scopes[0] of 'principal_ann'"},
      {people(R"("handle":"ann","kind":"robot")"), "principals[0].kind of 'principal_ann'"},
      {people(R"("handle":"ann","kind":"service")"), "principals[0].kind of 'principal_ann'"},
      {people(R"("handle":"an")"), "principals[0].handle of 'principal_ann'"},
      {people(R"("handle":"-ann")"), "principals[0].handle of 'principal_ann'"},
      {people(R"("handle":"Ann")"), "principals[0].handle of 'principal_ann'"},
      {people(R"("handle":"abcdefghijklmnopqrstuvwxyz-1234")"),
       "principals[0].handle of 'principal_ann'"},
      {workspace("ab"), "workspaces[0].slug of 'workspace_a'"},
      {workspace("Lab"), "workspaces[0].slug of 'workspace_a'"},
      {workspace("a_b"), "workspaces[0].slug of 'workspace_a'"},
      {with(R"("workspaces":[{"id":"workspace_a","name":"A","slug":"abc"}],"subcortexes":)"
            R"([{"id":"subcortex\n_a","workspace_id":"workspace_a","name":"A","slug":"-ab"}])"),
       "subcortexes[0].slug of 'subcortex _a'"}};

  for (const auto& [text, entity] : faults) {
    const auto refused = refusal(text);
    EXPECT_EQ(refused.status, 2) << text;
    EXPECT_NE(refused.err.find(entity), std::string::npos) << refused.err;
    EXPECT_EQ(std::ranges::count(refused.err, '\n'), 1) << refused.err;
  }
}

TEST_F(BootstrapFileTest, TimesMayBeToldFromNow) {
  ServerProcess server(data(), {"--auth", "tokens", "--bootstrap", file(R"({
      "principals":[{"id":"principal_ann","handle":"ann"}],
      "tokens":[{"token":"token-ann-0000000","principal_id":"principal_ann","scopes":["read"]},
                {"token":"token-old-0000000","principal_id":"principal_ann","scopes":["read"],
                 "expires_at":"now-1d"}],
      "workspaces":[{"id":"workspace_a","slug":"lab","name":"A","visibility":"internal"}],
      "observations":[{"id":"obs_1","workspace_id":"workspace_a","type":"other","title":"Long ago",
                       "summary_md":"It happened.","created_by_id":"principal_ann",
                       "created_at":"now-2d"}]})")});
  const auto count = [&](const std::string& bound) {
    return size_at(as(server, "token-ann-0000000", "/observations?created_at." + bound), "data");
  };

  EXPECT_EQ(count("gt=now-49h"), 1U);
  EXPECT_EQ(count("gt=now-47h"), 0U);
  EXPECT_EQ(text_at(as(server, "token-old-0000000", "/observations"), "error.code"),
            "AUTH_EXPIRED_TOKEN");
}

TEST_F(BootstrapFileTest, ASlugThatIsTakenStopsALaterStart) {
  const auto start = [&] {
    ServerProcess server(data(), {"--auth", "tokens", "--bootstrap", file(R"({
        "principals":[{"id":"principal_ann","handle":"ann"}],
        "workspaces":[{"id":"workspace_a","slug":"lab","name":"A"}],
        "subcortexes":[{"id":"subcortex_a","slug":"den","workspace_id":"workspace_a","name":"A"}]})")});
  };
  start();

  const auto workspace =
      refusal(R"({"workspaces":[{"id":"workspace_b","slug":"lab","name":"B"}]})");
  const auto subcortex = refusal(
      R"({"subcortexes":[{"id":"subcortex_b","slug":"den","workspace_id":"workspace_a","name":"B"}]})");

  EXPECT_EQ(workspace.status, 2);
  EXPECT_NE(workspace.err.find("'workspace_b'"), std::string::npos) << workspace.err;
  EXPECT_EQ(subcortex.status, 2);
  EXPECT_NE(subcortex.err.find("'subcortex_b'"), std::string::npos) << subcortex.err;
  start();
}

// A token is one caller on every surface.
TEST_F(BootstrapFileTest, ATokenMayCarryTheScopesOfEverySurface) {
  ServerProcess server(data(), {"--auth", "tokens", "--bootstrap", file(R"({
      "principals":[{"id":"principal_ann","handle":"0_a-n","kind":"system","trust_tier":1}],
      "tokens":[{"token":"token-ann-0000000","principal_id":"principal_ann","scopes":
        ["read","write","admin","review","write:observations","write:drafts","write:threads","write:tasks",
         "write:artifacts","read:files","read:index","write:journal","write:messages","write:projects",
         "search","compact:trigger","admin:peers","replication:sync"]}]})")});

  const auto seen = as(server, "token-ann-0000000", "/api/v2/principals/principal_ann");
  EXPECT_EQ(text_at(seen, "data.kind"), "system") << seen.body;
}

TEST(FirstStartTest, PrintsTheTokenOfAnAdministratorOnce) {
  TemporaryFolder folder;
  ServerProcess server(folder / "data", {"--auth", "tokens"});
  const std::string token = server.first_token();

  EXPECT_TRUE(std::regex_match(token, std::regex("ctx_pat_[0-9A-Z]{26}_[0-9A-Za-z]{16,}")))
      << token;
  const Headers admin = {{"Authorization", "Bearer " + token}};
  EXPECT_EQ(HttpClient(server.port()).request("GET", "/holdfast/v1/tokens", "", admin).status, 200);
  server.restart();
  EXPECT_EQ(server.first_token(), token) << "no other is printed";
  EXPECT_EQ(HttpClient(server.port()).request("GET", "/api/v2/observations", "", admin).status,
            200);
}

TEST_F(BootstrapFileTest, WhoGivesOneIsMadeNoAdministrator) {
  ServerProcess server(data(), {"--auth", "tokens", "--bootstrap", file("{}")});
  EXPECT_EQ(server.first_token(), "");
  file(kRegistry);
  server.restart();

  const auto principals = as(server, "token-boss-000000", "/holdfast/v1/tokens");

  EXPECT_EQ(server.first_token(), "");
  EXPECT_EQ(size_at(principals, "tokens"), 4) << principals.body;
}

}  // namespace
}  // namespace holdfast::testing
