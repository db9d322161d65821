// How the background work stands.
#pragma once

#include <map>

#include "access/gatekeeper.h"
#include "base/clock.h"
#include "search/index.h"
#include "service/recall/item.h"
#include "storage/store.h"

namespace holdfast::service::recall {

struct QueueHealth {
  std::map<std::string, int64_t> counts = {};      // by status; none of 0
  std::map<std::string, int64_t> counts_24h = {};  // of items that came within a day
  std::optional<int64_t> oldest_pending_seconds = {};
  int64_t backing_off = 0;  // pending, and waiting before the next attempt
  std::vector<storage::Job> leased_items = {};
  std::vector<storage::Job> leased_threads = {};
  std::vector<Item> failures = {};  // newest first
};

class QueueService {
 public:
  QueueService(storage::Store& store, const access::Gatekeeper& gatekeeper,
               const search::Index& index, const Clock& clock)
      : store_(store), gatekeeper_(gatekeeper), index_(index), clock_(clock) {}

  Result<QueueHealth> health(const CallContext& call) const;

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const Clock& clock_;
};

}  // namespace holdfast::service::recall
