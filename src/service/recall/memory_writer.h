// Stores new memories and retires the older ones they replace. Works inside one write, so that
// what two items say at the same time is decided one after the other.
#pragma once

#include "access/space_access.h"
#include "service/recall/extract.h"
#include "service/recall/memory.h"
#include "storage/store.h"

namespace holdfast::service::recall {

class MemoryWriter {
 public:
  MemoryWriter(storage::WriteTxn& txn, const access::SpaceAccess& all) : txn_(txn), all_(all) {}

  // Makes the draft a memory of the item. Nothing if it was known and only its evidence grew.
  Result<std::optional<Memory>> add(const Item& item, const Draft& draft, size_t ordinal);
  // Rebuilds summary and checkpoint of a thread; nothing with fewer than two items.
  Status rebuild(const std::string& scope);
  // A question that was asked and answered in an earlier thread; `earlier` are items that may have
  // asked it.
  Status carry_forward(const Item& item, const std::vector<std::string>& earlier);
  // What three threads or more came back to.
  Status find_pattern_with(const Memory& memory);
  Status request_rebuild(const Text& container, const Text& thread, Scope visibility);
  Status save(const Memory& memory);

 private:
  Result<std::vector<Memory>> memories_with(std::string_view facet, const std::string& value,
                                            size_t limit);
  Status retire_similar(Memory& memory, const Draft& draft);
  Result<bool> settle_fact(Memory& memory);
  Status summarise_facts(const Memory& fact);
  // Stores a consolidated memory in place of the active one of its key.
  Status replace_group(Memory memory);
  Result<std::string> answer_in(const Item& question);
  Status supersede(Memory& newer, Memory older);
  Status replace_thread_memory(const std::string& scope, std::string_view memory_type,
                               const Value* payload, const std::vector<Item>& items);

  storage::WriteTxn& txn_;
  const access::SpaceAccess& all_;
};

}  // namespace holdfast::service::recall
