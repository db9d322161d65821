#include "storage/sqlite/ledger.h"

#include "base/assert.h"
#include "storage/sqlite/jobs.h"

namespace holdfast::storage::sqlite {

Result<Ledger> Ledger::load(Connection& db) {
  Ledger ledger;
  HOLDFAST_TRY(ledger.state_, read_state(db));
  HOLDFAST_TRY(const auto spaces, list_spaces(db));
  HOLDFAST_TRY(const auto busy, storage::sqlite::spaces_with_jobs(db));
  const std::set<SpaceNumber> with_jobs(busy.begin(), busy.end());
  for (const SpaceRow& space : spaces) {
    ledger.spaces_.emplace(space.id, space);
    if (with_jobs.contains(space.number)) ledger.spaces_with_jobs_.insert(space.id);
  }
  return ledger;
}

const SpaceRow* Ledger::find(const SpaceId& space) const {
  const auto found = spaces_.find(space);
  return found == spaces_.end() ? nullptr : &found->second;
}

void Ledger::add(const SpaceRow& space) {
  remember(space.id);
  spaces_.insert_or_assign(space.id, space);
}

void Ledger::remove(const SpaceId& space) {
  remember(space);
  spaces_.erase(space);
}

ObjectNumber Ledger::next_object(const SpaceId& space) {
  remember(space);
  const auto found = spaces_.find(space);
  HOLDFAST_ASSERT(found != spaces_.end());
  return ++found->second.last_object;
}

std::vector<SpaceNumber> Ledger::space_numbers() const {
  std::vector<SpaceNumber> numbers;
  for (const auto& [id, space] : spaces_) numbers.push_back(space.number);
  return numbers;
}

void Ledger::remember(const SpaceId& space) {
  const SpaceRow* now = find(space);
  undo_.emplace_back(space, now == nullptr ? std::nullopt : std::optional<SpaceRow>(*now));
}

void Ledger::back_to(const Mark& mark) {
  state_ = mark.state;
  while (undo_.size() > mark.undo) {
    auto& [space, before] = undo_.back();
    if (before) {
      spaces_.insert_or_assign(space, *before);
    } else {
      spaces_.erase(space);
    }
    undo_.pop_back();
  }
}

}  // namespace holdfast::storage::sqlite
