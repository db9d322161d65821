// Values by number: grows, forgets nothing, and lies in one piece of memory, where a node each
// would cost a miss of the cache each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace holdfast::search {

// Keys are below 2^64 - 1. Not thread-safe.
template <typename T>
class FlatTable {
 public:
  explicit FlatTable(size_t expected) : slots_(std::bit_ceil(2 * expected + 2)) {}

  // Made from nothing if it is new. Good until the next call.
  T& operator[](uint64_t key) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    Slot& slot = slot_of(*this, key);
    if (slot.key == 0) {
      slot.key = key + 1;
      ++used_;
    }
    return slot.value;
  }
  // nullptr if it was never asked for. Good until the next call that may add one.
  const T* find(uint64_t key) const {
    const Slot& slot = slot_of(*this, key);
    return slot.key == 0 ? nullptr : &slot.value;
  }

 private:
  struct Slot {
    uint64_t key = 0;  // plus one; 0: free
    T value = {};
  };

  // Its slot, or the free one where it belongs.
  template <typename Table>
  static auto& slot_of(Table& table, uint64_t key) {
    // Neighbouring numbers land far apart: what follows from the product's upper bits.
    const uint64_t mixed = key * 0x9E3779B97F4A7C15U;
    for (size_t at = mixed >> 32U;; ++at) {
      auto& slot = table.slots_[at & (table.slots_.size() - 1)];
      if (slot.key == 0 || slot.key == key + 1) return slot;
    }
  }

  void grow() {
    std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    for (Slot& slot : old) {
      if (slot.key != 0) slot_of(*this, slot.key - 1) = std::move(slot);
    }
  }

  std::vector<Slot> slots_;
  size_t used_ = 0;
};

}  // namespace holdfast::search
