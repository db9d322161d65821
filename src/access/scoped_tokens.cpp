#include "access/scoped_tokens.h"

#include "access/bearer.h"
#include "base/digest.h"

namespace holdfast::access {
namespace {

class ScopedAuthenticator : public Authenticator {
 public:
  ScopedAuthenticator(std::vector<ScopedToken> tokens, const Authenticator& otherwise)
      : tokens_(std::move(tokens)), otherwise_(otherwise) {
    for (ScopedToken& token : tokens_) token.token = sha256(token.token);
  }

  Result<CallContext> authenticate(const Credentials& credentials) const override {
    const auto sent = credentials.authorization.size() == 1
                          ? bearer_token(credentials.authorization.front(), kMaxTokenSize)
                          : std::nullopt;
    const ScopedToken* found = nullptr;
    const std::string hash = sent ? sha256(*sent) : std::string();
    for (const ScopedToken& token : tokens_) {
      if (sent && constant_time_equal(token.token, hash)) found = &token;
    }
    if (found == nullptr) return otherwise_.authenticate(credentials);
    CallContext call;
    call.principal = PrincipalId{found->peer_id};
    call.peer_id = found->peer_id;
    call.scopes = found->scopes;
    call.viewer.space = credentials.space.empty() ? kDefaultSpace : SpaceId{credentials.space};
    call.viewer.actor = found->peer_id;
    return call;
  }

 private:
  std::vector<ScopedToken> tokens_;
  const Authenticator& otherwise_;
};

}  // namespace

std::unique_ptr<Authenticator> make_scoped_authenticator(std::vector<ScopedToken> tokens,
                                                         const Authenticator& otherwise) {
  return std::make_unique<ScopedAuthenticator>(std::move(tokens), otherwise);
}

}  // namespace holdfast::access
