// Keys, and the tokens that are minted from them.
#include <gtest/gtest.h>

#include "contract/observations/observation_client.h"

namespace holdfast::testing {
namespace {

class ObservationKeysTest : public ::testing::Test {
 protected:
  HttpAnswer make_key(const std::string& who, const std::string& more) {
    return api_.send(who, "POST", "/api/v2/auth/api-keys",
                     R"({"name":"k","scopes":["read","write:observations"],)" + more + "}");
  }
  std::string minted(const std::string& agent_key) {
    const auto answer =
        HttpClient(api_.server().port())
            .request("POST", "/api/v2/auth/token", R"({"agent_key":")" + agent_key + R"("})",
                     {{"Content-Type", "application/json"}});
    EXPECT_EQ(answer.status, 200) << answer.body;
    return text_at(answer, "data.access_token");
  }
  void set_tier_of_bot(int tier) {
    const auto changed = api_.send("boss", "PATCH", "/api/v2/principals/principal_bot",
                                   R"({"trust_tier":)" + std::to_string(tier) + "}");
    ASSERT_EQ(changed.status, 200) << changed.body;
  }
  // Which needs T1.
  int create_as(const std::string& token) {
    return HttpClient(api_.server().port())
        .request("POST", "/observations", to_json(ObservationServer::body()),
                 {{"Authorization", "Bearer " + token},
                  {"Content-Type", "application/json"},
                  {"Idempotency-Key", api_.fresh()}})
        .status;
  }

  ObservationServer api_;
};

TEST_F(ObservationKeysTest, AMintedTokenHasTheTierOfItsMinting) {
  set_tier_of_bot(0);
  const auto made = make_key("boss", R"("type":"agent_key","principal_id":"principal_bot")");
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string key = text_at(made, "data.key");
  const std::string before = minted(key);
  EXPECT_EQ(create_as(before), 403);

  set_tier_of_bot(1);
  const std::string after = minted(key);

  EXPECT_EQ(create_as(after), 201);
  EXPECT_EQ(create_as(before), 403) << "it has the tier it was issued with";
  set_tier_of_bot(0);
  EXPECT_EQ(create_as(after), 403) << "a demotion counts at once";
}

TEST_F(ObservationKeysTest, OnlyTheirOwnersAndAdministratorsRevokeThem) {
  const auto made = make_key("ann", R"("type":"pat")");
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string path = "/api/v2/auth/api-keys/" + text_at(made, "data.id");

  EXPECT_EQ(text_at(api_.send("eve", "DELETE", path), "error.code"), "AUTHZ_OWNERSHIP_REQUIRED");
  EXPECT_EQ(api_.send("eve", "DELETE", "/api/v2/auth/api-keys/apikey_none").status, 404);
  EXPECT_EQ(api_.get("eve", path).status, 404);
  EXPECT_EQ(api_.send("boss", "DELETE", path).status, 204);
  EXPECT_EQ(api_.send("eve", "DELETE", path).status, 404) << "it is no more";
}

}  // namespace
}  // namespace holdfast::testing
