// Whether memory that was put before agents was of any use.
#pragma once

#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/ids.h"
#include "service/recall/query_types.h"
#include "service/recall/usage.h"
#include "storage/store.h"

namespace holdfast::service::recall {

struct GiveFeedback {
  std::string memory_id = {};
  std::string rating = {};  // relevant, not_relevant
  Text reason = {};
  Text query_context = {};
  Text lookup_id = {};
  Text rater_ref = {};  // nobody in particular: `local`
  Text thread_ref = {};
  Text container_ref = {};  // given: the memory must be of it
};

// At least one; all of them must hold.
struct UsageFilter {
  Text lookup_id = {};
  Text memory_id = {};
  Text thread_ref = {};
  Text container_ref = {};
  int64_t limit = 100;  // at most kMostUsageRows
};
inline constexpr int64_t kMostUsageRows = 500;

struct ObserveUsage {
  std::string row_id = {};
  bool referenced = false;
  Text reference_kind = {};
  std::optional<int64_t> window_turns = {};
};
struct ObservedUsage {
  std::string row_id = {};
  bool updated = true;  // false: it was observed before, and that stays
};

// Thread-safe.
class UsageService {
 public:
  UsageService(storage::Store& store, const access::Gatekeeper& gatekeeper, const Clock& clock)
      : store_(store), gatekeeper_(gatekeeper), ids_(clock) {}

  // A row for each memory that the run injects. Returns the id that the rows share; empty if there
  // was nothing to write down.
  Result<std::string> record(const CallContext& call, const Run& run);
  // Newest first.
  Result<std::vector<UsageRow>> list(const CallContext& call, const UsageFilter& filter) const;
  // kNotFound with reason kUnknownRow.
  Result<ObservedUsage> observe(const CallContext& call, const ObserveUsage& request);
  // The last rating that a rater gives a memory for one query counts. kNotFound.
  Result<Feedback> feedback(const CallContext& call, const GiveFeedback& request);

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  UlidGenerator ids_;
};

namespace reason {
inline constexpr std::string_view kUnknownRow = "unknown_usage_row";
}

}  // namespace holdfast::service::recall
