#include "base/digest.h"

#include <memory>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include "base/assert.h"
#include "base/raw_bytes.h"

namespace holdfast {
namespace {

std::string encode_base64(std::string_view bytes, const char* alphabet, bool pad) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t have = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) group = group << 8 | (j < have ? raw_bytes(bytes)[i + j] : 0U);
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

// Looking an algorithm up costs more than a short text takes.
const EVP_MD* fetched(const char* name) {
  const EVP_MD* const found = EVP_MD_fetch(nullptr, name, nullptr);
  HOLDFAST_ASSERT(found != nullptr);
  return found;
}

struct FreeContext {
  void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
};
using MacContext = std::unique_ptr<EVP_MAC_CTX, FreeContext>;

MacContext hmac_context() {
  EVP_MAC* const mac = EVP_MAC_fetch(nullptr, OSSL_MAC_NAME_HMAC, nullptr);
  MacContext context(EVP_MAC_CTX_new(mac));
  EVP_MAC_free(mac);  // the context holds on to it
  std::string digest = "SHA256";
  const OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
      OSSL_PARAM_construct_end()};
  HOLDFAST_ASSERT(context && EVP_MAC_CTX_set_params(context.get(), params) == 1);
  return context;
}

constexpr char kStandard[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char kUrlSafe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string sha256(std::string_view bytes) {
  static const EVP_MD* const algorithm = fetched("SHA256");
  std::string out(32, '\0');
  unsigned int size = 0;
  const int ok =
      EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(out.data()), &size,
                 algorithm, nullptr);
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
  thread_local const MacContext context = hmac_context();
  // A null pointer would mean the key of the time before.
  const unsigned char* const secret = key.empty() ? raw_bytes("") : raw_bytes(key);
  std::string out(32, '\0');
  size_t size = 0;
  const bool ok = EVP_MAC_init(context.get(), secret, key.size(), nullptr) == 1 &&
                  EVP_MAC_update(context.get(), raw_bytes(bytes), bytes.size()) == 1 &&
                  EVP_MAC_final(context.get(), reinterpret_cast<unsigned char*>(out.data()), &size,
                                out.size()) == 1;
  HOLDFAST_ASSERT(ok && size == out.size());
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
