// Tokens from a setting, each a peer with its own scopes: for surfaces whose published API brings
// them that way.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "access/authenticator.h"

namespace holdfast::access {

struct ScopedToken {
  std::string token = {};
  std::string peer_id = {};
  std::vector<std::string> scopes = {};
};

// A bearer that is one of the tokens is that peer; every other credential goes to `otherwise`,
// which outlives it. Tokens are compared in constant time.
std::unique_ptr<Authenticator> make_scoped_authenticator(std::vector<ScopedToken> tokens,
                                                         const Authenticator& otherwise);

}  // namespace holdfast::access
