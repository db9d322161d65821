// Memory that is derived again and again under one key: of a thread, of facts, of what was drawn
// together. One version of a key is active; what somebody flagged is never overwritten.
#include <algorithm>

#include "service/recall/memory_writer.h"

namespace holdfast::service::recall {
namespace {

constexpr auto kFlagMemory = std::chrono::hours(24 * 30);

}  // namespace

bool MemoryWriter::stays_suppressed(const Memory& memory) const {
  return memory.lifecycle == "suppressed" && memory.suppressed_at + kFlagMemory > txn_.now();
}

void MemoryWriter::inherit_suppression(Memory& memory, const std::vector<Memory>& same) const {
  if (memory.by_hand) return;
  for (const Memory& older : same) {
    if (!stays_suppressed(older)) continue;
    memory.lifecycle = "suppressed";
    memory.suppressed_at = std::max(memory.suppressed_at, older.suppressed_at);
  }
}

Result<std::vector<Memory>> MemoryWriter::versions_of(const Memory& memory) {
  return memories_with(facet::kCanon, keyed_facet(memory, memory.canonical_key), kMostCompared);
}

const Memory* MemoryWriter::standing_of(const std::vector<Memory>& versions) const {
  const auto stands = [&](const Memory& one) {
    return one.lifecycle == "active" || stays_suppressed(one);
  };
  const auto found = std::ranges::find_if(versions, stands);
  return found == versions.end() ? nullptr : &*found;
}

Status MemoryWriter::retire(std::vector<Memory> versions) {
  for (Memory& old : versions) {
    if (old.lifecycle != "active") continue;
    old.lifecycle = "superseded";
    old.superseded_at = txn_.now();
    HOLDFAST_CHECK_OK(save(old));
  }
  return {};
}

Result<Memory> MemoryWriter::renewed(Memory memory, std::vector<Memory> versions) {
  inherit_suppression(memory, versions);
  // The newest version makes the id another one whenever the same is said again.
  memory.id = derived_id({memory.type, keyed_facet(memory, memory.canonical_key),
                          to_json(without_times(memory.payload)),
                          versions.empty() ? "" : std::string_view(versions.front().id)});
  for (Memory& old : versions) HOLDFAST_CHECK_OK(supersede(memory, std::move(old)));
  return memory;
}

}  // namespace holdfast::service::recall
