#include "storage/sqlite/spaces.h"

#include <algorithm>

namespace holdfast::storage::sqlite {
namespace {

constexpr char kListSpaces[] =
    "SELECT space_id, name, created_at, number_floor FROM spaces ORDER BY name";
constexpr char kListNumbers[] = "SELECT space_id FROM spaces";
constexpr char kLastObject[] = "SELECT max(row_key) FROM objects WHERE row_key BETWEEN ?1 AND ?2";
constexpr char kInsertSpace[] =
    "INSERT INTO spaces (name, number_floor, created_at) VALUES (?1, 0, ?2)";
constexpr char kRaiseFloor[] =
    "UPDATE spaces SET number_floor = max(number_floor, ?2) WHERE space_id = ?1";

constexpr char kDeleteObjects[] = "DELETE FROM objects WHERE row_key BETWEEN ?1 AND ?2";
constexpr char kDeleteRevisions[] = "DELETE FROM revisions WHERE row_key BETWEEN ?1 AND ?2";
constexpr char kDeleteJournal[] = "DELETE FROM journal WHERE row_key BETWEEN ?1 AND ?2";
constexpr char kDeleteFacets[] = "DELETE FROM facets WHERE space_id = ?1";
constexpr char kDeleteLinks[] = "DELETE FROM links WHERE space_id = ?1";
constexpr char kDeleteJobs[] = "DELETE FROM jobs WHERE space_id = ?1";
constexpr char kDeleteIdempotency[] = "DELETE FROM idempotency WHERE space_id = ?1";
constexpr char kDeleteAbout[] = "DELETE FROM idempotency_about WHERE space_id = ?1";
constexpr char kDeleteBlobs[] = "DELETE FROM blobs WHERE space_id = ?1";
constexpr char kDeleteChunks[] = "DELETE FROM blob_chunks WHERE space_id = ?1";
constexpr char kDeleteSpace[] = "DELETE FROM spaces WHERE space_id = ?1";

constexpr char kReadState[] =
    "SELECT last_position, last_at, last_job FROM store_state WHERE only = 1";
constexpr char kWriteState[] =
    "UPDATE store_state SET last_position = ?1, last_at = ?2, last_job = ?3 WHERE only = 1";

constexpr char kFindMeta[] = "SELECT value FROM meta WHERE name = ?1";
constexpr char kSetMeta[] = "INSERT OR REPLACE INTO meta (name, value) VALUES (?1, ?2)";

}  // namespace

Result<std::vector<SpaceRow>> list_spaces(Connection& db) {
  std::vector<SpaceRow> spaces;
  HOLDFAST_CHECK_OK(db.each(kListSpaces, [&](const Row& row) {
    spaces.push_back({.number = row.integer(0),
                      .id = SpaceId{row.text(1)},
                      .created_at = row.time(2),
                      .last_object = row.integer(3)});
  }));
  for (SpaceRow& space : spaces) {
    const int64_t first = row_key(space.number, 0);
    const int64_t last = row_key(space.number, kMaxCounter);
    HOLDFAST_TRY(const int64_t object, db.integer_or(0, kLastObject, first, last));
    space.last_object = std::max(space.last_object, row_counter(object));
  }
  return spaces;
}

Result<std::vector<SpaceNumber>> list_space_numbers(Connection& db) {
  std::vector<SpaceNumber> numbers;
  HOLDFAST_CHECK_OK(
      db.each(kListNumbers, [&](const Row& row) { numbers.push_back(row.integer(0)); }));
  return numbers;
}

Result<SpaceNumber> insert_space(Connection& db, const SpaceId& id, Timestamp created_at) {
  HOLDFAST_CHECK_OK(db.run(kInsertSpace, id.value, created_at));
  return sqlite3_last_insert_rowid(db.handle());
}

Status raise_number_floor(Connection& db, SpaceNumber space, ObjectNumber number) {
  return db.run(kRaiseFloor, space, number);
}

Status delete_space(Connection& db, const SpaceRow& space) {
  const int64_t first = row_key(space.number, 0);
  const int64_t last = row_key(space.number, kMaxCounter);
  for (const char* sql : {kDeleteObjects, kDeleteRevisions, kDeleteJournal}) {
    HOLDFAST_CHECK_OK(db.run(sql, first, last));
  }
  for (const char* sql : {kDeleteFacets, kDeleteLinks, kDeleteJobs, kDeleteIdempotency,
                          kDeleteAbout, kDeleteBlobs, kDeleteChunks, kDeleteSpace}) {
    HOLDFAST_CHECK_OK(db.run(sql, space.number));
  }
  return {};
}

Result<StoreState> read_state(Connection& db) {
  StoreState state;
  HOLDFAST_CHECK_OK(db.one_or_none(kReadState, [&](const Row& row) {
    state = {.last_position = row.integer(0), .last_at = row.time(1), .last_job = row.integer(2)};
  }));
  return state;
}

Status write_state(Connection& db, const StoreState& state) {
  return db.run(kWriteState, state.last_position, state.last_at, state.last_job);
}

Result<std::optional<std::string>> find_meta(Connection& db, std::string_view name) {
  std::optional<std::string> value;
  HOLDFAST_CHECK_OK(db.one_or_none(
      kFindMeta, [&](const Row& row) { value = row.text(0); }, name));
  return value;
}

Status set_meta(Connection& db, std::string_view name, std::string_view value) {
  return db.run(kSetMeta, name, value);
}

}  // namespace holdfast::storage::sqlite
