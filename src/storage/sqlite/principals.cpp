#include "storage/sqlite/principals.h"

#include <fmt/format.h>

#include "storage/sqlite/object_row.h"
#include "storage/store.h"

namespace holdfast::storage::sqlite {
namespace {

#define HOLDFAST_PRINCIPAL_COLUMNS \
  "id, handle, display_name, kind, status, trust_tier, clearance, owner, created_at"
#define HOLDFAST_TOKEN_COLUMNS                                                               \
  "id, hash, name, principal, space, scopes, trust_tier, clearance, compartments, user_id, " \
  "peer_id, "                                                                                \
  "read_namespaces, write_namespaces, purpose, parent, created_at, expires_at, revoked_at"

constexpr char kFindPrincipal[] =
    "SELECT " HOLDFAST_PRINCIPAL_COLUMNS " FROM principals WHERE id = ?1";
constexpr char kListPrincipals[] =
    "SELECT " HOLDFAST_PRINCIPAL_COLUMNS " FROM principals ORDER BY id";
constexpr char kHandleOwner[] = "SELECT 1 FROM principals WHERE handle = ?1 AND id <> ?2";
constexpr char kPutPrincipal[] = "INSERT OR REPLACE INTO principals (" HOLDFAST_PRINCIPAL_COLUMNS
                                 ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

constexpr char kListTokens[] =
    "SELECT " HOLDFAST_TOKEN_COLUMNS " FROM tokens ORDER BY created_at, id";
constexpr char kFindToken[] = "SELECT " HOLDFAST_TOKEN_COLUMNS " FROM tokens WHERE id = ?1";
constexpr char kHashOwner[] = "SELECT 1 FROM tokens WHERE hash = ?1 AND id <> ?2";
constexpr char kPutToken[] =
    "INSERT OR REPLACE INTO tokens (" HOLDFAST_TOKEN_COLUMNS
    ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)";
constexpr char kFamily[] =
    "WITH RECURSIVE family(id) AS (SELECT id FROM tokens WHERE id = ?1 "
    "UNION SELECT t.id FROM tokens t JOIN family f ON t.parent = f.id) SELECT id FROM family";
constexpr char kExpiredTokens[] =
    "SELECT id FROM tokens WHERE parent = ?1 AND expires_at < ?2 "
    "AND NOT EXISTS (SELECT 1 FROM tokens child WHERE child.parent = tokens.id) LIMIT ?3";
constexpr char kDeleteToken[] = "DELETE FROM tokens WHERE id = ?1";
constexpr char kRevoke[] = "UPDATE tokens SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL";

Principal read_principal(const Row& row) {
  return Principal{.id = PrincipalId{row.text(0)},
                   .handle = row.text(1),
                   .display_name = row.text(2),
                   .kind = static_cast<PrincipalKind>(row.number(3)),
                   .status = static_cast<PrincipalStatus>(row.number(4)),
                   .trust_tier = row.number(5),
                   .clearance = static_cast<Sensitivity>(row.number(6)),
                   .owner = PrincipalId{row.text(7)},
                   .created_at = row.time(8)};
}

Token read_token(const Row& row) {
  Token token{.id = row.text(0),
              .hash = row.text(1),
              .name = row.text(2),
              .principal = PrincipalId{row.text(3)},
              .space = SpaceId{row.text(4)},
              .scopes = read_list(row.bytes(5)),
              .trust_tier = row.number(6),
              .clearance = static_cast<Sensitivity>(row.number(7)),
              .user_id = row.text(9),
              .peer_id = row.text(10),
              .read_namespaces = read_list(row.bytes(11)),
              .write_namespaces = read_list(row.bytes(12)),
              .purpose = row.text(13),
              .parent = row.text(14),
              .created_at = row.time(15),
              .expires_at = row.optional_time(16),
              .revoked_at = row.optional_time(17)};
  if (!row.is_null(8)) token.compartments = read_list(row.bytes(8));
  return token;
}

Error taken(std::string_view reason, std::string message) {
  return Error{.code = ErrorCode::kAlreadyExists,
               .reason = std::string(reason),
               .message = std::move(message)};
}

}  // namespace

Result<std::optional<Principal>> find_principal(Connection& db, const PrincipalId& id) {
  std::optional<Principal> principal;
  HOLDFAST_CHECK_OK(db.one_or_none(
      kFindPrincipal, [&](const Row& row) { principal = read_principal(row); }, id.value));
  return principal;
}

Result<std::vector<Principal>> list_principals(Connection& db) {
  std::vector<Principal> principals;
  HOLDFAST_CHECK_OK(
      db.each(kListPrincipals, [&](const Row& row) { principals.push_back(read_principal(row)); }));
  return principals;
}

Result<std::vector<Token>> list_tokens(Connection& db) {
  std::vector<Token> tokens;
  HOLDFAST_CHECK_OK(
      db.each(kListTokens, [&](const Row& row) { tokens.push_back(read_token(row)); }));
  return tokens;
}

Result<std::optional<Token>> find_token(Connection& db, std::string_view id) {
  std::optional<Token> token;
  HOLDFAST_CHECK_OK(db.one_or_none(
      kFindToken, [&](const Row& row) { token = read_token(row); }, id));
  return token;
}

Status put_principal(Connection& db, const Principal& principal) {
  HOLDFAST_TRY(const bool handle_taken,
               db.one_or_none(
                   kHandleOwner, [](const Row&) {}, principal.handle, principal.id.value));
  if (handle_taken) {
    return taken(reason::kHandleTaken,
                 fmt::format("The handle '{}' belongs to another principal.", principal.handle));
  }
  return db.run(kPutPrincipal, principal.id.value, principal.handle, principal.display_name,
                static_cast<int>(principal.kind), static_cast<int>(principal.status),
                principal.trust_tier, static_cast<int>(principal.clearance), principal.owner.value,
                principal.created_at);
}

Status put_token(Connection& db, const Token& token) {
  HOLDFAST_TRY(const bool hash_taken,
               db.one_or_none(
                   kHashOwner, [](const Row&) {}, Blob{token.hash}, token.id));
  if (hash_taken) return taken("", "This token is already known under another id.");
  std::optional<std::string> compartments;
  if (token.compartments) compartments = write_list(*token.compartments);
  return db.run(kPutToken, token.id, Blob{token.hash}, token.name, token.principal.value,
                token.space.value, write_list(token.scopes), token.trust_tier,
                static_cast<int>(token.clearance), compartments, token.user_id, token.peer_id,
                write_list(token.read_namespaces), write_list(token.write_namespaces),
                token.purpose, token.parent, token.created_at, token.expires_at, token.revoked_at);
}

Result<std::vector<std::string>> token_family(Connection& db, std::string_view id) {
  std::vector<std::string> ids;
  HOLDFAST_CHECK_OK(db.each(
      kFamily, [&](const Row& row) { ids.push_back(row.text(0)); }, id));
  return ids;
}

Result<std::vector<std::string>> expired_tokens(Connection& db, std::string_view parent,
                                                Timestamp before, size_t limit) {
  std::vector<std::string> ids;
  HOLDFAST_CHECK_OK(db.each(
      kExpiredTokens, [&](const Row& row) { ids.push_back(row.text(0)); }, parent, before,
      static_cast<int64_t>(limit)));
  return ids;
}

Status delete_token(Connection& db, std::string_view id) { return db.run(kDeleteToken, id); }

Status mark_revoked(Connection& db, std::string_view id, Timestamp at) {
  return db.run(kRevoke, id, at);
}

}  // namespace holdfast::storage::sqlite
