// Access tokens of an OAuth authorization server, beside the server's own: JSON Web Tokens (RFC
// 9068) signed with a key of the issuer, made for this resource and not expired.
#pragma once

#include <memory>
#include <string>

#include "access/authenticator.h"
#include "base/clock.h"
#include "model/value.h"

namespace holdfast::access {

// Where the issuer's public keys come from: a JSON Web Key Set (RFC 7517). Thread-safe.
class KeySource {
 public:
  virtual ~KeySource() = default;
  // The set as it was last read. `again`: a key was missing in it, so read anew, unless that was
  // done a moment ago.
  virtual Result<Value> keys(bool again) = 0;
};

struct OAuthRules {
  std::string issuer;    // must be `iss`
  std::string resource;  // must be among `aud`
};

// Tokens that are no JSON Web Tokens go to `own`. Signatures: RS256, ES256, EdDSA (Ed25519). The
// principal is `oauth:` and the token's subject; its rights are the token's scopes, of which
// `admin` includes `write` and `write` includes `read`. Everything outlives the result.
std::unique_ptr<Authenticator> make_oauth_authenticator(const Authenticator& own, KeySource& keys,
                                                        OAuthRules rules, const Clock& clock);

}  // namespace holdfast::access
