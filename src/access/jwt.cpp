#include "access/jwt.h"

#include "base/digest.h"
#include "base/signature.h"
#include "model/json_text.h"

namespace holdfast::access {
namespace {

std::string text_of(const Value& object, std::string_view name) {
  const Value* member = object.find(name);
  return member != nullptr && member->is_string() ? *member->if_string() : std::string();
}

std::string bytes_of(const Value& object, std::string_view name) {
  return base64_decode(text_of(object, name)).value_or("");
}

std::optional<Value> read_part(std::string_view part) {
  const auto bytes = base64_decode(part);
  if (!bytes) return std::nullopt;
  auto value = parse_json(*bytes);
  if (!value || !value->is_object()) return std::nullopt;
  return std::move(*value);
}

bool fits(const Jwt& jwt, const Value& key) {
  const std::string use = text_of(key, "use");
  const std::string algorithm = text_of(key, "alg");
  if (!use.empty() && use != "sig") return false;
  if (!algorithm.empty() && algorithm != jwt.algorithm) return false;
  if (!jwt.key_id.empty() && text_of(key, "kid") != jwt.key_id) return false;
  const std::string type = text_of(key, "kty");
  if (jwt.algorithm == "RS256") return type == "RSA";
  if (jwt.algorithm == "ES256") return type == "EC" && text_of(key, "crv") == "P-256";
  if (jwt.algorithm == "EdDSA") return type == "OKP" && text_of(key, "crv") == "Ed25519";
  return false;
}

bool verify(const Jwt& jwt, const Value& key) {
  if (jwt.algorithm == "RS256") {
    return verify_rs256(bytes_of(key, "n"), bytes_of(key, "e"), jwt.signed_text, jwt.signature);
  }
  if (jwt.algorithm == "ES256") {
    return verify_es256(bytes_of(key, "x"), bytes_of(key, "y"), jwt.signed_text, jwt.signature);
  }
  return verify_ed25519(bytes_of(key, "x"), jwt.signed_text, jwt.signature);
}

}  // namespace

std::optional<Jwt> read_jwt(std::string_view token) {
  const size_t first = token.find('.');
  const size_t second = first != std::string_view::npos ? token.find('.', first + 1) : first;
  if (second == std::string_view::npos || token.find('.', second + 1) != std::string_view::npos)
    return std::nullopt;
  const auto header = read_part(token.substr(0, first));
  auto claims = read_part(token.substr(first + 1, second - first - 1));
  auto signature = base64_decode(token.substr(second + 1));
  if (!header || !claims || !signature) return std::nullopt;
  return Jwt{.algorithm = text_of(*header, "alg"),
             .key_id = text_of(*header, "kid"),
             .claims = std::move(*claims),
             .signed_text = std::string(token.substr(0, second)),
             .signature = std::move(*signature)};
}

SignatureCheck check_signature(const Jwt& jwt, const Value& key_set) {
  const Value* keys = key_set.find("keys");
  SignatureCheck result = SignatureCheck::kNoSuchKey;
  if (keys == nullptr || !keys->is_array()) return result;
  for (const Value& key : *keys->if_array()) {
    if (!fits(jwt, key)) continue;
    if (verify(jwt, key)) return SignatureCheck::kGood;
    result = SignatureCheck::kBad;
  }
  return result;
}

}  // namespace holdfast::access
