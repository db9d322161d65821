#include "access/authenticator.h"

#include <algorithm>

#include "access/bearer.h"
#include "base/digest.h"

namespace holdfast::access {
namespace {

CallContext local_owner(const Credentials& credentials) {
  CallContext call;
  call.principal = PrincipalId{"local"};
  call.scopes = {"admin"};
  call.trust_tier = 4;
  call.local_owner = true;
  call.local_process = credentials.local_process;
  call.viewer =
      Viewer{.space = credentials.space.empty() ? kDefaultSpace : SpaceId{credentials.space},
             .every_owner = true,
             .reach = Visibility::kOwner,
             .clearance = Sensitivity::kSensitive};
  return call;
}

class OpenAuthenticator : public Authenticator {
 public:
  Result<CallContext> authenticate(const Credentials& credentials) const override {
    return local_owner(credentials);
  }
};

Error unauthenticated(std::string_view why, std::string message) {
  return Error{.code = ErrorCode::kUnauthenticated,
               .reason = std::string(why),
               .message = std::move(message)};
}

Error forbidden(std::string_view why, std::string message) {
  return Error{.code = ErrorCode::kPermissionDenied,
               .reason = std::string(why),
               .message = std::move(message)};
}

class TokenAuthenticator : public Authenticator {
 public:
  TokenAuthenticator(const GrantSource& grants, const Clock& clock)
      : grants_(grants), clock_(clock) {}

  Result<CallContext> authenticate(const Credentials& credentials) const override {
    if (credentials.authorization.empty()) {
      if (credentials.local_process) return local_owner(credentials);
      return unauthenticated(reason::kTokenMissing,
                             "Send a token: 'Authorization: Bearer <token>'.");
    }
    const auto text = credentials.authorization.size() == 1
                          ? bearer_token(credentials.authorization.front(), kMaxTokenSize)
                          : std::nullopt;
    if (!text) {
      return unauthenticated(reason::kTokenMalformed,
                             "The Authorization header must read 'Bearer <token>', once.");
    }
    const std::string hash = token_hash(*text);
    HOLDFAST_TRY(const auto grant, grants_.find_grant(hash));
    // The row was found by its hash through an index; comparing again without early exit keeps
    // timing from telling how much of a guessed hash was right.
    if (!grant || !constant_time_equal(grant->token.hash, hash) ||
        grant->token.purpose != "access") {
      return unauthenticated(reason::kTokenUnknown, "This token is not known here.");
    }
    return check(*grant, credentials.space);
  }

 private:
  Result<CallContext> check(const Grant& grant, const std::string& wanted_space) const {
    const Token& token = grant.token;
    const Principal& principal = grant.principal;
    if (token.revoked_at) return unauthenticated(reason::kTokenRevoked, "This token was revoked.");
    if (token.expires_at && *token.expires_at <= clock_.now()) {
      return unauthenticated(reason::kTokenExpired, "This token has expired.");
    }
    if (principal.status != PrincipalStatus::kActive) {
      return forbidden(reason::kPrincipalInactive, "This principal is not active.");
    }
    if (!token.space.empty() && !wanted_space.empty() && wanted_space != token.space.value) {
      return forbidden(reason::kSpaceFixed,
                       "This token works in one space only; leave X-Holdfast-Space out.");
    }
    return context_of(token, principal, wanted_space);
  }

  static CallContext context_of(const Token& token, const Principal& principal,
                                const std::string& wanted_space) {
    const bool admin = std::ranges::find(token.scopes, "admin") != token.scopes.end();
    CallContext call;
    call.principal = principal.id;
    call.scopes = token.scopes;
    call.trust_tier = std::min(token.trust_tier, principal.trust_tier);
    call.user_id = token.user_id;
    call.peer_id = token.peer_id.empty() ? principal.handle : token.peer_id;
    call.read_namespaces = token.read_namespaces;
    call.write_namespaces = token.write_namespaces;
    call.viewer = Viewer{.space = !token.space.empty()   ? token.space
                                  : wanted_space.empty() ? kDefaultSpace
                                                         : SpaceId{wanted_space},
                         .actor = token.user_id.empty() ? principal.id.value : token.user_id,
                         .every_owner = admin,
                         .reach = Visibility::kOwner,
                         .clearance = std::min(token.clearance, principal.clearance),
                         .compartments = token.compartments};
    return call;
  }

  const GrantSource& grants_;
  const Clock& clock_;
};

}  // namespace

std::unique_ptr<Authenticator> make_open_authenticator() {
  return std::make_unique<OpenAuthenticator>();
}

std::unique_ptr<Authenticator> make_token_authenticator(const GrantSource& grants,
                                                        const Clock& clock) {
  return std::make_unique<TokenAuthenticator>(grants, clock);
}

std::string token_hash(std::string_view token_text) { return sha256(token_text); }

}  // namespace holdfast::access
