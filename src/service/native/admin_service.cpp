#include "service/native/admin_service.h"

#include <algorithm>

#include <fmt/format.h>

#include "access/authenticator.h"
#include "access/key_text.h"
#include "base/digest.h"

namespace holdfast::service {
namespace {

using access::AdminAccess;
using storage::WriteTxn;

constexpr size_t kSecretBytes = 24;

std::string new_token_text() { return "hf_" + base64url_encode(random_bytes(kSecretBytes)); }

Result<std::optional<Principal>> find_handle(WriteTxn& txn, const AdminAccess& admin,
                                             const std::string& handle) {
  HOLDFAST_TRY(const auto principals, txn.principals(admin));
  for (const Principal& principal : principals) {
    if (principal.handle == handle) return std::optional(principal);
  }
  return std::optional<Principal>();
}

bool knows(const std::vector<Token>& tokens, const std::string& hash) {
  return std::ranges::any_of(tokens, [&](const Token& token) { return token.hash == hash; });
}

}  // namespace

Result<SpacesResponse> AdminService::spaces(const CallContext& call, const Done&) {
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  const auto admin = gatekeeper_.require_admin(call);
  HOLDFAST_TRY(auto spaces, txn->spaces(admin ? *admin : gatekeeper_.engine_admin()));
  if (!admin) {
    HOLDFAST_CHECK_OK(gatekeeper_.require(call, access::Permission::kRead));
    std::erase_if(spaces,
                  [&](const storage::Space& space) { return space.id != call.viewer.space; });
  }
  return SpacesResponse{.spaces = std::move(spaces)};
}

Result<SpaceRequest> AdminService::create_space(const CallContext& call,
                                                const SpaceRequest& request) {
  HOLDFAST_TRY(const auto admin, gatekeeper_.require_admin(call));
  HOLDFAST_CHECK_OK(access::check_space_name(request.space.value));
  HOLDFAST_CHECK_OK(
      store_.write(call, [&](WriteTxn& txn) { return txn.create_space(admin, request.space); }));
  return request;
}

Result<SpaceRequest> AdminService::erase_space(const CallContext& call,
                                               const SpaceRequest& request) {
  HOLDFAST_TRY(const auto admin, gatekeeper_.require_admin(call));
  if (!store_.space_exists(request.space)) return not_found("space", request.space.value);
  HOLDFAST_CHECK_OK(store_.write(call, [&](WriteTxn& txn) -> Status {
    HOLDFAST_CHECK_OK(txn.erase_space(admin, request.space));
    return {};
  }));
  return request;
}

Result<TokenResponse> AdminService::create_token(const CallContext& call,
                                                 const TokenRequest& request) {
  HOLDFAST_TRY(const auto admin, gatekeeper_.require_admin(call));
  const std::string handle = request.principal.empty() ? request.name : request.principal;
  const Sensitivity clearance = request.sensitive ? Sensitivity::kSensitive : Sensitivity::kNormal;
  if (!request.space.empty() && !store_.space_exists(SpaceId{request.space})) {
    Error error = not_found("space", request.space);
    error.message += fmt::format(" Create it with 'holdfast space create {}'.", request.space);
    return error;
  }
  return storage::write_returning<TokenResponse>(
      store_, call, [&](WriteTxn& txn) -> Result<TokenResponse> {
        HOLDFAST_TRY(auto principal, find_handle(txn, admin, handle));
        if (!principal) {
          principal = Principal{.id = PrincipalId{"principal_" + ids_.next()},
                                .handle = handle,
                                .display_name = handle,
                                .kind = PrincipalKind::kService,
                                .trust_tier = 4,
                                .clearance = clearance,
                                .created_at = txn.now()};
          HOLDFAST_CHECK_OK(txn.put_principal(admin, *principal));
        }
        TokenResponse response{.token = {.id = "token_" + ids_.next(),
                                         .name = request.name,
                                         .principal = principal->id,
                                         .space = SpaceId{request.space},
                                         .scopes = request.scopes,
                                         .clearance = clearance,
                                         .user_id = request.user_id,
                                         .peer_id = request.peer_id,
                                         .created_at = txn.now(),
                                         .expires_at = request.expires_at},
                               .text = new_token_text()};
        response.token.hash = access::token_hash(response.text);
        HOLDFAST_CHECK_OK(txn.put_token(admin, response.token));
        return response;
      });
}

Result<TokenListResponse> AdminService::tokens(const CallContext& call, const Done&) {
  HOLDFAST_TRY(const auto admin, gatekeeper_.require_admin(call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(auto tokens, txn->tokens(admin));
  return TokenListResponse{.tokens = std::move(tokens)};
}

Result<RevokeRequest> AdminService::revoke_token(const CallContext& call,
                                                 const RevokeRequest& request) {
  HOLDFAST_TRY(const auto admin, gatekeeper_.require_admin(call));
  HOLDFAST_CHECK_OK(
      store_.write(call, [&](WriteTxn& txn) { return txn.revoke_token(admin, request.id); }));
  return request;
}

Status AdminService::seed(const CallContext& call, WriteTxn& txn, const Bootstrap& bootstrap) {
  HOLDFAST_TRY(const auto admin, gatekeeper_.require_admin(call));
  HOLDFAST_TRY(auto all, txn.principals(admin));
  HOLDFAST_TRY(const auto known_tokens, txn.tokens(admin));
  const auto find = [&](const PrincipalId& id) {
    return std::ranges::find_if(all,
                                [&](const Principal& principal) { return principal.id == id; });
  };
  for (const Principal& principal : bootstrap.principals) {
    if (find(principal.id) != all.end()) continue;
    HOLDFAST_CHECK_OK(txn.put_principal(admin, principal));
    all.push_back(principal);
  }
  for (const Principal& principal : bootstrap.principals) {
    if (principal.owner.value.empty() || find(principal.owner) != all.end()) continue;
    return invalid_argument(
        fmt::format("the principal '{}' names the owner '{}', who does not exist",
                    principal.id.value, principal.owner.value));
  }
  for (const BootstrapToken& entry : bootstrap.tokens) {
    Token token = entry.token;
    const auto principal = find(token.principal);
    if (principal == all.end()) {
      return invalid_argument(fmt::format("a token names the principal '{}', which does not exist",
                                          token.principal.value));
    }
    token.hash = access::token_hash(entry.text);
    if (knows(known_tokens, token.hash)) continue;
    token.id = "token_" + ids_.next();
    token.trust_tier = principal->trust_tier;
    token.created_at = txn.now();
    if (!token.space.empty()) HOLDFAST_CHECK_OK(txn.create_space(admin, token.space));
    HOLDFAST_CHECK_OK(txn.put_token(admin, token));
  }
  return {};
}

Result<std::optional<std::string>> AdminService::first_token(const CallContext& call) {
  HOLDFAST_TRY(const auto admin, gatekeeper_.require_admin(call));
  return storage::write_returning<std::optional<std::string>>(
      store_, call, [&](WriteTxn& txn) -> Result<std::optional<std::string>> {
        HOLDFAST_TRY(const auto principals, txn.principals(admin));
        if (!principals.empty()) return std::optional<std::string>();
        const Principal owner{.id = PrincipalId{"principal_" + ids_.next()},
                              .handle = "admin",
                              .display_name = "Administrator",
                              .trust_tier = 4,
                              .clearance = Sensitivity::kSensitive,
                              .created_at = txn.now()};
        HOLDFAST_CHECK_OK(txn.put_principal(admin, owner));
        const std::string name = ids_.next();
        const std::string text = access::new_key_text(access::kPersonalToken, name);
        HOLDFAST_CHECK_OK(txn.put_token(admin, {.id = "token_" + name,
                                                .hash = access::token_hash(text),
                                                .name = "bootstrap",
                                                .principal = owner.id,
                                                .scopes = {"admin"},
                                                .clearance = Sensitivity::kSensitive,
                                                .created_at = txn.now()}));
        return std::optional(text);
      });
}

}  // namespace holdfast::service
