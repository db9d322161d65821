// The tables journal and revisions: what changed, and the states that were replaced.
#pragma once

#include <optional>
#include <vector>

#include "storage/records.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/objects.h"
#include "storage/sqlite/row_key.h"

namespace holdfast::storage::sqlite {

Status insert_journal_entry(Connection& db, SpaceNumber space, const JournalEntry& entry);

// Keeps a state that is no longer current. `deleted`: this state is the deletion, it has no body.
Status insert_revision(Connection& db, SpaceNumber space, const Object& object, bool deleted);
// The newest state this key had before the current one, without its body. Nothing if it has no
// history.
Result<std::optional<Object>> last_state(Connection& db, SpaceNumber space, const ObjectKey& key);
// Removes the key's revisions and empties the messages of their journal entries.
Status erase_revisions(Connection& db, SpaceNumber space, const ObjectKey& key);
Status empty_message(Connection& db, SpaceNumber space, JournalPosition position);

// The reads of ReadTxn that have the same names.
Result<Object> get_as_of(Connection& db, const Scope& scope, const ObjectKey& key,
                         JournalPosition position);
Result<std::vector<RevisionRecord>> history(Connection& db, const Scope& scope,
                                            const ObjectKey& key, size_t limit);
Result<std::vector<JournalEntry>> journal_after(Connection& db, const Scope& scope,
                                                JournalPosition after, size_t limit);
Result<std::vector<JournalEntry>> journal_before(Connection& db, const Scope& scope,
                                                 JournalPosition before, size_t limit);
// The newest position at or before `at` in these spaces. Bisects: entries of a space are in the
// order of their times, except where an import was replayed into a space that was already in use.
Result<JournalPosition> position_at(Connection& db, const std::vector<SpaceNumber>& spaces,
                                    Timestamp at);

}  // namespace holdfast::storage::sqlite
