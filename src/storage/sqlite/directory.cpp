#include "storage/sqlite/directory.h"

namespace holdfast::storage::sqlite {

SpaceNumber Directory::number_of(const SpaceId& space) const {
  ReaderLock lock(mutex_);
  const auto found = spaces_.find(space);
  return found == spaces_.end() ? 0 : found->second;
}

std::optional<access::Grant> Directory::find_grant(std::string_view token_hash) const {
  const std::string hash(token_hash);
  ReaderLock lock(mutex_);
  const auto token = tokens_.find(hash);
  if (token == tokens_.end()) return std::nullopt;
  const auto principal = principals_.find(token->second.principal);
  if (principal == principals_.end()) return std::nullopt;
  return access::Grant{.token = token->second, .principal = principal->second};
}

void Directory::add_space(const SpaceId& space, SpaceNumber number) {
  WriterLock lock(mutex_);
  spaces_.insert_or_assign(space, number);
}

void Directory::remove_space(const SpaceId& space) {
  WriterLock lock(mutex_);
  spaces_.erase(space);
}

void Directory::put_principal(const Principal& principal) {
  WriterLock lock(mutex_);
  principals_.insert_or_assign(principal.id, principal);
}

void Directory::put_token(const Token& token) {
  WriterLock lock(mutex_);
  // A token stored again under the same id may have a new hash; the old one must stop working.
  const auto known = hashes_.find(token.id);
  if (known != hashes_.end() && known->second != token.hash) tokens_.erase(known->second);
  hashes_.insert_or_assign(token.id, token.hash);
  tokens_.insert_or_assign(token.hash, token);
}

void Directory::remove_token(const std::string& id) {
  WriterLock lock(mutex_);
  const auto known = hashes_.find(id);
  if (known == hashes_.end()) return;
  tokens_.erase(known->second);
  hashes_.erase(known);
}

}  // namespace holdfast::storage::sqlite
