// Stores new memories and retires the older ones they replace. Works inside one write, so that
// what two items say at the same time is decided one after the other.
#pragma once

#include "access/space_access.h"
#include "service/recall/extract.h"
#include "service/recall/kin.h"
#include "service/recall/memory.h"
#include "service/recall/thread_plan.h"
#include "storage/store.h"

namespace holdfast::service::recall {

inline constexpr size_t kMostCompared = 32;  // memories that a new one is compared with

// What a question was answered with; empty: with nothing.
struct Answer {
  std::string text = {};
  std::string memory_id = {};  // the conclusion that it is, if it is one
};

class MemoryWriter {
 public:
  MemoryWriter(storage::WriteTxn& txn, const access::SpaceAccess& all) : txn_(txn), all_(all) {}

  // What is consolidated is handed to the model afterwards.
  void hand_to_model() { refines_ = true; }

  // Makes the draft a memory of the item. Nothing if it was known and only its evidence grew.
  Result<std::optional<Memory>> add(const Item& item, const Draft& draft, size_t ordinal,
                                    const Kin& kin);
  // Puts other words into a memory, in its place and scope; `item` says them. What said the old
  // words is not derived again from evidence that is there now.
  Result<Memory> rewrite(Memory memory, const Item& item, const Draft& draft);
  // The older one gives way by somebody's word.
  Status replace(Memory& newer, Memory older) { return supersede(newer, std::move(older)); }
  // Stores summary and checkpoint of a thread in place of the older ones.
  Status apply(const ThreadPlan& plan);
  // A question that was asked and answered in an earlier thread; `earlier` are items that may have
  // asked it.
  Status carry_forward(const Item& item, const std::vector<std::string>& earlier);
  // What three threads or more came back to; `related` may belong to it.
  Status find_pattern(const Memory& memory, const std::vector<Memory>& related);
  // Brings the summary of what is known about the fact's subject up to date.
  Status summarise_facts(const Memory& fact);
  Status request_rebuild(const Text& container, const Text& thread, Scope visibility);
  // The thread whose summary speaks of it is to be built again without it.
  Status mourn(const Memory& memory);
  Status save(const Memory& memory);
  Status save(const Item& item);

 private:
  Result<std::vector<Memory>> memories_with(std::string_view facet, const std::string& value,
                                            size_t limit);
  // Suppressed words stay suppressed for a while.
  bool stays_suppressed(const Memory& memory) const;
  void inherit_suppression(Memory& memory, const std::vector<Memory>& same) const;
  // What has the memory's key, in any lifecycle, the newest first.
  Result<std::vector<Memory>> versions_of(const Memory& memory);
  // The one that counts: the active one, or one that stays suppressed. Null if there is none.
  const Memory* standing_of(const std::vector<Memory>& versions) const;
  // Nothing takes the place of the active one.
  Status retire(std::vector<Memory> versions);
  // The memory as the newest version, with an id of its own; the active one has given way.
  Result<Memory> renewed(Memory memory, std::vector<Memory> versions);
  Status retire_similar(Memory& memory, const Draft& draft, const Kin& kin);
  // False: the fact was known, and `memory` is now that one with more evidence.
  Result<bool> settle_fact(Memory& memory);
  // Whether everything the plan rests on is still there and says what it said.
  Result<bool> still_holds(const ThreadPlan& plan);
  Status replace_summary(Memory summary);
  // Stores a consolidated memory in place of the active one of its key.
  Status replace_group(Memory memory);
  Result<Answer> answer_in(const Item& question, Timestamp before);
  Result<bool> carry(const Item& item, const Item& earlier, const std::string& question);
  // Whichever has the older evidence gives way.
  Status settle(Memory& memory, Memory other);
  Status supersede(Memory& newer, Memory older);
  Status replace_thread_memory(const ThreadPlan& plan, std::string_view memory_type,
                               const Value* payload);

  storage::WriteTxn& txn_;
  const access::SpaceAccess& all_;
  // The consolidated memory, and the job that words it anew.
  Status save_consolidated(const Memory& memory);

  bool refines_ = false;
  std::vector<Memory> fresh_ = {};  // of this write: the index does not know them yet
};

}  // namespace holdfast::service::recall
