// One memory in full, and what people think of it.
#pragma once

#include "access/gatekeeper.h"
#include "service/recall/item.h"
#include "service/recall/memory.h"
#include "storage/store.h"

namespace holdfast::service::recall {

struct Expand {
  std::string memory_id = {};
  std::string container_ref = {};
  Text actor_ref = {};
};
struct Expanded {
  Memory memory = {};
  std::vector<Item> items = {};  // chronological
};

struct FlagMemory {
  std::string memory_id = {};
  std::string reason = {};
  std::string source_ref = {};
  bool immediate = false;
};
struct Flagged {
  std::string memory_id = {};
  int64_t flag_count = 0;
  int64_t unique_sources = 0;
  bool suppressed = false;
};

class MemoryService {
 public:
  MemoryService(storage::Store& store, const access::Gatekeeper& gatekeeper)
      : store_(store), gatekeeper_(gatekeeper) {}

  // kNotFound for whatever may not be seen from that container, existing or not.
  Result<Expanded> expand(const CallContext& call, const Expand& request) const;
  // kNotFound.
  Result<Flagged> flag(const CallContext& call, const FlagMemory& request);

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
};

}  // namespace holdfast::service::recall
