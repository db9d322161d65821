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
// `about` instead of the record's.
Status put_idempotency(Connection& db, SpaceNumber space, const IdempotencyRecord& record,
                       const std::vector<ObjectKey>& about);
Status remove_idempotency(Connection& db, SpaceNumber space, const IdempotencyKey& key);
Result<size_t> sweep_idempotency(Connection& db, const std::vector<SpaceNumber>& spaces,
                                 Timestamp now, size_t limit);
// Stands for everything that the write of this first position put: one row instead of many.
ObjectKey write_key(JournalPosition change);
// Empties the answers that tell about this object, or about a write that made one of its revisions.
// Before these are erased; `position` is that of the current one, or 0.
Status erase_answers(Connection& db, SpaceNumber space, const ObjectKey& about,
                     JournalPosition position);

}  // namespace holdfast::storage::sqlite
