#include "service/observation/account_service.h"

#include <algorithm>

#include "access/authenticator.h"
#include "access/key_text.h"
#include "base/digest.h"
#include "service/observation/failure.h"

namespace holdfast::service::observation {
namespace {

constexpr std::chrono::hours kLongestPat{24 * 365};
constexpr size_t kSecretBytes = 20;
// For so long an access token that expired is told from one that never was. Each new one sweeps
// some of those that are older, so they do not gather.
constexpr std::chrono::hours kExpiredIsKnown{24};
constexpr size_t kSwept = 10;
constexpr size_t kPreview = 12;

bool covers(const std::vector<std::string>& have, const std::string& scope) {
  return std::ranges::any_of(
      have, [&](const std::string& one) { return one == scope || one == "admin"; });
}

Error bad_key(std::string_view why, std::string message) {
  return Error{.code = ErrorCode::kUnauthenticated,
               .reason = std::string(why),
               .message = std::move(message)};
}

Projection project_key(const ApiKey&) { return {}; }

// Whether a list of subcortexes lies within what the caller may see itself.
bool within(const std::optional<std::vector<std::string>>& wanted,
            const std::optional<std::vector<std::string>>& allowed) {
  if (!allowed) return true;
  return wanted && std::ranges::all_of(*wanted, [&](const std::string& slug) {
           return std::ranges::find(*allowed, slug) != allowed->end();
         });
}

bool may_handle(const Visit& visit, const ApiKey& key) {
  return visit.is_administrator() || key.principal_id == visit.call().principal.value;
}

Status check_rights(const CallContext& call, const ApiKey& wanted) {
  for (const std::string& scope : wanted.scopes) {
    if (!call.has_scope(scope)) return scope_required(scope);
  }
  if (wanted.clearance > call.viewer.clearance)
    return denied(reason::kClearance, "A key has no more clearance than whoever makes it.");
  if (!within(wanted.subcortex_scope, call.viewer.compartments))
    return denied(reason::kSubcortexDenied, "A key reaches no further than whoever makes it.");
  return {};
}

}  // namespace

const Noun<ApiKey>& api_key_noun() {
  static const Codec<ApiKey> codec = Codec<ApiKey>()
                                         .field("id", &ApiKey::id)
                                         .field("name", &ApiKey::name)
                                         .field("type", &ApiKey::type)
                                         .field("principal_id", &ApiKey::principal_id)
                                         .field("scopes", &ApiKey::scopes)
                                         .field("subcortex_scope", &ApiKey::subcortex_scope)
                                         .field("clearance", &ApiKey::clearance)
                                         .field("expires_at", &ApiKey::expires_at)
                                         .field("preview", &ApiKey::preview)
                                         .field("created_at", &ApiKey::created_at);
  static const Noun<ApiKey> noun{.kind = "api_key", .codec = codec, .project = project_key};
  return noun;
}

Result<MintedToken> AccountService::mint(const CallContext& call, const MintRequest& request) {
  HOLDFAST_TRY(const auto grant, parts_.store.find_grant(access::token_hash(request.agent_key)));
  const bool usable = grant && grant->token.purpose == "agent_key" && !grant->token.revoked_at;
  if (!usable) return bad_key(reason::kAgentKey, "This agent key is not known here.");
  const Token& key = grant->token;
  if (key.expires_at && *key.expires_at <= parts_.clock.now())
    return bad_key(access::reason::kTokenExpired, "This agent key has expired.");
  if (grant->principal.status != PrincipalStatus::kActive) {
    return denied(access::reason::kPrincipalInactive, "This principal is not active.");
  }
  MintedToken minted{.text = "ctx_at_" + base64url_encode(random_bytes(kSecretBytes)),
                     .principal = card_of(grant->principal),
                     .scopes = request.scopes.value_or(key.scopes),
                     .subcortex_scope = key.compartments};
  for (const std::string& scope : minted.scopes) {
    if (!covers(key.scopes, scope)) return scope_required(scope);
  }
  HOLDFAST_CHECK_OK(parts_.store.write(call, [&](storage::WriteTxn& txn) -> Status {
    Token token = key;
    token.id = "token_" + parts_.ids.next();
    token.hash = access::token_hash(minted.text);
    token.scopes = minted.scopes;
    token.trust_tier = grant->principal.trust_tier;  // it is issued now, whenever the key was made
    token.purpose = "access";
    token.parent = key.id;
    token.created_at = txn.now();
    token.expires_at = txn.now() + minted.lifetime;
    const access::AdminAccess admin = parts_.gatekeeper.engine_admin();
    HOLDFAST_CHECK_OK(txn.sweep_minted_tokens(admin, key.id, txn.now() - kExpiredIsKnown, kSwept));
    return txn.put_token(admin, token);
  }));
  return minted;
}

Result<NewKey> AccountService::create_key(Mutation& mutation, ApiKey wanted) {
  const CallContext& call = mutation.call();
  const bool pat = wanted.type == "pat";
  HOLDFAST_CHECK_OK(check_rights(call, wanted));
  if (wanted.principal_id.empty()) wanted.principal_id = call.principal.value;
  if (wanted.principal_id != call.principal.value && !mutation.is_administrator())
    return tier_required(kAdministrator, call.trust_tier);
  const auto owner =
      mutation.txn().principal(parts_.gatekeeper.engine_admin(), PrincipalId{wanted.principal_id});
  if (!owner) return bad_reference("principal_id", "There is no such principal.");
  const Timestamp latest = mutation.now() + kLongestPat;
  if (pat && !wanted.expires_at) wanted.expires_at = latest;
  if (pat && *wanted.expires_at > latest) {
    return invalid_argument("A personal access token lives a year at most.",
                            {body_issue({member("expires_at")}, "range_max")});
  }
  const std::string name = parts_.ids.next();
  const std::string text =
      access::new_key_text(pat ? access::kPersonalToken : access::kAgentKey, name);
  wanted.id = "apikey_" + name;
  wanted.preview = text.substr(0, kPreview) + "...";
  wanted.created_at = mutation.now();
  HOLDFAST_CHECK_OK(mutation.write().put_token(
      parts_.gatekeeper.engine_admin(),
      {.id = wanted.id,
       .hash = access::token_hash(text),
       .name = wanted.name,
       .principal = owner->id,
       .space = call.viewer.space == kDefaultSpace ? SpaceId{} : call.viewer.space,
       .scopes = wanted.scopes,
       .trust_tier = std::min(call.trust_tier, owner->trust_tier),
       .clearance = wanted.clearance,
       .compartments = wanted.subcortex_scope,
       .purpose = pat ? "access" : "agent_key",
       .created_at = wanted.created_at,
       .expires_at = wanted.expires_at}));
  HOLDFAST_CHECK_OK(mutation.put(api_key_noun(), wanted.id, wanted,
                                 {.visibility = Visibility::kOwner, .owner = wanted.principal_id}));
  return NewKey{.key = std::move(wanted), .text = text};
}

Status AccountService::revoke_key(Mutation& mutation, const std::string& id) {
  HOLDFAST_TRY(const auto key, mutation.find(api_key_noun(), id));
  if (!key) return not_found("key", id);
  if (!may_handle(mutation, *key))
    return denied(reason::kOwnership, "Only whoever a key belongs to may revoke it.");
  HOLDFAST_CHECK_OK(mutation.write().revoke_token(parts_.gatekeeper.engine_admin(), id));
  return mutation.write().remove(mutation.everything(), {.kind = api_key_noun().kind, .id = id},
                                 "");
}

Result<ApiKey> AccountService::key(const CallContext& call, const std::string& id) const {
  HOLDFAST_TRY(const auto txn, parts_.store.begin_read(call.deadline));
  HOLDFAST_TRY(const Visit visit, Visit::begin(call, *txn, parts_.gatekeeper));
  HOLDFAST_TRY(auto key, visit.find(api_key_noun(), id));
  if (!key || !may_handle(visit, *key)) return not_found("key", id);
  return std::move(*key);
}

Result<Principal> AccountService::create_principal(Mutation& mutation, Principal principal) {
  const access::AdminAccess admin = parts_.gatekeeper.engine_admin();
  if (!principal.owner.empty() && !mutation.txn().principal(admin, principal.owner))
    return bad_reference("owner_id", "There is no such principal.");
  principal.id = PrincipalId{"principal_" + parts_.ids.next()};
  principal.created_at = mutation.now();
  const Status stored = mutation.write().put_principal(admin, principal);
  if (!stored && stored.error().reason == storage::reason::kHandleTaken) {
    return Error{.code = ErrorCode::kAlreadyExists,
                 .reason = std::string(reason::kDuplicate),
                 .message = "This handle is taken."};
  }
  if (!stored) return stored.error();
  return principal;
}

Result<Principal> AccountService::change_principal(Mutation& mutation, const std::string& id,
                                                   const PrincipalChange& change) {
  const access::AdminAccess admin = parts_.gatekeeper.engine_admin();
  HOLDFAST_TRY(Principal principal, mutation.txn().principal(admin, PrincipalId{id}));
  if (change.trust_tier) principal.trust_tier = *change.trust_tier;
  if (change.status) principal.status = *change.status;
  HOLDFAST_CHECK_OK(mutation.write().put_principal(admin, principal));
  return principal;
}

Result<Principal> AccountService::principal(const CallContext& call, const std::string& id) const {
  HOLDFAST_TRY(const auto txn, parts_.store.begin_read(call.deadline));
  return txn->principal(parts_.gatekeeper.engine_admin(), PrincipalId{id});
}

}  // namespace holdfast::service::observation
