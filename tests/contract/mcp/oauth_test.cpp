// Access tokens of an authorization server on /mcp.
#include <fstream>

#include "access/oauth_fake.h"
#include "support/mcp.h"

namespace holdfast::testing {
namespace {

using namespace access::oauth_fake;

constexpr const char* kMetadata =
    "resource_metadata=\"https://memory.example/.well-known/oauth-protected-resource/mcp\"";

class OAuthContractTest : public ::testing::Test {
 protected:
  OAuthContractTest() {
    std::ofstream(folder_ / "keys.json") << kJwks;
    server_ = std::make_unique<ServerProcess>(
        folder_ / "data",
        std::vector<std::string>{"--auth", "tokens", "--mcp-fixtures", "--public-url",
                                 "https://memory.example/", "--oauth-issuer", "https://id.example",
                                 "--oauth-jwks", folder_ / "keys.json"});
  }
  HttpAnswer list(const std::string& token) {
    return McpHttp(server_->port())
        .send("tools/list", modern(), {{"Authorization", "Bearer " + token}});
  }

  TemporaryFolder folder_;
  std::unique_ptr<ServerProcess> server_;
};

TEST_F(OAuthContractTest, MetadataSaysWhereTokensComeFrom) {
  for (const char* path : {"/.well-known/oauth-protected-resource/mcp",
                           "/.well-known/oauth-protected-resource"}) {
    const auto answer = server_->get(path);
    EXPECT_EQ(answer.status, 200) << path;
    EXPECT_EQ(text_at(answer, "resource"), "https://memory.example/mcp");
    EXPECT_EQ(text_at(answer, "authorization_servers"), R"(["https://id.example"])");
    EXPECT_EQ(text_at(answer, "bearer_methods_supported"), R"(["header"])");
    EXPECT_EQ(answer.body.find("offline_access"), std::string::npos);
  }
}

TEST_F(OAuthContractTest, TokensOfTheIssuerAndOurOwnAreAccepted) {
  for (const char* token : {kRs256, kEs256, kEdDsa}) EXPECT_EQ(list(token).status, 200);
  EXPECT_EQ(list(server_->first_token()).status, 200);
}

TEST_F(OAuthContractTest, ChallengesPointToTheMetadata) {
  const auto nobody = McpHttp(server_->port()).send("tools/list", modern());
  EXPECT_EQ(nobody.status, 401);
  EXPECT_EQ(nobody.headers.at("www-authenticate"),
            std::string("Bearer realm=\"holdfast\", ") + kMetadata + ", scope=\"read write\"");
  for (const char* token : {kOtherAudience, kExpired, kUnsigned}) {
    const auto refused = list(token);
    EXPECT_EQ(refused.status, 401) << token;
    EXPECT_NE(refused.headers.at("www-authenticate").find("error=\"invalid_token\""),
              std::string::npos);
    EXPECT_NE(refused.headers.at("www-authenticate").find(kMetadata), std::string::npos);
  }
}

TEST(OAuthSettingsTest, WithoutAnIssuerThereIsNoMetadata) {
  TemporaryFolder folder;
  ServerProcess server(folder / "data");
  EXPECT_EQ(server.get("/.well-known/oauth-protected-resource/mcp").status, 404);
  EXPECT_EQ(server.get("/.well-known/oauth-protected-resource").status, 404);
  const auto refused = run_holdfast({"serve", "--data", folder / "other", "--listen", "127.0.0.1:0",
                                     "--oauth-issuer", "https://id.example"});
  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.err.find("--oauth-jwks"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace holdfast::testing
