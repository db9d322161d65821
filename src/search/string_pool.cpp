#include "search/string_pool.h"

// Most texts are words: calling the library takes longer than the hash.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace holdfast::search {

uint32_t StringPool::hash_of(std::string_view text) {
  return static_cast<uint32_t>(XXH3_64bits(text.data(), text.size()));
}

size_t StringPool::slot_of(std::string_view wanted, uint32_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  while (slots_[at].id_plus_one != 0) {
    if (slots_[at].hash == hash && text(slots_[at].id_plus_one - 1) == wanted) break;
    at = (at + 1) & mask;
  }
  return at;
}

std::optional<uint32_t> StringPool::find(std::string_view wanted) const {
  const Slot& slot = slots_[slot_of(wanted, hash_of(wanted))];
  if (slot.id_plus_one == 0) return std::nullopt;
  return slot.id_plus_one - 1;
}

uint32_t StringPool::intern(std::string_view wanted, uint32_t hash) {
  size_t at = slot_of(wanted, hash);
  if (slots_[at].id_plus_one != 0) return slots_[at].id_plus_one - 1;
  if ((offsets_.size() + 1) * 10 > slots_.size() * 7) {
    grow();
    at = slot_of(wanted, hash);
  }
  const uint32_t id = size();
  bytes_.append(wanted);
  offsets_.push_back(static_cast<uint32_t>(bytes_.size()));
  slots_[at] = {hash, id + 1};
  return id;
}

void StringPool::grow() {
  std::vector<Slot> old = std::move(slots_);
  slots_ = std::vector<Slot>(old.size() * 2);
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id_plus_one == 0) continue;
    size_t at = slot.hash & mask;
    while (slots_[at].id_plus_one != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace holdfast::search
