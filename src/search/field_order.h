// Ordering hits by where their words are (FieldOrder in request.h).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "search/fields.h"
#include "search/request.h"

namespace holdfast::search {

class FieldWorth {
 public:
  explicit FieldWorth(const FieldOrder& order);

  // Of a document whose terms are in these fields, a set a term.
  int64_t of(std::span<const FieldSet> terms) const;
  // The most that it can be for a weighted frequency of all terms together; 0: not known.
  int64_t most(uint32_t frequency) const;

 private:
  std::array<int64_t, 1U << kFieldCount> of_set_ = {};
  std::vector<int64_t> most_;  // by frequency
};

// `hits` come with the most that each can be worth, the better ones first. Looks into them, the
// most promising first, until `wanted` of them are worth no less than any other can be; among
// equals those come first that were looked into. `look_into(i)` gives the worth of hits[i] as they
// come.
void put_worthiest_first(std::vector<Hit>& hits, size_t wanted,
                         const std::function<int64_t(size_t)>& look_into);

}  // namespace holdfast::search
