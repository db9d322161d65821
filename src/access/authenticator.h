// From the credential of a request to the CallContext that the rest of the program sees.
// Thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/call_context.h"
#include "model/principal.h"

namespace holdfast::access {

namespace reason {
inline constexpr std::string_view kTokenMissing = "token_missing";
inline constexpr std::string_view kTokenMalformed = "token_malformed";
inline constexpr std::string_view kTokenUnknown = "token_unknown";
inline constexpr std::string_view kTokenExpired = "token_expired";
inline constexpr std::string_view kTokenRevoked = "token_revoked";
inline constexpr std::string_view kPrincipalInactive = "principal_inactive";
inline constexpr std::string_view kSpaceFixed = "space_fixed";
}  // namespace reason

// What a request says about its sender.
struct Credentials {
  std::vector<std::string> authorization = {};  // every Authorization header, in order
  std::string space = {};                       // the header X-Holdfast-Space; empty if absent
  bool local_process = false;                   // came through the data folder's own socket
};

struct Grant {
  Token token = {};
  Principal principal = {};
};

// Where tokens are looked up. Implemented by storage.
class GrantSource {
 public:
  virtual ~GrantSource() = default;
  // The token with that hash, living or not, with its principal; nothing if unknown.
  virtual Result<std::optional<Grant>> find_grant(std::string_view token_hash) const = 0;
};

class Authenticator {
 public:
  virtual ~Authenticator() = default;
  // Errors: kUnauthenticated with a token_* reason; kPermissionDenied for an inactive principal or
  // another space than the token's.
  virtual Result<CallContext> authenticate(const Credentials& credentials) const = 0;
};

// --auth off: every caller is the local owner.
std::unique_ptr<Authenticator> make_open_authenticator();
// --auth tokens. The socket of the data folder is reachable only by the folder's owner and needs no
// token.
std::unique_ptr<Authenticator> make_token_authenticator(const GrantSource& grants,
                                                        const Clock& clock);

// The hash under which a token is stored.
std::string token_hash(std::string_view token_text);

}  // namespace holdfast::access
