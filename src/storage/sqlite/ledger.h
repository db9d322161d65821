// The writer's own memory of what comes next: the last journal position, time and job, and the
// spaces with their last object number. Runs ahead of the file while a batch is written and steps
// back with every write that is undone. Used by whoever writes.
#pragma once

#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "storage/sqlite/spaces.h"

namespace holdfast::storage::sqlite {

class Ledger {
 public:
  // A moment to go back to.
  struct Mark {
    StoreState state = {};
    size_t undo = 0;
  };

  static Result<Ledger> load(Connection& db);

  StoreState& state() { return state_; }
  const StoreState& state() const { return state_; }

  // nullptr for a space that does not exist.
  const SpaceRow* find(const SpaceId& space) const;
  void add(const SpaceRow& space);
  void remove(const SpaceId& space);
  // The next object number of a space that exists.
  ObjectNumber next_object(const SpaceId& space);
  std::vector<SpaceNumber> space_numbers() const;

  // Spaces that may have jobs to claim, so that claiming need not ask every space. May name too
  // many, never too few.
  std::set<SpaceId>& spaces_with_jobs() { return spaces_with_jobs_; }

  Mark mark() const { return {.state = state_, .undo = undo_.size()}; }
  // Undoes what happened since the mark.
  void back_to(const Mark& mark);
  // What happened is durable: forgets how to undo it.
  void keep() { undo_.clear(); }

 private:
  void remember(const SpaceId& space);

  StoreState state_;
  std::unordered_map<SpaceId, SpaceRow> spaces_;
  std::set<SpaceId> spaces_with_jobs_;
  std::vector<std::pair<SpaceId, std::optional<SpaceRow>>> undo_;  // how a space was before
};

}  // namespace holdfast::storage::sqlite
