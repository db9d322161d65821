// What a thread's memory is to become: read and worded before the write that stores it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/space_access.h"
#include "search/index.h"
#include "service/recall/extract.h"
#include "service/recall/thread_memory.h"
#include "storage/store.h"

namespace holdfast::service::recall {

// A decision that only the thread as a whole shows, with the item that it quotes.
struct ThreadDecision {
  Item item = {};
  Draft draft = {};
};

struct ThreadPlan {
  std::string scope = {};
  ThreadView view = {};
  Value summary = {};
  std::optional<Value> checkpoint = {};
  std::vector<ThreadDecision> decisions = {};

  bool is_thread() const { return view.items.size() >= 2; }  // one item alone is none yet
};

Result<ThreadPlan> plan_thread(storage::ReadTxn& txn, const search::Index& index,
                               const access::SpaceAccess& all, const std::string& scope);

}  // namespace holdfast::service::recall
