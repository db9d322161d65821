#include "base/signature.h"

#include <memory>
#include <string>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include "base/raw_bytes.h"

namespace holdfast {
namespace {

constexpr int kMinRsaBits = 2048;
constexpr size_t kP256Bytes = 32;

struct Free {
  void operator()(EVP_PKEY* p) const { EVP_PKEY_free(p); }
  void operator()(EVP_PKEY_CTX* p) const { EVP_PKEY_CTX_free(p); }
  void operator()(EVP_MD_CTX* p) const { EVP_MD_CTX_free(p); }
  void operator()(BIGNUM* p) const { BN_free(p); }
  void operator()(OSSL_PARAM_BLD* p) const { OSSL_PARAM_BLD_free(p); }
  void operator()(OSSL_PARAM* p) const { OSSL_PARAM_free(p); }
  void operator()(ECDSA_SIG* p) const { ECDSA_SIG_free(p); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;

Owned<BIGNUM> number(std::string_view bytes) {
  return Owned<BIGNUM>(BN_bin2bn(raw_bytes(bytes), static_cast<int>(bytes.size()), nullptr));
}

Owned<EVP_PKEY> key_of(const char* type, OSSL_PARAM_BLD* builder) {
  const Owned<OSSL_PARAM> parameters(OSSL_PARAM_BLD_to_param(builder));
  const Owned<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1)
    return nullptr;
  return Owned<EVP_PKEY>(key);
}

bool verify(EVP_PKEY* key, const EVP_MD* digest, std::string_view bytes,
            std::string_view signature) {
  const Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
  return key != nullptr && context &&
         EVP_DigestVerifyInit(context.get(), nullptr, digest, nullptr, key) == 1 &&
         EVP_DigestVerify(context.get(), raw_bytes(signature), signature.size(), raw_bytes(bytes),
                          bytes.size()) == 1;
}

// r and s as the DER text that OpenSSL reads.
std::string der_signature(std::string_view signature) {
  const Owned<ECDSA_SIG> parts(ECDSA_SIG_new());
  Owned<BIGNUM> r = number(signature.substr(0, kP256Bytes));
  Owned<BIGNUM> s = number(signature.substr(kP256Bytes));
  if (!parts || !r || !s || ECDSA_SIG_set0(parts.get(), r.get(), s.get()) != 1) return {};
  // Both belong to `parts` now.
  static_cast<void>(r.release());
  static_cast<void>(s.release());
  unsigned char* bytes = nullptr;
  const int size = i2d_ECDSA_SIG(parts.get(), &bytes);
  std::string out;
  if (size > 0) out.assign(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
  OPENSSL_free(bytes);
  return out;
}

}  // namespace

bool verify_rs256(std::string_view modulus, std::string_view exponent, std::string_view bytes,
                  std::string_view signature) {
  const Owned<BIGNUM> n = number(modulus);
  const Owned<BIGNUM> e = number(exponent);
  const Owned<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
  if (!n || !e || !builder || BN_num_bits(n.get()) < kMinRsaBits ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1)
    return false;
  return verify(key_of("RSA", builder.get()).get(), EVP_sha256(), bytes, signature);
}

bool verify_es256(std::string_view x, std::string_view y, std::string_view bytes,
                  std::string_view signature) {
  if (x.size() != kP256Bytes || y.size() != kP256Bytes || signature.size() != 2 * kP256Bytes)
    return false;
  // An uncompressed point.
  const std::string point = '\x04' + std::string(x) + std::string(y);
  const Owned<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
  if (!builder ||
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) != 1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) != 1)
    return false;
  return verify(key_of("EC", builder.get()).get(), EVP_sha256(), bytes, der_signature(signature));
}

bool verify_ed25519(std::string_view public_key, std::string_view bytes,
                    std::string_view signature) {
  const Owned<EVP_PKEY> key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr,
                                                        raw_bytes(public_key), public_key.size()));
  return verify(key.get(), nullptr, bytes, signature);
}

}  // namespace holdfast
