#include <algorithm>

#include "storage/sqlite/journal.h"

namespace holdfast::storage::sqlite {
namespace {

// Columns as read_object() expects them: number in the place of row_key, the position from this
// table's row_key.
#define HOLDFAST_REVISION_COLUMNS                                         \
  "r.number, r.kind, r.id, r.revision, r.state, " HOLDFAST_LABEL_COLUMNS( \
      "r") ", r.created_at, r.updated_at, r.row_key & 1099511627775, r.body, r.deleted"
static_assert(kMaxCounter == 1099511627775);

constexpr char kInsertRevision[] =
    "INSERT INTO revisions (row_key, space_id, kind, id, number, revision, deleted, state, "
    "visibility, "
    "sensitivity, container, owner, compartments, created_at, updated_at, body) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)";

constexpr char kLastState[] =
    "SELECT r.number, r.kind, r.id, r.revision, r.state, " HOLDFAST_LABEL_COLUMNS(
        "r") ", r.created_at, r.updated_at, r.row_key & 1099511627775, '' FROM revisions r "
             "WHERE r.space_id = ?1 AND r.kind = ?2 AND r.id = ?3 ORDER BY r.revision DESC LIMIT 1";

constexpr char kPositions[] =
    "SELECT row_key FROM revisions WHERE space_id = ?1 AND kind = ?2 AND id = ?3";

constexpr char kDeleteRevisionsOf[] =
    "DELETE FROM revisions WHERE space_id = ?1 AND kind = ?2 AND id = ?3";

constexpr char kAsOf[] = "SELECT " HOLDFAST_REVISION_COLUMNS
                         " FROM revisions r WHERE r.space_id = ?1 AND r.kind = ?2 AND r.id = ?3 "
                         "AND r.row_key <= ?4 ORDER BY r.revision DESC LIMIT 1";

constexpr char kHistory[] =
    "SELECT " HOLDFAST_REVISION_COLUMNS ", " HOLDFAST_JOURNAL_COLUMNS
    " FROM revisions r JOIN journal j ON j.row_key = r.row_key "
    "WHERE r.space_id = ?1 AND r.kind = ?2 AND r.id = ?3 ORDER BY r.revision DESC";

constexpr char kEntry[] = "SELECT " HOLDFAST_JOURNAL_COLUMNS " FROM journal j WHERE j.row_key = ?1";

}  // namespace

Status insert_revision(Connection& db, SpaceNumber space, const Object& object, bool deleted) {
  const Label& label = object.label;
  return db.run(kInsertRevision, row_key(space, object.position), space, object.key.kind,
                object.key.id, object.number, object.revision, deleted, object.state,
                static_cast<int>(label.visibility), static_cast<int>(label.sensitivity),
                label.container, label.owner, write_list(label.compartments), object.created_at,
                object.updated_at, object.body);
}

Result<std::optional<Object>> last_state(Connection& db, SpaceNumber space, const ObjectKey& key) {
  std::optional<Object> state;
  HOLDFAST_CHECK_OK(db.one_or_none(
      kLastState, [&](const Row& row) { state = read_object(row); }, space, key.kind, key.id));
  return state;
}

Status erase_revisions(Connection& db, SpaceNumber space, const ObjectKey& key) {
  std::vector<JournalPosition> positions;
  HOLDFAST_CHECK_OK(db.each(
      kPositions, [&](const Row& row) { positions.push_back(row_counter(row.integer(0))); }, space,
      key.kind, key.id));
  for (const JournalPosition position : positions) {
    HOLDFAST_CHECK_OK(empty_message(db, space, position));
  }
  return db.run(kDeleteRevisionsOf, space, key.kind, key.id);
}

Result<Object> get_as_of(Connection& db, const Scope& scope, const ObjectKey& key,
                         JournalPosition position) {
  HOLDFAST_TRY(const auto today, label_of_today(db, scope.space, key));
  if (!today || !scope.access.may_see(*today)) return not_found(key.kind, key.id);
  HOLDFAST_TRY(auto current, find_object(db, scope.space, key));
  if (current && current->object.position <= position) return std::move(current->object);
  Object then;
  bool deleted = false;
  const auto read = [&](const Row& row) {
    then = read_object(row);
    deleted = row.integer(kObjectColumns) != 0;
  };
  HOLDFAST_TRY(const bool found, db.one_or_none(kAsOf, read, scope.space, key.kind, key.id,
                                                row_key(scope.space, position)));
  if (!found || deleted || !scope.access.may_see(then.label)) return not_found(key.kind, key.id);
  return then;
}

Result<std::vector<RevisionRecord>> history(Connection& db, const Scope& scope,
                                            const ObjectKey& key, size_t limit) {
  HOLDFAST_TRY(const auto today, label_of_today(db, scope.space, key));
  if (!today || !scope.access.may_see(*today)) return not_found(key.kind, key.id);
  std::vector<RevisionRecord> records;
  HOLDFAST_TRY(auto current, find_object(db, scope.space, key));
  if (current && limit > 0) {
    RevisionRecord& record = records.emplace_back();
    record.object = std::move(current->object);
    const auto read = [&](const Row& row) { record.entry = read_journal_entry(row, 0); };
    HOLDFAST_CHECK_OK(db.one_or_none(kEntry, read, row_key(scope.space, record.object.position)));
  }
  const auto read = [&](const Row& row) -> bool {
    if (records.size() >= limit) return false;
    RevisionRecord record{.object = read_object(row),
                          .entry = read_journal_entry(row, kObjectColumns + 1),
                          .deleted = row.integer(kObjectColumns) != 0};
    if (scope.access.may_see(record.object.label)) records.push_back(std::move(record));
    return true;
  };
  HOLDFAST_CHECK_OK(db.each(kHistory, read, scope.space, key.kind, key.id));
  return records;
}

}  // namespace holdfast::storage::sqlite
