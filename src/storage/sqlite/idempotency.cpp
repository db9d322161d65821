#include "storage/sqlite/idempotency.h"

#include <algorithm>

#include "storage/sqlite/object_row.h"

namespace holdfast::storage::sqlite {
namespace {

constexpr char kFindAnswer[] =
    "SELECT fingerprint, state, status, created_at, expires_at, about, extra, body FROM "
    "idempotency "
    "WHERE space_id = ?1 AND caller = ?2 AND operation = ?3 AND key = ?4 "
    "AND (expires_at IS NULL OR expires_at > ?5)";

// Ignored where there is an answer for the key already.
constexpr char kPutAnswer[] =
    "INSERT OR IGNORE INTO idempotency (space_id, caller, operation, key, fingerprint, state, "
    "status, created_at, expires_at, about, extra, body) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";

constexpr char kAbout[] =
    "SELECT answer, about FROM idempotency WHERE space_id = ?1 AND caller = ?2 AND operation = ?3 "
    "AND key = ?4";

constexpr char kRemoveAnswer[] = "DELETE FROM idempotency WHERE answer = ?1";

constexpr char kExpiredAnswers[] =
    "SELECT caller, operation, key FROM idempotency WHERE space_id = ?1 AND expires_at < ?2 "
    "ORDER BY expires_at LIMIT ?3";

constexpr char kAddAbout[] =
    "INSERT OR IGNORE INTO idempotency_about (space_id, kind, id, answer) VALUES (?1, ?2, ?3, ?4)";

constexpr char kRemoveAbout[] =
    "DELETE FROM idempotency_about WHERE space_id = ?1 AND kind = ?2 AND id = ?3 AND answer = ?4";

constexpr char kEmptyAnswers[] =
    "UPDATE idempotency SET body = '', extra = '', state = 'erased' WHERE answer IN ("
    "SELECT answer FROM idempotency_about WHERE space_id = ?1 AND kind = ?2 AND id = ?3)";

constexpr char kEmptyAnswersOfWrites[] =
    "UPDATE idempotency SET body = '', extra = '', state = 'erased' WHERE answer IN ("
    "SELECT answer FROM idempotency_about WHERE space_id = ?1 AND kind = '' AND id IN ("
    "SELECT CAST(change AS TEXT) FROM journal WHERE row_key IN ("
    "SELECT row_key FROM revisions WHERE space_id = ?1 AND kind = ?2 AND id = ?3 "
    "UNION ALL SELECT ?4)))";

constexpr char kSettled[] = "SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'settled_answer'";
constexpr char kSetSettled[] =
    "UPDATE meta SET value = (SELECT CAST(coalesce(max(answer), 0) AS TEXT) FROM idempotency) "
    "WHERE name = 'settled_answer'";
constexpr char kAnswersAfter[] =
    "SELECT space_id, answer, about FROM idempotency WHERE answer > ?1";

// How often the rows of answers about several objects are written: at once they dirty a page each.
constexpr int64_t kSettleEvery = 512;

// Keys travel as one flat list: kind, id, kind, id, ...
std::string write_keys(const std::vector<ObjectKey>& keys) {
  std::vector<std::string> flat;
  for (const ObjectKey& key : keys) {
    flat.push_back(key.kind);
    flat.push_back(key.id);
  }
  return write_list(flat);
}

std::vector<ObjectKey> read_keys(std::string_view text) {
  const auto flat = read_list(text);
  std::vector<ObjectKey> keys;
  for (size_t i = 0; i + 1 < flat.size(); i += 2)
    keys.push_back({.kind = flat[i], .id = flat[i + 1]});
  return keys;
}

struct About {
  SpaceNumber space = 0;
  ObjectKey object = {};
  int64_t answer = 0;
  auto operator<=>(const About&) const = default;
};

Status add_about(Connection& db, const About& about) {
  return db.run(kAddAbout, about.space, about.object.kind, about.object.id, about.answer);
}

// Only answers about several objects wait, and only behind those that have been settled: a number
// that was given to another before may lie among these.
Result<bool> waits(Connection& db, int64_t answer, const std::vector<ObjectKey>& about) {
  if (about.size() < 2) return false;
  HOLDFAST_TRY(const int64_t settled, db.integer_or(answer, kSettled));
  return answer > settled;
}

// Writes the rows of all that wait.
Status settle(Connection& db) {
  HOLDFAST_TRY(const int64_t settled, db.integer_or(0, kSettled));
  std::vector<About> rows;
  bool any = false;
  HOLDFAST_CHECK_OK(db.each(
      kAnswersAfter,
      [&](const Row& row) {
        any = true;
        std::vector<ObjectKey> objects = read_keys(row.bytes(2));
        if (objects.size() < 2) return;
        for (ObjectKey& object : objects)
          rows.push_back(
              {.space = row.integer(0), .object = std::move(object), .answer = row.integer(1)});
      },
      settled));
  if (!any) return {};
  std::ranges::sort(rows);
  for (const About& row : rows) HOLDFAST_CHECK_OK(add_about(db, row));
  return db.run(kSetSettled);
}

}  // namespace

Result<std::optional<IdempotencyRecord>> find_idempotency(Connection& db, SpaceNumber space,
                                                          const IdempotencyKey& key,
                                                          Timestamp now) {
  std::optional<IdempotencyRecord> record;
  const auto read = [&](const Row& row) {
    record = IdempotencyRecord{.key = key,
                               .fingerprint = row.text(0),
                               .state = row.text(1),
                               .status = row.number(2),
                               .body = row.text(7),
                               .extra = row.text(6),
                               .created_at = row.time(3),
                               .expires_at = row.optional_time(4),
                               .about = read_keys(row.bytes(5))};
  };
  HOLDFAST_CHECK_OK(
      db.one_or_none(kFindAnswer, read, space, key.caller, key.operation, key.key, now));
  return record;
}

Status put_idempotency(Connection& db, SpaceNumber space, const IdempotencyRecord& record,
                       const std::vector<ObjectKey>& about) {
  const IdempotencyKey& key = record.key;
  const auto put = [&] {
    return db.run(kPutAnswer, space, key.caller, key.operation, key.key, record.fingerprint,
                  record.state, record.status, record.created_at, record.expires_at,
                  write_keys(about), record.extra, record.body);
  };
  // Nearly always the key is new.
  const int64_t changes_before = db.total_changes();
  HOLDFAST_CHECK_OK(put());
  if (db.total_changes() == changes_before) {
    HOLDFAST_CHECK_OK(remove_idempotency(db, space, key));
    HOLDFAST_CHECK_OK(put());
  }
  const int64_t answer = db.last_row();
  HOLDFAST_TRY(const bool later, waits(db, answer, about));
  if (!later) {
    for (const ObjectKey& object : about)
      HOLDFAST_CHECK_OK(add_about(db, {.space = space, .object = object, .answer = answer}));
  }
  return answer % kSettleEvery == 0 ? settle(db) : Status();
}

Status remove_idempotency(Connection& db, SpaceNumber space, const IdempotencyKey& key) {
  int64_t answer = 0;
  std::vector<ObjectKey> about;
  const auto read = [&](const Row& row) {
    answer = row.integer(0);
    about = read_keys(row.bytes(1));
  };
  HOLDFAST_TRY(const bool found,
               db.one_or_none(kAbout, read, space, key.caller, key.operation, key.key));
  if (!found) return {};
  for (const ObjectKey& object : about)
    HOLDFAST_CHECK_OK(db.run(kRemoveAbout, space, object.kind, object.id, answer));
  return db.run(kRemoveAnswer, answer);
}

Result<size_t> sweep_idempotency(Connection& db, const std::vector<SpaceNumber>& spaces,
                                 Timestamp now, size_t limit) {
  size_t swept = 0;
  for (const SpaceNumber space : spaces) {
    std::vector<IdempotencyKey> expired;
    HOLDFAST_CHECK_OK(db.each(
        kExpiredAnswers,
        [&](const Row& row) {
          expired.push_back({.caller = row.text(0), .operation = row.text(1), .key = row.text(2)});
        },
        space, now, limit - swept));
    for (const IdempotencyKey& key : expired) {
      HOLDFAST_CHECK_OK(remove_idempotency(db, space, key));
    }
    swept += expired.size();
    if (swept == limit) break;
  }
  return swept;
}

ObjectKey write_key(JournalPosition change) { return {.kind = {}, .id = std::to_string(change)}; }

Status erase_answers(Connection& db, SpaceNumber space, const ObjectKey& about,
                     JournalPosition position) {
  HOLDFAST_CHECK_OK(settle(db));
  HOLDFAST_CHECK_OK(db.run(kEmptyAnswers, space, about.kind, about.id));
  return db.run(kEmptyAnswersOfWrites, space, about.kind, about.id, row_key(space, position));
}

}  // namespace holdfast::storage::sqlite
