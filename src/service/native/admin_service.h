// Spaces, principals and tokens.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/clock.h"
#include "base/ids.h"
#include "base/result.h"
#include "model/call_context.h"
#include "model/principal.h"
#include "storage/store.h"

namespace holdfast::service {

struct SpacesResponse {
  std::vector<storage::Space> spaces = {};
};
struct SpaceRequest {
  SpaceId space = {};
};

struct TokenRequest {
  std::string name = {};       // a label for people
  std::string principal = {};  // its handle; empty: the token's name, made if it does not exist
  std::vector<std::string> scopes = {"read", "write"};
  std::string space = {};  // empty: the caller chooses
  std::optional<Timestamp> expires_at = std::nullopt;
  std::string user_id = {};
  std::string peer_id = {};
  bool sensitive = false;  // may see sensitive objects
};
struct TokenResponse {
  Token token = {};
  std::string text = {};  // shown this once
};
struct TokenListResponse {
  std::vector<Token> tokens = {};
};
struct RevokeRequest {
  std::string id = {};
};

// What --bootstrap seeds. Known ids and tokens are left as they are.
struct BootstrapToken {
  std::string text = {};
  Token token = {};
};
struct Bootstrap {
  std::vector<Principal> principals = {};
  std::vector<BootstrapToken> tokens = {};
};

struct Done {};

// Every call but spaces() needs the scope `admin`. Thread-safe.
class AdminService {
 public:
  AdminService(storage::Store& store, const access::Gatekeeper& gatekeeper, UlidGenerator& ids)
      : store_(store), gatekeeper_(gatekeeper), ids_(ids) {}

  // All spaces for an administrator; otherwise the caller's own.
  Result<SpacesResponse> spaces(const CallContext& call, const Done& none);
  // Making one that exists is fine. kInvalidArgument for an impossible name.
  Result<SpaceRequest> create_space(const CallContext& call, const SpaceRequest& request);
  // Erases everything in it. The default space is emptied, and stays.
  Result<SpaceRequest> erase_space(const CallContext& call, const SpaceRequest& request);

  Result<TokenResponse> create_token(const CallContext& call, const TokenRequest& request);
  Result<TokenListResponse> tokens(const CallContext& call, const Done& none);
  Result<RevokeRequest> revoke_token(const CallContext& call, const RevokeRequest& request);

  // Adds what is not there yet, as a part of the write. kInvalidArgument names the entry that is
  // wrong.
  Status seed(const CallContext& call, storage::WriteTxn& txn, const Bootstrap& bootstrap);
  // If there is no principal at all: makes the human `admin` with one personal token and
  // returns its text.
  Result<std::optional<std::string>> first_token(const CallContext& call);

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  UlidGenerator& ids_;
};

}  // namespace holdfast::service
