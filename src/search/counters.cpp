#include "search/counters.h"

namespace holdfast::search {

Counters::Column& Counters::column(const SpaceId& space, std::string_view name) {
  Columns& columns = spaces_[space];
  const auto known = columns.find(name);
  return known != columns.end() ? known->second : columns[std::string(name)];
}

int64_t Counters::add(const SpaceId& space, ObjectNumber number, std::string_view name,
                      int64_t delta) {
  const WriterLock lock(mutex_);
  return column(space, name)[number] += delta;
}

void Counters::set(const SpaceId& space, ObjectNumber number, std::string_view name,
                   int64_t value) {
  const WriterLock lock(mutex_);
  column(space, name)[number] = value;
}

int64_t Counters::value(const SpaceId& space, ObjectNumber number, std::string_view name) const {
  const Reader reader(*this, space);
  const Column* column = reader.column(name);
  if (column == nullptr) return 0;
  const auto it = column->find(number);
  return it == column->end() ? 0 : it->second;
}

void Counters::forget(const SpaceId& space, ObjectNumber number) {
  const WriterLock lock(mutex_);
  const auto it = spaces_.find(space);
  if (it == spaces_.end()) return;
  for (auto& [name, column] : it->second) column.erase(number);
}

void Counters::drop(const SpaceId& space) {
  const WriterLock lock(mutex_);
  spaces_.erase(space);
}

Counters::Reader::Reader(const Counters& counters, const SpaceId& space)
    : counters_(counters), lock_(counters.mutex_) {
  const auto it = counters_.spaces_.find(space);
  if (it != counters_.spaces_.end()) columns_ = &it->second;
}

const Counters::Column* Counters::Reader::column(std::string_view name) const {
  if (columns_ == nullptr) return nullptr;
  const auto it = columns_->find(name);
  return it == columns_->end() ? nullptr : &it->second;
}

}  // namespace holdfast::search
