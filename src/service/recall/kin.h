// What is known already and may be touched by a new memory. It is looked up in the index before the
// write, so that the write itself reads only what it changes; the write checks again that it still
// stands.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/space_access.h"
#include "search/index.h"
#include "service/recall/extract.h"
#include "service/recall/memory.h"
#include "storage/store.h"

namespace holdfast::service::recall {

struct Kin {
  std::vector<std::string> replaced = {};  // ids: they say the same, or the draft replaces them
  std::vector<Memory> related = {};        // they share words or work: a pattern may be there
};

// What one item is to become. Everything that takes time is done.
struct ItemPlan {
  std::string id = {};
  int64_t attempts = 0;  // of this job
  Timestamp claimed_at = {};
  std::vector<Draft> drafts = {};
  std::vector<Kin> kin = {};                   // of each draft
  std::vector<std::string> asked_before = {};  // ids of items that may have asked the same
};

// Whether the new decision says that it takes the place of that one.
bool replaces(const Draft& draft, const Memory& older);
// A memory as the draft makes it, before anything is superseded.
Memory memory_from(const Item& item, const Draft& draft, size_t ordinal, Timestamp now);

// kNotFound; kCorrupted.
Result<Item> read_item(storage::ReadTxn& txn, const access::SpaceAccess& all,
                       const std::string& id);

Result<Memory> read_memory(storage::ReadTxn& txn, const access::SpaceAccess& all,
                           const std::string& id);

class KinFinder {
 public:
  KinFinder(storage::ReadTxn& txn, const search::Index& index, const access::SpaceAccess& all)
      : txn_(txn), index_(index), all_(all) {}

  Result<Kin> of(const Item& item, const Draft& draft);
  Result<std::vector<std::string>> asked_before(const Item& item);

 private:
  // Adds what shares words with an older one of them: a pattern holds together by its oldest
  // member, and the new memory may share nothing with the others.
  Status widen(const Memory& memory, std::vector<Memory>& related);
  // The newest decision whose words the draft says it replaces.
  Result<std::optional<std::string>> replaced_by(const Draft& draft, const Memory& memory);
  // Those of its container and visibility that share words or work with it.
  Result<std::vector<Memory>> related_to(const Memory& memory);
  Result<std::vector<Memory>> find(const search::SearchRequest& request);
  Result<std::vector<Memory>> read(const std::vector<ObjectNumber>& numbers);
  search::Filter filter_for(const Memory& memory, std::vector<std::string> types) const;

  storage::ReadTxn& txn_;
  const search::Index& index_;
  const access::SpaceAccess& all_;
};

}  // namespace holdfast::service::recall
