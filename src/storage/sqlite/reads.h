// Reading objects for somebody: every function leaves out what the scope's access may not see. The
// contracts are those of ReadTxn.
#pragma once

#include <string_view>
#include <vector>

#include "storage/records.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/row_key.h"

namespace holdfast::storage::sqlite {

Result<Object> get(Connection& db, const Scope& scope, const ObjectKey& key);
Result<std::vector<Object>> get_many(Connection& db, const Scope& scope,
                                     const std::vector<ObjectNumber>& numbers);
Result<std::vector<ObjectBody>> get_bodies(Connection& db, const Scope& scope,
                                           const std::vector<ObjectNumber>& numbers);
Result<Page> scan(Connection& db, const Scope& scope, const Scan& scan);
Result<std::vector<Facet>> facets(Connection& db, const Scope& scope, const ObjectKey& key);
Result<std::vector<Neighbour>> neighbours(Connection& db, const Scope& scope, const ObjectKey& key,
                                          std::string_view relation, size_t limit);
Result<std::vector<std::string>> pointing_at(Connection& db, const Scope& scope,
                                             const Pointing& asked);

}  // namespace holdfast::storage::sqlite
