// Lets go of what nobody needs any more: superseded memory, stale working memory, old raw items
// that back nothing lasting, and what was kept for inspection. Off unless the settings say so.
#pragma once

#include <optional>

#include "access/gatekeeper.h"
#include "jobs/job_runner.h"
#include "model/noun.h"
#include "service/recall/item.h"
#include "service/recall/memory.h"
#include "storage/store.h"

namespace holdfast::service::recall {

// What the last run did.
struct RetentionState {
  std::optional<Timestamp> started_at = {};
  std::optional<Timestamp> completed_at = {};
  int64_t items = 0;
  int64_t memories = 0;
  int64_t relations = 0;
  int64_t index_entries = 0;
  int64_t stripped = 0;
  int64_t skipped = 0;   // protected items
  bool goes_on = false;  // there was more than one batch; the run is not over
};

const Noun<RetentionState>& retention_noun();
inline ObjectKey retention_key() { return {.kind = retention_noun().kind, .id = "state"}; }

class Retention {
 public:
  explicit Retention(const access::Gatekeeper& gatekeeper) : gatekeeper_(gatekeeper) {}

  // Before the runner starts. Items enqueue the first run of their space.
  void add_to(jobs::JobRunner& runner);

 private:
  Result<storage::WriteClosure> run(const storage::Job& job) const;

  const access::Gatekeeper& gatekeeper_;
};

}  // namespace holdfast::service::recall
