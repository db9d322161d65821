// Evidence comes in: stored, searchable and queued for extraction in one commit.
#pragma once

#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "service/recall/item.h"
#include "service/recall/memory.h"
#include "service/recall/queue_settings.h"
#include "storage/store.h"

namespace holdfast::service::recall {

struct NewItem {
  std::string source_type = {};
  std::string source_id = {};
  std::string content_type = {};
  std::string content = {};
  Text container_ref = {};
  Scope visibility = Scope::kPrivate;
  Text thread_ref = {};
  Text actor_ref = {};
  Text agent_ref = {};
  Text source_ref = {};
  Text role = {};
  Text artifact_kind = {};
  std::vector<std::string> work_refs = {};
  std::optional<Timestamp> occurred_at = {};
  Value metadata = {};
  std::string use_case = std::string(kUseCase);
};

// An item with everything that was made of it.
struct ItemState {
  Item item = {};
  std::vector<Memory> memories = {};  // that it supports, in any lifecycle
  bool vectors = false;               // each of them has a vector as well

  // Whether the memory of its thread was built with it.
  bool thread_is_built() const;
};

namespace reason {
inline constexpr std::string_view kUnknownUseCase = "unsupported_use_case";
}

inline constexpr std::string_view kItemQueue = "recall_item";
inline constexpr std::string_view kThreadQueue = "recall_thread";
inline constexpr std::chrono::seconds kRetentionPause{300};
inline constexpr std::string_view kRefineQueue = "recall_refine";
inline constexpr std::string_view kRetentionQueue = "recall_retention";

// `git:github.com/Owner/Repo.git/` in one spelling; everything else as it is.
std::string canonical_container(const std::string& container);
// Normalised, without repetitions; `most` 0: all of them.
std::vector<std::string> normalised_refs(const std::vector<std::string>& refs, size_t most);

class IngestService {
 public:
  IngestService(storage::Store& store, const access::Gatekeeper& gatekeeper, Backlog& backlog,
                const QueueSettings& queue)
      : store_(store), gatekeeper_(gatekeeper), backlog_(backlog), queue_(queue) {}

  // Every item and memory has a vector as well. At the start.
  void show_vectors() { vectors_ = true; }

  // All of them or none. A pair (source_type, source_id) that is known gives the stored item as it
  // is now; one that the caller may not see looks as if it were new. kInvalidArgument with reason
  // kUnknownUseCase, kPermissionDenied for a container beyond the caller's token, kUnavailable
  // while too many items wait for the pipeline.
  Result<std::vector<ItemState>> ingest(const CallContext& call, const std::vector<NewItem>& items);
  // kNotFound, also for what the caller may not see.
  Result<ItemState> state(const CallContext& call, const std::string& id) const;

 private:
  class Writing;
  Status check(const access::SpaceAccess& access, const std::vector<NewItem>& items) const;

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  Backlog& backlog_;
  const QueueSettings queue_;
  bool vectors_ = false;
};

}  // namespace holdfast::service::recall
