// Checking signatures of others (OpenSSL underneath). Numbers and points are raw big-endian bytes,
// as JSON Web Keys give them after Base64.
#pragma once

#include <string_view>

namespace holdfast {

// Each is false for a wrong signature and for a key that is none.

// RSASSA-PKCS1-v1_5 with SHA-256; keys of 2048 bits and more.
bool verify_rs256(std::string_view modulus, std::string_view exponent, std::string_view bytes,
                  std::string_view signature);
// ECDSA on P-256 with SHA-256; the signature is r and s, 32 bytes each.
bool verify_es256(std::string_view x, std::string_view y, std::string_view bytes,
                  std::string_view signature);
bool verify_ed25519(std::string_view public_key, std::string_view bytes,
                    std::string_view signature);

}  // namespace holdfast
