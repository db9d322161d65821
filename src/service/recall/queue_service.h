// How the background work stands.
#pragma once

#include <map>

#include "access/gatekeeper.h"
#include "base/clock.h"
#include "search/index.h"
#include "service/recall/item.h"
#include "service/recall/queue_settings.h"
#include "service/recall/retention.h"
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
  std::chrono::seconds lease{900};  // of both kinds of attempts
  bool retention_enabled = false;
  RetentionState retention = {};
};

class QueueService {
 public:
  QueueService(storage::Store& store, const access::Gatekeeper& gatekeeper,
               const search::Index& index, const Clock& clock, const QueueSettings& settings)
      : store_(store), gatekeeper_(gatekeeper), index_(index), clock_(clock), settings_(settings) {}

  // As far as the caller's token reaches.
  Result<QueueHealth> health(const CallContext& call) const;
  // kPermissionDenied for all but administrators.
  Status check_admin(const CallContext& call) const;
  // Gives failed items all their attempts again; returns how many. For administrators.
  Result<int64_t> retry_failed(const CallContext& call);

 private:
  Status count(const access::SpaceAccess& access, Timestamp now, QueueHealth& health) const;
  Status read_jobs(storage::ReadTxn& txn, const access::SpaceAccess& access, Timestamp now,
                   QueueHealth& health) const;
  Status read_failures(storage::ReadTxn& txn, const access::SpaceAccess& access,
                       QueueHealth& health) const;

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const Clock& clock_;
  const QueueSettings settings_;
};

}  // namespace holdfast::service::recall
