// Texts numbered from 0 in the order of their arrival. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/prefetch.h"

namespace holdfast::search {

class StringPool {
 public:
  static uint32_t hash_of(std::string_view text);

  // The number of the text, given now if it is new.
  uint32_t intern(std::string_view text) { return intern(text, hash_of(text)); }
  uint32_t intern(std::string_view text, uint32_t hash);  // where the hash is known
  // What intern() will look at begins to be fetched, for those who know several texts ahead. Each
  // step needs what the one before fetched: all slots, then all places, then all bytes.
  void fetch_slot(uint32_t hash) const { prefetch(&slots_[slot_at(hash)]); }
  void fetch_place(uint32_t hash) const { prefetch(&offsets_[slots_[slot_at(hash)].id_plus_one]); }
  void fetch_bytes(uint32_t hash) const {
    const uint32_t id_plus_one = slots_[slot_at(hash)].id_plus_one;
    if (id_plus_one != 0) prefetch(bytes_.data() + offsets_[id_plus_one - 1]);
  }
  std::optional<uint32_t> find(std::string_view text) const;
  // Points into the pool: valid until the next intern().
  std::string_view text(uint32_t id) const {
    return std::string_view(bytes_).substr(offsets_[id], offsets_[id + 1] - offsets_[id]);
  }
  uint32_t size() const { return static_cast<uint32_t>(offsets_.size() - 1); }
  size_t memory_bytes() const {
    return bytes_.capacity() + offsets_.capacity() * 4 + slots_.capacity() * 8;
  }

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t id_plus_one = 0;  // 0: free
  };

  size_t slot_at(uint32_t hash) const { return hash & (slots_.size() - 1); }
  // The slot that holds the text, or the free one where it belongs.
  size_t slot_of(std::string_view text, uint32_t hash) const;
  void grow();

  std::string bytes_;
  std::vector<uint32_t> offsets_ = {0};
  std::vector<Slot> slots_ = std::vector<Slot>(64);
};

}  // namespace holdfast::search
