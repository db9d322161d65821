// What every request asks and only a few writes change, kept in memory: which spaces exist and
// which tokens are known. Filled when the store opens; afterwards the writer publishes what each
// commit changed, before its callers are answered. Thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "access/authenticator.h"
#include "base/mutex.h"
#include "storage/sqlite/spaces.h"

namespace holdfast::storage::sqlite {

class Directory {
 public:
  bool has_space(const SpaceId& space) const { return number_of(space) != 0; }
  // 0 for a space that does not exist.
  SpaceNumber number_of(const SpaceId& space) const;
  // The token with that hash and its principal; nothing if the token, or its principal, is unknown.
  std::optional<access::Grant> find_grant(std::string_view token_hash) const;

  void add_space(const SpaceId& space, SpaceNumber number);
  void remove_space(const SpaceId& space);
  void put_principal(const Principal& principal);
  void put_token(const Token& token);
  void remove_token(const std::string& id);

 private:
  mutable SharedMutex mutex_;
  std::unordered_map<SpaceId, SpaceNumber> spaces_ HOLDFAST_GUARDED_BY(mutex_);
  std::unordered_map<std::string, Token> tokens_ HOLDFAST_GUARDED_BY(mutex_);        // by hash
  std::unordered_map<std::string, std::string> hashes_ HOLDFAST_GUARDED_BY(mutex_);  // by token id
  std::unordered_map<PrincipalId, Principal> principals_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::storage::sqlite
