// The tables principals and tokens. The contracts are those of the transactions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/principal.h"
#include "storage/sqlite/connection.h"

namespace holdfast::storage::sqlite {

Result<std::optional<Principal>> find_principal(Connection& db, const PrincipalId& id);
Result<std::vector<Principal>> list_principals(Connection& db);
Result<std::vector<Token>> list_tokens(Connection& db);
Result<std::optional<Token>> find_token(Connection& db, std::string_view id);

Status put_principal(Connection& db, const Principal& principal);
Status put_token(Connection& db, const Token& token);
// The ids of the token and of every token minted from it, however often. Empty for an unknown id.
Result<std::vector<std::string>> token_family(Connection& db, std::string_view id);
// Of those minted from `parent`.
Result<std::vector<std::string>> expired_tokens(Connection& db, std::string_view parent,
                                                Timestamp before, size_t limit);
Status delete_token(Connection& db, std::string_view id);
Status mark_revoked(Connection& db, std::string_view id, Timestamp at);

}  // namespace holdfast::storage::sqlite
