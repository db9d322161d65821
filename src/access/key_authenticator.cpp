#include "access/key_authenticator.h"

#include "access/bearer.h"
#include "base/digest.h"

namespace holdfast::access {
namespace {

constexpr size_t kMaxKeySize = 512;

class KeyAuthenticator : public Authenticator {
 public:
  KeyAuthenticator(std::vector<ApiKey> keys, std::string principal, const Authenticator& otherwise)
      : keys_(std::move(keys)), principal_(std::move(principal)), otherwise_(otherwise) {
    // Hashes have one length, so that comparing them tells nothing about the keys.
    for (ApiKey& key : keys_) key.key = sha256(key.key);
  }

  Result<CallContext> authenticate(const Credentials& credentials) const override {
    const auto sent = credentials.authorization.size() == 1
                          ? bearer_token(credentials.authorization.front(), kMaxKeySize)
                          : std::nullopt;
    const ApiKey* found = sent ? find(sha256(*sent)) : nullptr;
    if (found == nullptr) return otherwise_.authenticate(credentials);
    CallContext call;
    call.principal = PrincipalId{principal_};
    call.scopes = {"read", "write"};
    call.user_id = found->user_id;
    call.viewer.space = credentials.space.empty() ? kDefaultSpace : SpaceId{credentials.space};
    call.viewer.reach = Visibility::kOwner;
    return call;
  }

 private:
  const ApiKey* find(const std::string& hash) const {
    const ApiKey* found = nullptr;
    for (const ApiKey& key : keys_) {
      if (constant_time_equal(key.key, hash)) found = &key;
    }
    return found;
  }

  std::vector<ApiKey> keys_;
  const std::string principal_;
  const Authenticator& otherwise_;
};

}  // namespace

std::unique_ptr<Authenticator> make_key_authenticator(std::vector<ApiKey> keys,
                                                      std::string principal,
                                                      const Authenticator& otherwise) {
  return std::make_unique<KeyAuthenticator>(std::move(keys), std::move(principal), otherwise);
}

}  // namespace holdfast::access
