// Ordering hits by where their words are (FieldOrder in request.h).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
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
  static constexpr uint32_t kWholeWeight =
      std::accumulate(kFieldWeights.begin(), kFieldWeights.end(), uint32_t{0});

  std::array<int64_t, 1U << kFieldCount> of_set_ = {};
  std::array<int64_t, kWholeWeight + 1> most_ = {};  // by frequency
};

// A hit by its place in the order it came in, and what it is worth.
struct Worth {
  size_t hit = 0;
  int64_t worth = 0;
  bool is_sure = false;  // it was looked into; otherwise worth at most this
  size_t place = 0;      // while they are sorted
};

// `most` is the most that each hit can be worth, the better ones first. Looks into them, the most
// promising first, until `wanted` of them are worth no less than any other can be; among equals
// those come first that were looked into.
struct LookingInto {
  // These will be looked into most often, in this order: what takes time to come can be on its way.
  std::function<void(std::span<const Worth> first)> prepare;
  std::function<int64_t(size_t hit)> worth;
};
std::vector<Worth> worthiest_first(std::span<const int64_t> most, size_t wanted,
                                   const LookingInto& look_into);

}  // namespace holdfast::search
