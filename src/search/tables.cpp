#include "search/tables.h"

#include "base/assert.h"

namespace holdfast::search {

uint32_t Tables::label_id(const Label& label) {
  const auto [it, added] = label_ids_.try_emplace(label, static_cast<uint32_t>(labels_.size()));
  if (added) {
    labels_.push_back(label);
    counts_.emplace_back();
  }
  return it->second;
}

uint16_t Tables::kind_id(std::string_view kind) {
  if (const auto it = kind_ids_.find(kind); it != kind_ids_.end()) return it->second;
  HOLDFAST_ASSERT(kinds_.size() < UINT16_MAX);
  const auto id = static_cast<uint16_t>(kinds_.size());
  kinds_.emplace_back(kind);
  kind_ids_.emplace(kind, id);
  return id;
}

void Tables::count(uint32_t label, uint16_t kind, uint32_t length, int sign) {
  add(counts_[label], kind, length, sign);
  add(totals_, kind, length, sign);
}

void Tables::add(LabelCounts& counts, uint16_t kind, uint32_t length, int sign) {
  counts.documents += sign;
  if (length > 0) counts.searchable += sign;
  counts.length += sign * static_cast<int64_t>(length);
  if (kind >= counts.by_kind.size()) counts.by_kind.resize(kind + size_t{1});
  counts.by_kind[kind] += sign;
}

}  // namespace holdfast::search
