// Forgetting, inside one write: what goes, what goes with it because it repeats it, and what stays
// behind so that it does not come back.
#pragma once

#include <set>
#include <string>

#include "access/space_access.h"
#include "service/recall/memory.h"
#include "service/recall/memory_writer.h"
#include "storage/store.h"

namespace holdfast::service::recall {

inline constexpr size_t kMostEdges = 500;  // of one object, read at a time

class Erasure {
 public:
  Erasure(storage::WriteTxn& txn, const access::SpaceAccess& all)
      : txn_(txn), all_(all), writer_(txn, all) {}

  // The memory with its earlier versions and everything that quotes it. It is not derived again.
  Status forget(const Memory& memory);
  // The turn, what rests on it alone, and what was worded from it among others. Its pair
  // (source_type, source_id) stays taken.
  Status forget(const Item& item);
  // What was drawn from the memory among others: it says what the memory no longer does.
  Status drop_drawn_from(const Memory& memory);
  // The object, what was written only to back it, and what was said about it.
  Status erase(const Memory& memory, std::string_view why);

 private:
  // With what quotes it; it may be derived anew.
  Status drop(const Memory& memory);
  Status drop_thread_memory(const Memory& memory);
  Status drop_versions(const Memory& memory);
  Status erase_all(std::string_view kind, std::string_view facet, const std::string& value);
  Status lose_evidence(Memory memory, const Item& item);

  storage::WriteTxn& txn_;
  const access::SpaceAccess& all_;
  MemoryWriter writer_;
  std::set<std::string> erased_ = {};  // ids of memories
};

}  // namespace holdfast::service::recall
