#include <gtest/gtest.h>

#include "access/oauth_authenticator.h"
#include "access/oauth_fake.h"
#include "model/json_text.h"

namespace holdfast::access {
namespace {

using namespace oauth_fake;

class FakeKeys : public KeySource {
 public:
  Result<Value> keys(bool again) override {
    reads.push_back(again);
    return set;
  }
  Value set = *parse_json(kJwks);
  std::vector<bool> reads = {};
};

class OwnTokens : public Authenticator {
 public:
  Result<CallContext> authenticate(const Credentials&) const override {
    return CallContext{.principal = PrincipalId{"own"}};
  }
};

class OAuthTest : public ::testing::Test {
 protected:
  Result<CallContext> with(const std::string& token) {
    return authenticator_->authenticate({.authorization = {"Bearer " + token}});
  }
  std::string reason_of(const std::string& token) {
    const auto call = with(token);
    return call ? "accepted" : call.error().reason;
  }

  OwnTokens own_;
  FakeKeys keys_;
  ManualClock clock_{from_micros(2'000'000'000'000'000)};
  std::unique_ptr<Authenticator> authenticator_ = make_oauth_authenticator(
      own_, keys_,
      {.issuer = "https://id.example", .resource = "https://memory.example/mcp"}, clock_);
};

TEST_F(OAuthTest, AcceptsEveryKindOfSignature) {
  for (const char* token : {kRs256, kEs256, kEdDsa}) {
    const auto call = with(token);
    ASSERT_TRUE(call.has_value()) << call.error().message;
    EXPECT_EQ(call->principal.value, "oauth:anna");
  }
  EXPECT_EQ(keys_.reads, (std::vector<bool>{false, false, false}));
}

TEST_F(OAuthTest, ABroaderScopeIncludesTheNarrower) {
  EXPECT_TRUE(with(kRs256)->has_scope("read"));
  EXPECT_TRUE(with(kRs256)->has_scope("write"));
  EXPECT_FALSE(with(kRs256)->has_scope("admin"));
  EXPECT_FALSE(with(kEs256)->has_scope("write"));
  EXPECT_TRUE(with(kEdDsa)->has_scope("read"));
  EXPECT_FALSE(with(kRs256)->viewer.every_owner);
}

TEST_F(OAuthTest, RefusesWhatIsNotForThisResourceNow) {
  for (const char* token : {kOtherIssuer, kOtherAudience, kNoSubject, kUnsigned, kUnknownKey})
    EXPECT_EQ(reason_of(token), reason::kTokenUnknown) << token;
  for (const char* token : {kExpired, kNoExpiry, kNotYet})
    EXPECT_EQ(reason_of(token), reason::kTokenExpired) << token;
  clock_.advance(std::chrono::seconds(2'000'000'100));
  EXPECT_EQ(reason_of(kRs256), reason::kTokenExpired);
}

TEST_F(OAuthTest, RefusesWhatWasAltered) {
  for (const std::string token : {kRs256, kEs256, kEdDsa}) {
    for (const size_t at : {token.find('.') + 5, token.rfind('.') + 5}) {
      std::string altered = token;
      altered[at] = altered[at] == 'a' ? 'b' : 'a';
      const auto call = with(altered);
      // What is no longer readable is no such token, and goes to the server's own.
      EXPECT_TRUE(!call || call->principal.value == "own") << at;
    }
  }
  // A token may not choose how its signature is checked.
  keys_.set = *parse_json(R"({"keys":[]})");
  EXPECT_EQ(reason_of(kEdDsa), reason::kTokenUnknown);
}

TEST_F(OAuthTest, AsksForNewKeysOnlyWhereOneIsMissing) {
  keys_.reads.clear();
  EXPECT_FALSE(with(kUnknownKey).has_value());
  EXPECT_EQ(keys_.reads, (std::vector<bool>{false, true}));
}

TEST_F(OAuthTest, OtherTokensAreTheServersOwn) {
  EXPECT_EQ(with("hf_abc")->principal.value, "own");
  EXPECT_EQ(with("a.b.c")->principal.value, "own");
  EXPECT_EQ(authenticator_->authenticate({})->principal.value, "own");
}

}  // namespace
}  // namespace holdfast::access
