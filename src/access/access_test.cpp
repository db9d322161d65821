#include <gtest/gtest.h>

#include "access/authenticator.h"
#include "access/compartments.h"
#include "access/gatekeeper.h"
#include "access/rate_limiter.h"
#include "access/token_bucket.h"
#include "access/visibility.h"

namespace holdfast::access {
namespace {

class OneSpace : public SpaceDirectory {
 public:
  bool space_exists(const SpaceId& space) const override { return space.value == "default"; }
};

class FakeGrants : public GrantSource {
 public:
  void add(std::string_view text, Token token,
           Principal principal = {.id = PrincipalId{"principal_1"}}) {
    token.hash = token_hash(text);
    grants_.push_back({std::move(token), std::move(principal)});
  }
  Result<std::optional<Grant>> find_grant(std::string_view hash) const override {
    for (const Grant& grant : grants_) {
      if (grant.token.hash == hash) return std::optional<Grant>(grant);
    }
    return std::optional<Grant>();
  }

 private:
  std::vector<Grant> grants_;
};

// --- visibility

struct VisibilityCase {
  const char* claim;
  Viewer viewer;
  Label label;
  bool visible;
};

TEST(VisibilityTest, AClosedCompartmentIsForThoseNamedInIt) {
  const Label closed{.compartments = {closed_compartment("w2")}};
  const Label both{.compartments = {closed_compartment("w2"), "lab"}};
  const Viewer anybody{};
  const Viewer member{.compartments = {{"*", closed_compartment("w2")}}};
  const Viewer narrow{.compartments = {{"kitchen", closed_compartment("w2")}}};
  const Viewer administrator{.every_owner = true};

  EXPECT_FALSE(may_see(anybody, closed)) << "no list is no membership";
  EXPECT_TRUE(may_see(anybody, {.compartments = {"lab"}}));
  EXPECT_TRUE(may_see(member, both));
  EXPECT_FALSE(may_see(narrow, both));
  EXPECT_TRUE(may_see(narrow, closed));
  EXPECT_TRUE(may_see(administrator, closed));
}

TEST(VisibilityTest, TheRule) {
  const Viewer member{.actor = "ann", .reach = Visibility::kPrivate, .containers = {{"c1"}}};
  const Viewer shared_reader{
      .actor = "ann", .reach = Visibility::kContainer, .containers = {{"c1"}}};
  const Viewer public_reader{.actor = "ann", .reach = Visibility::kPublic, .containers = {{"c1"}}};
  const Viewer nobody{.containers = {{"c1"}}};
  const Viewer owner{
      .every_owner = true, .reach = Visibility::kOwner, .clearance = Sensitivity::kSensitive};
  const std::vector<VisibilityCase> cases = {
      {"public is for all", public_reader, {.container = "c2"}, true},
      {"container inside",
       shared_reader,
       {.visibility = Visibility::kContainer, .container = "c1"},
       true},
      {"container outside",
       shared_reader,
       {.visibility = Visibility::kContainer, .container = "c2"},
       false},
      {"container for a public reader",
       public_reader,
       {.visibility = Visibility::kContainer, .container = "c1"},
       false},
      {"private inside", member, {.visibility = Visibility::kPrivate, .container = "c1"}, true},
      {"private for a shared reader",
       shared_reader,
       {.visibility = Visibility::kPrivate, .container = "c1"},
       false},
      {"owner elsewhere",
       member,
       {.visibility = Visibility::kOwner, .container = "c9", .owner = "ann"},
       true},
      {"another owner",
       member,
       {.visibility = Visibility::kOwner, .container = "c1", .owner = "bob"},
       false},
      {"no owner and no actor never match", nobody, {.visibility = Visibility::kOwner}, false},
      {"sensitive without clearance", member, {.sensitivity = Sensitivity::kSensitive}, false},
      {"the local owner sees all",
       owner,
       {.visibility = Visibility::kOwner,
        .sensitivity = Sensitivity::kSensitive,
        .owner = "bob",
        .compartments = {"x"}},
       true},
  };

  for (const auto& c : cases) EXPECT_EQ(may_see(c.viewer, c.label), c.visible) << c.claim;
}

TEST(VisibilityTest, EveryCompartmentMustBeAllowed) {
  const Viewer viewer{.compartments = {{"a", "b"}}};

  EXPECT_TRUE(may_see(viewer, {.compartments = {"a", "b"}}));
  EXPECT_FALSE(may_see(viewer, {.compartments = {"a", "c"}}));
  EXPECT_TRUE(may_see(viewer, {}));
}

// --- gatekeeper

TEST(GatekeeperTest, ReadingAnUnknownSpaceSaysHowToMakeIt) {
  const OneSpace spaces;
  const Gatekeeper gatekeeper(spaces, /*spaces_on_demand=*/true);
  CallContext call{.scopes = {"admin"}, .viewer = {.space = SpaceId{"nope"}}};

  const auto read = gatekeeper.require(call, Permission::kRead);

  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, ErrorCode::kNotFound);
  EXPECT_NE(read.error().message.find("holdfast space create nope"), std::string::npos);
  EXPECT_TRUE(gatekeeper.require(call, Permission::kWrite).has_value());
  EXPECT_FALSE(Gatekeeper(spaces, false).require(call, Permission::kWrite).has_value());
}

TEST(GatekeeperTest, ScopesDecide) {
  const OneSpace spaces;
  const Gatekeeper gatekeeper(spaces, false);
  const CallContext reader{.scopes = {"read"}};
  const CallContext writer{.scopes = {"write:observations"}};

  EXPECT_TRUE(gatekeeper.require(reader, Permission::kRead).has_value());
  EXPECT_EQ(gatekeeper.require(reader, Permission::kWrite).error().reason, reason::kScope);
  EXPECT_TRUE(gatekeeper.require(writer, Permission::kWrite).has_value());
  EXPECT_FALSE(gatekeeper.require(writer, Permission::kRead).has_value());
  EXPECT_FALSE(gatekeeper.require_admin(reader).has_value());
}

TEST(GatekeeperTest, SpaceNamesAreBounded) {
  EXPECT_TRUE(is_space_name("team-a.v2_x"));
  for (const char* name : {"", "A", "-a", "a/b", "a b", "ä", ".."})
    EXPECT_FALSE(is_space_name(name)) << name;
  EXPECT_FALSE(is_space_name(std::string(65, 'a')));
}

TEST(SpaceAccessTest, NarrowingNeverWidens) {
  const OneSpace spaces;
  CallContext call{.scopes = {"admin"},
                   .viewer = {.reach = Visibility::kContainer, .containers = {{"c1"}}}};
  const auto access = *Gatekeeper(spaces, false).require(call, Permission::kRead);

  EXPECT_EQ(access.narrowed("c2", Visibility::kPrivate).viewer().containers,
            std::vector<std::string>{});
  EXPECT_EQ(access.narrowed("c1", Visibility::kPrivate).viewer().containers,
            std::vector<std::string>{"c1"});
  EXPECT_EQ(access.narrowed(std::nullopt, Visibility::kOwner).viewer().reach,
            Visibility::kContainer);
}

// --- authenticator

TEST(OpenAuthenticatorTest, EveryCallerIsTheLocalOwner) {
  const auto call = *make_open_authenticator()->authenticate({.space = "work"});

  EXPECT_TRUE(call.local_owner);
  EXPECT_TRUE(call.viewer.sees_everything());
  EXPECT_EQ(call.viewer.space.value, "work");
}

TEST(TokenAuthenticatorTest, SaysWhatIsWrongWithATokenByReason) {
  const ManualClock clock(from_micros(1'000'000'000));
  FakeGrants grants;
  grants.add("good-token", {.scopes = {"read"}});
  grants.add("old-token", {.expires_at = from_micros(999'000'000)});
  grants.add("gone-token", {.expires_at = from_micros(1), .revoked_at = from_micros(2)});
  grants.add("agent-key", {.purpose = "agent_key"});
  grants.add("asleep", {}, {.id = PrincipalId{"p"}, .status = PrincipalStatus::kSuspended});
  const auto authenticator = make_token_authenticator(grants, clock);
  const auto reason_for = [&](std::vector<std::string> headers) {
    const auto call = authenticator->authenticate({.authorization = std::move(headers)});
    return call ? "ok" : call.error().reason;
  };

  EXPECT_EQ(reason_for({"Bearer good-token"}), "ok");
  EXPECT_EQ(reason_for({"bEaReR good-token"}), "ok");
  EXPECT_EQ(reason_for({}), reason::kTokenMissing);
  EXPECT_EQ(reason_for({"Basic good-token"}), reason::kTokenMalformed);
  EXPECT_EQ(reason_for({"Bearer a b"}), reason::kTokenMalformed);
  EXPECT_EQ(reason_for({"Bearer good-token", "Bearer good-token"}), reason::kTokenMalformed);
  EXPECT_EQ(reason_for({"Bearer nonsense"}), reason::kTokenUnknown);
  EXPECT_EQ(reason_for({"Bearer agent-key"}), reason::kTokenUnknown);
  EXPECT_EQ(reason_for({"Bearer old-token"}), reason::kTokenExpired);
  EXPECT_EQ(reason_for({"Bearer gone-token"}), reason::kTokenRevoked);
  EXPECT_EQ(reason_for({"Bearer asleep"}), reason::kPrincipalInactive);
}

TEST(TokenAuthenticatorTest, TheLowerOfTokenAndPrincipalCounts) {
  const ManualClock clock(from_micros(0));
  FakeGrants grants;
  grants.add("t",
             {.space = SpaceId{"team"},
              .scopes = {"read"},
              .trust_tier = 3,
              .clearance = Sensitivity::kSensitive},
             {.id = PrincipalId{"p"}, .trust_tier = 1, .clearance = Sensitivity::kNormal});
  const auto authenticator = make_token_authenticator(grants, clock);

  const auto call = *authenticator->authenticate({.authorization = {"Bearer t"}});

  EXPECT_EQ(call.trust_tier, 1);
  EXPECT_EQ(call.viewer.clearance, Sensitivity::kNormal);
  EXPECT_EQ(call.viewer.space.value, "team");
  EXPECT_FALSE(call.viewer.sees_everything());
  EXPECT_EQ(
      authenticator->authenticate({.authorization = {"Bearer t"}, .space = "other"}).error().reason,
      reason::kSpaceFixed);
}

TEST(TokenAuthenticatorTest, TheFoldersOwnSocketNeedsNoToken) {
  const ManualClock clock(from_micros(0));
  const FakeGrants grants;

  EXPECT_TRUE(
      make_token_authenticator(grants, clock)->authenticate({.local_process = true})->local_owner);
}

// --- rate limiter

TEST(RateLimiterTest, NeverMoreThanTheLimitInAnyWindow) {
  ManualClock clock(from_micros(1'000'000'000));
  RateLimiter limiter(clock);
  const RateBudget budget{.limit = 3};

  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limiter.spend("a", budget).allowed);
  const RateState refused = limiter.spend("a", budget);
  EXPECT_FALSE(refused.allowed);
  EXPECT_EQ(refused.retry_after_seconds, 60);
  EXPECT_TRUE(limiter.spend("b", budget).allowed);

  clock.advance(std::chrono::seconds(59));
  EXPECT_FALSE(limiter.spend("a", budget).allowed);
  clock.advance(std::chrono::seconds(1));
  EXPECT_TRUE(limiter.spend("a", budget).allowed);
}

TEST(RateLimiterTest, ABatchIsAdmittedWholeAndChargedForWhatItMade) {
  ManualClock clock(from_micros(0));
  RateLimiter limiter(clock);
  const RateBudget budget{.limit = 10};

  EXPECT_TRUE(limiter.spend("a", budget, /*admit=*/10, /*charge=*/4).allowed);
  EXPECT_FALSE(limiter.spend("a", budget, 7, 7).allowed);
  EXPECT_EQ(limiter.look("a", budget).remaining, 6);
}

TEST(RateLimiterTest, ForgetsIdleBuckets) {
  ManualClock clock(from_micros(0));
  RateLimiter limiter(clock);
  for (int i = 0; i < 30'000; ++i) {
    limiter.spend("bucket" + std::to_string(i), {.limit = 1});
    if (i % 10'000 == 9'999) clock.advance(std::chrono::seconds(61));
  }

  EXPECT_TRUE(limiter.spend("bucket0", {.limit = 1}).allowed);
}

TEST(TokenBucketsTest, ABurstTakesAMinutesTokensAndTheyComeBackOneByOne) {
  ManualClock clock(from_micros(1'000'000'000));
  TokenBuckets buckets(clock);

  for (int i = 0; i < 6; ++i) EXPECT_EQ(buckets.take("a", 6), 0);
  EXPECT_EQ(buckets.take("a", 6), 10);
  EXPECT_EQ(buckets.take("b", 6), 0);

  clock.advance(std::chrono::seconds(4));
  EXPECT_EQ(buckets.take("a", 6), 6);
  clock.advance(std::chrono::seconds(6));
  EXPECT_EQ(buckets.take("a", 6), 0);
  EXPECT_EQ(buckets.take("a", 6), 10);

  clock.advance(std::chrono::hours(1));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(buckets.take("a", 6), 0);
  EXPECT_EQ(buckets.take("a", 6), 10);
}

}  // namespace
}  // namespace holdfast::access
