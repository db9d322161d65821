#include "access/oauth_authenticator.h"

#include <algorithm>

#include "access/bearer.h"
#include "access/jwt.h"

namespace holdfast::access {
namespace {

constexpr size_t kMaxJwtSize = 8192;
// Between clocks of different machines.
constexpr std::chrono::seconds kSkew{30};

Error refused(std::string_view why, std::string message) {
  return Error{.code = ErrorCode::kUnauthenticated,
               .reason = std::string(why),
               .message = std::move(message)};
}

const Value* claim(const Jwt& jwt, std::string_view name) { return jwt.claims.find(name); }

std::optional<Timestamp> time_claim(const Jwt& jwt, std::string_view name) {
  const Value* value = claim(jwt, name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  const double seconds = value->to_double();
  // Far outside of any token's life, and safe to turn into microseconds.
  if (!(seconds > -1e11 && seconds < 1e11)) return std::nullopt;
  return from_micros(static_cast<int64_t>(seconds) * 1'000'000);
}

bool is_for(const Jwt& jwt, const std::string& resource) {
  const Value* audience = claim(jwt, "aud");
  if (audience == nullptr) return false;
  if (audience->is_string()) return *audience->if_string() == resource;
  const auto* list = audience->if_array();
  return list != nullptr && std::ranges::find(*list, Value(resource)) != list->end();
}

std::vector<std::string> scopes_of(const Jwt& jwt) {
  std::vector<std::string> scopes;
  const Value* value = claim(jwt, "scope");
  std::string_view rest;
  if (value != nullptr && value->is_string()) rest = *value->if_string();
  while (!rest.empty()) {
    const size_t space = rest.find(' ');
    if (space != 0) scopes.emplace_back(rest.substr(0, space));
    rest.remove_prefix(space == std::string_view::npos ? rest.size() : space + 1);
  }
  const auto has = [&](std::string_view scope) {
    return std::ranges::find(scopes, scope) != scopes.end();
  };
  if (has("write") && !has("read")) scopes.emplace_back("read");
  return scopes;
}

class OAuthAuthenticator : public Authenticator {
 public:
  OAuthAuthenticator(const Authenticator& own, KeySource& keys, OAuthRules rules,
                     const Clock& clock)
      : own_(own), keys_(keys), rules_(std::move(rules)), clock_(clock) {}

  Result<CallContext> authenticate(const Credentials& credentials) const override {
    const auto token = credentials.authorization.size() == 1
                           ? bearer_token(credentials.authorization.front(), kMaxJwtSize)
                           : std::nullopt;
    const auto jwt = token ? read_jwt(*token) : std::nullopt;
    if (!jwt) return own_.authenticate(credentials);
    HOLDFAST_CHECK_OK(check(*jwt));
    return context_of(*jwt, credentials.space);
  }

 private:
  // Signature first: nothing that anybody could have written is believed.
  Status check(const Jwt& jwt) const {
    SignatureCheck signature = SignatureCheck::kNoSuchKey;
    for (const bool again : {false, true}) {
      HOLDFAST_TRY(const Value keys, keys_.keys(again));
      signature = check_signature(jwt, keys);
      if (signature != SignatureCheck::kNoSuchKey) break;
    }
    if (signature != SignatureCheck::kGood)
      return refused(reason::kTokenUnknown, "This token is not signed by the issuer.");
    const Value* issuer = claim(jwt, "iss");
    if (issuer == nullptr || *issuer != Value(rules_.issuer))
      return refused(reason::kTokenUnknown, "This token is of another issuer.");
    if (!is_for(jwt, rules_.resource))
      return refused(reason::kTokenUnknown, "This token was made for another resource.");
    const auto ends = time_claim(jwt, "exp");
    if (!ends || *ends + kSkew <= clock_.now())
      return refused(reason::kTokenExpired, "This token has expired.");
    const auto begins = time_claim(jwt, "nbf");
    if (begins && *begins - kSkew > clock_.now())
      return refused(reason::kTokenExpired, "This token is not valid yet.");
    return {};
  }

  Result<CallContext> context_of(const Jwt& jwt, const std::string& space) const {
    const Value* subject = claim(jwt, "sub");
    if (subject == nullptr || !subject->is_string() || subject->if_string()->empty())
      return refused(reason::kTokenUnknown, "This token names no subject.");
    CallContext call;
    call.principal = PrincipalId{"oauth:" + *subject->if_string()};
    call.scopes = scopes_of(jwt);
    call.trust_tier = 1;
    const bool admin = std::ranges::find(call.scopes, "admin") != call.scopes.end();
    call.viewer = Viewer{.space = space.empty() ? kDefaultSpace : SpaceId{space},
                         .actor = call.principal.value,
                         .every_owner = admin,
                         .reach = Visibility::kOwner};
    return call;
  }

  const Authenticator& own_;
  KeySource& keys_;
  const OAuthRules rules_;
  const Clock& clock_;
};

}  // namespace

std::unique_ptr<Authenticator> make_oauth_authenticator(const Authenticator& own, KeySource& keys,
                                                        OAuthRules rules, const Clock& clock) {
  return std::make_unique<OAuthAuthenticator>(own, keys, std::move(rules), clock);
}

}  // namespace holdfast::access
