// The tables spaces, meta and store_state.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/records.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/row_key.h"

namespace holdfast::storage::sqlite {

struct SpaceRow {
  SpaceNumber number = 0;
  SpaceId id = {};
  Timestamp created_at = {};
  ObjectNumber last_object = 0;  // the highest object number ever given
};

// Counters over all spaces, as of the last commit.
struct StoreState {
  JournalPosition last_position = 0;
  Timestamp last_at = {};
  int64_t last_job = 0;
  bool operator==(const StoreState&) const = default;
};

Result<std::vector<SpaceRow>> list_spaces(Connection& db);
Result<std::vector<SpaceNumber>> list_space_numbers(Connection& db);
// Returns its number.
Result<SpaceNumber> insert_space(Connection& db, const SpaceId& id, Timestamp created_at);
// Remembers that numbers up to this one were given, because the rows that show it are about to go.
Status raise_number_floor(Connection& db, SpaceNumber space, ObjectNumber number);
// Every row of the space, in every table.
Status delete_space(Connection& db, const SpaceRow& space);

Result<StoreState> read_state(Connection& db);
Status write_state(Connection& db, const StoreState& state);

Result<std::optional<std::string>> find_meta(Connection& db, std::string_view name);
Status set_meta(Connection& db, std::string_view name, std::string_view value);

}  // namespace holdfast::storage::sqlite
