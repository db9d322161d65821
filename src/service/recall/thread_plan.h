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
  bool is_thread = false;  // of two items or more, though only one may be in view
  ThreadView view = {};
  Value summary = {};
  std::optional<Value> checkpoint = {};
  std::vector<ThreadDecision> decisions = {};
};

Result<ThreadPlan> plan_thread(storage::ReadTxn& txn, const search::Index& index,
                               const access::SpaceAccess& all, const std::string& scope);

}  // namespace holdfast::service::recall
