// A set of objects by their numbers, as bits: small and quick where the numbers lie close together,
// as those of a space do.
#pragma once

#include <cstdint>
#include <vector>

#include "model/object.h"

namespace holdfast::search {

class NumberBits {
 public:
  void add(ObjectNumber number) {
    const auto at = static_cast<uint64_t>(number);
    if (at >> 6 >= words_.size()) words_.resize((at >> 6) + 1);
    words_[at >> 6] |= uint64_t{1} << (at & 63);
  }
  void remove(ObjectNumber number) {
    const auto at = static_cast<uint64_t>(number);
    if (at >> 6 < words_.size()) words_[at >> 6] &= ~(uint64_t{1} << (at & 63));
  }
  bool has(ObjectNumber number) const {
    const auto at = static_cast<uint64_t>(number);
    return (word(at >> 6) >> (at & 63) & 1) != 0;
  }
  // Of the 64 numbers from `first` on, a bit each.
  uint64_t some_from(ObjectNumber first) const {
    const auto at = static_cast<uint64_t>(first);
    const uint64_t low = word(at >> 6) >> (at & 63);
    return (at & 63) == 0 ? low : low | word((at >> 6) + 1) << (64 - (at & 63));
  }

 private:
  uint64_t word(uint64_t at) const { return at < words_.size() ? words_[at] : 0; }

  std::vector<uint64_t> words_;
};

}  // namespace holdfast::search
