#include "base/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "base/assert.h"

namespace holdfast {
namespace {

const unsigned char* raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

std::string encode_base64(std::string_view bytes, const char* alphabet, bool pad) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t have = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) group = group << 8 | (j < have ? raw(bytes)[i + j] : 0U);
    for (size_t j = 0; j < have + 1; ++j) text += alphabet[group >> (18 - 6 * j) & 63];
    if (pad) text.append(3 - have, '=');
  }
  return text;
}

int sextet(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

constexpr char kStandard[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char kUrlSafe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string sha256(std::string_view bytes) {
  std::string out(32, '\0');
  unsigned int size = 0;
  const int ok =
      EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(out.data()), &size,
                 EVP_sha256(), nullptr);
  HOLDFAST_ASSERT(ok == 1 && size == out.size());
  return out;
}

std::string sha1(std::string_view bytes) {
  std::string out(20, '\0');
  unsigned int size = 0;
  const int ok =
      EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(out.data()), &size,
                 EVP_sha1(), nullptr);
  HOLDFAST_ASSERT(ok == 1 && size == out.size());
  return out;
}

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  std::string out(32, '\0');
  unsigned int size = 0;
  const auto* done = HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), raw(bytes),
                          bytes.size(), reinterpret_cast<unsigned char*>(out.data()), &size);
  HOLDFAST_ASSERT(done != nullptr && size == out.size());
  return out;
}

std::string random_bytes(size_t count) {
  std::string out(count, '\0');
  HOLDFAST_ASSERT(
      RAND_bytes(reinterpret_cast<unsigned char*>(out.data()), static_cast<int>(count)) == 1);
  return out;
}

bool constant_time_equal(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string to_hex(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string base64_encode(std::string_view bytes) { return encode_base64(bytes, kStandard, true); }
std::string base64url_encode(std::string_view bytes) {
  return encode_base64(bytes, kUrlSafe, false);
}

std::optional<std::string> base64_decode(std::string_view text) {
  for (int pads = 0; pads < 2 && !text.empty() && text.back() == '='; ++pads) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const int value = sextet(c);
    if (value < 0) return std::nullopt;
    group = group << 6 | static_cast<uint32_t>(value);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(group >> bits & 0xff);
    }
  }
  return bytes;
}

}  // namespace holdfast
