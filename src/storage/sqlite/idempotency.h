// The tables idempotency and idempotency_about: answers kept for repetitions. The contracts are
// those of the transactions.
#pragma once

#include <optional>
#include <vector>

#include "storage/records.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/row_key.h"

namespace holdfast::storage::sqlite {

Result<std::optional<IdempotencyRecord>> find_idempotency(Connection& db, SpaceNumber space,
                                                          const IdempotencyKey& key, Timestamp now);
Status put_idempotency(Connection& db, SpaceNumber space, const IdempotencyRecord& record);
Status remove_idempotency(Connection& db, SpaceNumber space, const IdempotencyKey& key);
Result<size_t> sweep_idempotency(Connection& db, const std::vector<SpaceNumber>& spaces,
                                 Timestamp now, size_t limit);
// Empties the answers that tell about this object.
Status erase_answers(Connection& db, SpaceNumber space, const ObjectKey& about);

}  // namespace holdfast::storage::sqlite
