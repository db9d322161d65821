#include "storage/sqlite/journal.h"

#include <algorithm>

namespace holdfast::storage::sqlite {
namespace {

constexpr char kInsertEntry[] =
    "INSERT INTO " HOLDFAST_JOURNAL_ROW
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)";

constexpr char kEmptyMessage[] = "UPDATE journal SET message = '' WHERE row_key = ?1";

constexpr char kEntriesAfter[] = "SELECT " HOLDFAST_JOURNAL_COLUMNS
                                 " FROM journal j WHERE j.row_key > ?1 AND j.row_key <= ?2 "
                                 "ORDER BY j.row_key LIMIT ?3";

constexpr char kEntriesBefore[] = "SELECT " HOLDFAST_JOURNAL_COLUMNS
                                  " FROM journal j WHERE j.row_key < ?1 AND j.row_key >= ?2 "
                                  "ORDER BY j.row_key DESC LIMIT ?3";

constexpr char kFirstFrom[] =
    "SELECT row_key, at FROM journal WHERE row_key >= ?1 AND row_key <= ?2 ORDER BY row_key LIMIT "
    "1";

constexpr char kLast[] = "SELECT max(row_key) FROM journal WHERE row_key >= ?1 AND row_key <= ?2";

constexpr size_t kFetchAtOnce = 256;

// The entry's own label tells who could see the change; today's label of its object tells who may
// still know of it.
Result<bool> may_see(Connection& db, const Scope& scope, const JournalEntry& entry) {
  if (!scope.access.may_see(entry.label)) return false;
  if (scope.access.viewer().sees_everything()) return true;
  HOLDFAST_TRY(const auto today, label_of_today(db, scope.space, entry.key));
  return !today || scope.access.may_see(*today);
}

// Goes on fetching until `limit` visible entries are found or there are no more.
Result<std::vector<JournalEntry>> visible_entries(Connection& db, const Scope& scope,
                                                  const char* sql, int64_t from, int64_t end,
                                                  size_t limit) {
  std::vector<JournalEntry> entries;
  while (entries.size() < limit) {
    std::vector<JournalEntry> fetched;
    const size_t ask = std::min(limit - entries.size(), kFetchAtOnce);
    HOLDFAST_CHECK_OK(db.each(
        sql, [&](const Row& row) { fetched.push_back(read_journal_entry(row, 0)); }, from, end,
        ask));
    if (!fetched.empty()) from = row_key(scope.space, fetched.back().position);
    const bool last = fetched.size() < ask;
    for (auto& entry : fetched) {
      HOLDFAST_TRY(const bool visible, may_see(db, scope, entry));
      if (visible) entries.push_back(std::move(entry));
    }
    if (last) break;
  }
  return entries;
}

struct Instant {
  JournalPosition position = 0;
  Timestamp at = {};
};

Result<std::optional<Instant>> first_from(Connection& db, SpaceNumber space,
                                          JournalPosition position) {
  std::optional<Instant> found;
  HOLDFAST_CHECK_OK(db.one_or_none(
      kFirstFrom,
      [&](const Row& row) {
        found = Instant{.position = row_counter(row.integer(0)), .at = row.time(1)};
      },
      row_key(space, position), row_key(space, kMaxCounter)));
  return found;
}

Result<JournalPosition> position_at_in(Connection& db, SpaceNumber space, Timestamp at) {
  HOLDFAST_TRY(const int64_t last,
               db.integer_or(0, kLast, row_key(space, 0), row_key(space, kMaxCounter)));
  JournalPosition best = 0;
  JournalPosition low = 1;
  JournalPosition high = row_counter(last);
  while (low <= high) {
    const JournalPosition middle = low + (high - low) / 2;
    HOLDFAST_TRY(const auto found, first_from(db, space, middle));
    if (found && found->at <= at) {
      best = found->position;
      low = found->position + 1;
    } else {
      high = middle - 1;
    }
  }
  return best;
}

}  // namespace

Status insert_journal_entry(Connection& db, SpaceNumber space, const JournalEntry& entry) {
  const Label& label = entry.label;
  return db.run(kInsertEntry, row_key(space, entry.position), entry.change, entry.at,
                entry.principal, entry.surface, entry.action, entry.key.kind, entry.key.id,
                entry.revision, entry.message, entry.request_id, static_cast<int>(label.visibility),
                static_cast<int>(label.sensitivity), label.container, label.owner,
                write_list(label.compartments));
}

Status empty_message(Connection& db, SpaceNumber space, JournalPosition position) {
  return db.run(kEmptyMessage, row_key(space, position));
}

Result<std::vector<JournalEntry>> journal_after(Connection& db, const Scope& scope,
                                                JournalPosition after, size_t limit) {
  return visible_entries(db, scope, kEntriesAfter, row_key(scope.space, after),
                         row_key(scope.space, kMaxCounter), limit);
}

Result<std::vector<JournalEntry>> journal_before(Connection& db, const Scope& scope,
                                                 JournalPosition before, size_t limit) {
  return visible_entries(db, scope, kEntriesBefore, row_key(scope.space, before),
                         row_key(scope.space, 0), limit);
}

Result<JournalPosition> position_at(Connection& db, const std::vector<SpaceNumber>& spaces,
                                    Timestamp at) {
  JournalPosition newest = 0;
  for (const SpaceNumber space : spaces) {
    HOLDFAST_TRY(const JournalPosition position, position_at_in(db, space, at));
    newest = std::max(newest, position);
  }
  return newest;
}

}  // namespace holdfast::storage::sqlite
