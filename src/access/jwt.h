// JSON Web Tokens (RFC 7519) in compact form, as far as signatures go.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/value.h"

namespace holdfast::access {

struct Jwt {
  std::string algorithm = {};
  std::string key_id = {};  // empty: not said
  Value claims = {};
  std::string signed_text = {};
  std::string signature = {};
};

// Nothing if it is no JSON Web Token. Nothing about it has been checked.
std::optional<Jwt> read_jwt(std::string_view token);

// Whether a key of the set fits the token, and whether its signature is right.
enum class SignatureCheck { kGood, kBad, kNoSuchKey };
SignatureCheck check_signature(const Jwt& jwt, const Value& key_set);

}  // namespace holdfast::access
