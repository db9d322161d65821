// Hashes, random bytes and their text forms (OpenSSL underneath).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

// 32 raw bytes.
std::string sha256(std::string_view bytes);
// 20 raw bytes. For identifiers that a published contract defines so; nothing is protected by it.
std::string sha1(std::string_view bytes);
std::string hmac_sha256(std::string_view key, std::string_view bytes);

// From the system's cryptographic source. Ends the process if that source fails.
std::string random_bytes(size_t count);

// The time taken does not depend on where the texts differ.
bool constant_time_equal(std::string_view a, std::string_view b);

std::string to_hex(std::string_view bytes);
std::string base64_encode(std::string_view bytes);     // standard alphabet, padded
std::string base64url_encode(std::string_view bytes);  // URL-safe alphabet, unpadded
// Reads either alphabet, padded or not; nothing if any other character is in it.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace holdfast
