// Plain API keys beside tokens: for surfaces whose published API knows nothing else.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "access/authenticator.h"

namespace holdfast::access {

struct ApiKey {
  std::string key = {};
  std::string user_id = {};  // the user it stands for; empty: the caller names one
};

// A bearer that is one of the keys is the principal `principal` with the scopes read and write;
// every other credential goes to `otherwise`, which outlives it. Keys are compared in constant
// time.
std::unique_ptr<Authenticator> make_key_authenticator(std::vector<ApiKey> keys,
                                                      std::string principal,
                                                      const Authenticator& otherwise);

}  // namespace holdfast::access
