// Objects, labels and journal entries as columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/object.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/row_key.h"

namespace holdfast::storage::sqlite {

// The columns read_object() expects, from the table with alias o; the caller's own columns follow.
// Macros, because SQL is put together by the compiler only.
#define HOLDFAST_LABEL_COLUMNS(t) \
  t ".visibility, " t ".sensitivity, " t ".container, " t ".owner, " t ".compartments"
#define HOLDFAST_OBJECT_COLUMNS                                            \
  "o.row_key, o.kind, o.id, o.revision, o.state, " HOLDFAST_LABEL_COLUMNS( \
      "o") ", o.created_at, o.updated_at, o.position, o.body"
inline constexpr int kObjectColumns = 14;
Object read_object(const Row& row);

// The same tables with the columns that an INSERT gives, in their order.
#define HOLDFAST_OBJECT_ROW                                                                     \
  "objects (row_key, space_id, kind, id, revision, state, visibility, sensitivity, container, " \
  "owner, compartments, created_at, updated_at, position, facets, links, body)"
#define HOLDFAST_JOURNAL_ROW                                                                \
  "journal (row_key, change, at, principal, surface, action, kind, id, revision, message, " \
  "request_id, visibility, sensitivity, container, owner, compartments)"

#define HOLDFAST_JOURNAL_COLUMNS                                                            \
  "j.row_key, j.change, j.at, j.principal, j.surface, j.action, j.kind, j.id, j.revision, " \
  "j.message, j.request_id, " HOLDFAST_LABEL_COLUMNS("j")
inline constexpr int kJournalColumns = 16;
JournalEntry read_journal_entry(const Row& row, int first_column);

Label read_label(const Row& row, int first_column);

// Compartments as stored: empty, or a JSON array of texts. Other lists of texts are kept the same
// way.
std::string write_list(const std::vector<std::string>& texts);
std::vector<std::string> read_list(std::string_view json);

}  // namespace holdfast::storage::sqlite
