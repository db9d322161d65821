#include "base/sha256_stream.h"

#include <openssl/evp.h>

#include "base/assert.h"

namespace holdfast {

struct Sha256::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(),
                                                                  &EVP_MD_CTX_free};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  HOLDFAST_ASSERT(EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  HOLDFAST_ASSERT(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::finish() {
  std::string out(32, '\0');
  unsigned int size = 0;
  HOLDFAST_ASSERT(EVP_DigestFinal_ex(state_->context.get(),
                                     reinterpret_cast<unsigned char*>(out.data()), &size) == 1);
  return out;
}

}  // namespace holdfast
