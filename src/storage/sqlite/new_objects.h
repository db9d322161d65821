// Objects that a write has made and not yet inserted: many rows of one statement cost a third less
// than a statement each, because it opens the tables once, finds their ends once and is given once
// what they have in common. Nobody misses them meanwhile: the connection inserts them before it
// runs any other statement.
#pragma once

#include <span>
#include <vector>

#include "storage/change.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/row_key.h"

namespace holdfast::storage::sqlite {

// Not thread-safe: used by whoever writes.
class NewObjects final : public DelayedRows {
 public:
  explicit NewObjects(Connection& db) : db_(db) {}

  // A write begins, whose changes are added there. Whatever was left of the one before is given up.
  void begin(const std::vector<Change>* changes);

  // The last of the changes made an object of that space that was never there before, without facet
  // and link rows. It is inserted now or later, with its journal entry.
  Status add(SpaceNumber space);

  // Inserts what is left. An error is told again whenever it is asked: a write that lost an object
  // must not end well.
  Status insert() override;

 private:
  Status insert_each();
  Status insert_together();
  std::span<const Change> waiting() const { return std::span(*changes_).subspan(first_, waiting_); }

  Connection& db_;
  const std::vector<Change>* changes_ = nullptr;
  // The last of the changes, which are not inserted yet: all of one space, and alike but for
  // number, id and body.
  size_t first_ = 0;
  size_t waiting_ = 0;
  SpaceNumber space_ = 0;
  Status status_ = {};  // of this write so far
};

}  // namespace holdfast::storage::sqlite
