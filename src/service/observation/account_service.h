// Principals and their keys. Thread-safe. What writes takes the Mutation of the write it is part
// of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/clock.h"
#include "base/ids.h"
#include "base/result.h"
#include "model/call_context.h"
#include "model/noun.h"
#include "service/observation/people.h"
#include "service/observation/visit.h"
#include "storage/store.h"

namespace holdfast::service::observation {

// A key as its owner sees it afterwards; the text is shown once and kept nowhere.
struct ApiKey {
  std::string id = {};
  std::string name = {};
  std::string type = {};  // pat, agent_key
  std::string principal_id = {};
  std::vector<std::string> scopes = {};
  std::optional<std::vector<std::string>> subcortex_scope = {};  // nothing: all
  Sensitivity clearance = Sensitivity::kNormal;
  std::optional<Timestamp> expires_at = {};
  std::string preview = {};
  Timestamp created_at = {};
};
const Noun<ApiKey>& api_key_noun();

struct NewKey {
  ApiKey key = {};
  std::string text = {};
};

struct MintRequest {
  std::string agent_key = {};
  std::optional<std::vector<std::string>> scopes = {};  // nothing: all that the key has
};
struct MintedToken {
  std::string text = {};
  PrincipalCard principal = {};
  std::vector<std::string> scopes = {};
  std::optional<std::vector<std::string>> subcortex_scope = {};
  std::chrono::seconds lifetime{3600};
};

struct PrincipalChange {
  std::optional<int> trust_tier = {};
  std::optional<PrincipalStatus> status = {};
};

struct AccountParts {
  storage::Store& store;
  const access::Gatekeeper& gatekeeper;
  UlidGenerator& ids;
  const Clock& clock;
};

class AccountService {
 public:
  explicit AccountService(const AccountParts& parts) : parts_(parts) {}

  // An hour's token for an agent key. Errors: kUnauthenticated (agent_key_invalid, token_expired),
  // kPermissionDenied (scope, inactive principal).
  Result<MintedToken> mint(const CallContext& call, const MintRequest& request);

  // Rights of the new key are never above the caller's. Errors: kPermissionDenied, and
  // kInvalidArgument for a principal that does not exist.
  Result<NewKey> create_key(Mutation& mutation, ApiKey wanted);
  // With every token that was minted from it. Own keys, or an administrator's act. Errors:
  // kNotFound, kPermissionDenied.
  Status revoke_key(Mutation& mutation, const std::string& id);
  // kNotFound also for keys of others, unless an administrator asks.
  Result<ApiKey> key(const CallContext& call, const std::string& id) const;

  // kAlreadyExists for a handle that is taken.
  Result<Principal> create_principal(Mutation& mutation, Principal principal);
  Result<Principal> change_principal(Mutation& mutation, const std::string& id,
                                     const PrincipalChange& change);
  Result<Principal> principal(const CallContext& call, const std::string& id) const;

 private:
  const AccountParts parts_;
};

}  // namespace holdfast::service::observation
