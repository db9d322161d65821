// memory_maintain: looking after the substrate. Reports and checks read everything and say so;
// changes look candidates up by facets outside the write and judge them again inside it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/clock.h"
#include "base/result.h"
#include "model/call_context.h"
#include "search/index.h"
#include "service/substrate/config.h"
#include "service/substrate/graph_health.h"
#include "service/substrate/lifecycle_rules.h"
#include "service/substrate/page_tree.h"
#include "service/substrate/patch.h"
#include "service/substrate/report.h"
#include "service/substrate/structure.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

struct ConfigureRequest {
  std::optional<std::string> graph_backend = std::nullopt;
  std::optional<std::string> semantic_backend = std::nullopt;
  std::optional<std::string> wiki_path = std::nullopt;
  std::string wiki_format = "obsidian";
};

// A change of many objects; no patch where there was nothing to do.
struct Maintained {
  std::optional<std::string> patch_id = std::nullopt;
  std::vector<std::string> audit_event_ids = {};
  int64_t changed = 0;
  std::vector<std::string> stale_knowledge_ids = {};               // archive_source
  std::vector<std::string> partially_affected_knowledge_ids = {};  // archive_source
  int64_t projection_count = 0;
};

// The state of what is derived, where a backend is configured.
struct DerivedIndexes {
  std::optional<std::string> graph_backend = std::nullopt;
  std::optional<GraphHealth> graph = std::nullopt;
  std::optional<std::string> semantic_backend = std::nullopt;
  std::string semantic_model = {};
  int64_t semantic_objects = 0;  // that have something to embed
  int64_t semantic_vectors = 0;  // that have been
};

struct Reindexed {
  std::vector<std::string> written = {};  // paths of pages
  DerivedIndexes derived = {};
};

struct Repaired {
  Maintained result = {};
  DerivedIndexes derived = {};
};

struct Cycled {
  Maintained promoted = {};
  Maintained merged = {};
  Maintained decayed = {};
  int64_t projection_count = 0;
};

enum class ResolveOutcome : uint8_t { kSupersede, kKeepBoth, kContest };

struct ResolveUpdate {
  std::string knowledge_id = {};
  std::optional<std::string> summary = std::nullopt;
  std::optional<std::vector<std::string>> scope_refs = std::nullopt;
};

struct ResolveRequest {
  ResolveOutcome outcome = ResolveOutcome::kSupersede;
  std::vector<std::string> knowledge_ids = {};
  std::string reason = {};
  std::optional<std::string> canonical_knowledge_id = std::nullopt;
  std::vector<ResolveUpdate> updates = {};
};

struct ArchiveRequest {
  std::string id = {};
  std::string reason = {};
};

struct ReindexRequest {
  std::optional<std::string> graph_backend = std::nullopt;
  std::optional<std::string> semantic_backend = std::nullopt;
};

// Thread-safe. Errors: kInvalidArgument with the contract's sentence.
class MaintainService {
 public:
  MaintainService(storage::Store& store, const access::Gatekeeper& gatekeeper,
                  const search::Index& index, PageTree& pages, const Clock& clock)
      : store_(store), gatekeeper_(gatekeeper), index_(index), pages_(pages), clock_(clock) {}

  // Before the first call: vectors are kept, so a semantic backend can be served.
  void set_semantic(bool available) { semantic_ = available; }

  Result<Config> configure(const CallContext& call, const ConfigureRequest& request);
  Result<std::vector<StructureIssue>> structure(const CallContext& call);
  Result<std::vector<AuditEvent>> audit(const CallContext& call, int64_t max_items);
  Result<Reindexed> reindex(const CallContext& call, const ReindexRequest& request);
  Result<Repaired> repair(const CallContext& call);
  Result<Maintained> promote_candidates(const CallContext& call, const LifecycleParams& params);
  Result<Maintained> merge_duplicates(const CallContext& call);
  Result<Maintained> resolve_duplicates(const CallContext& call, const ResolveRequest& request);
  Result<Maintained> archive_source(const CallContext& call, const ArchiveRequest& request);
  Result<Maintained> archive_knowledge(const CallContext& call, const ArchiveRequest& request);
  Result<Maintained> decay_stale(const CallContext& call, const LifecycleParams& params);
  Result<Cycled> cycle(const CallContext& call, const LifecycleParams& params);
  Result<MaintainReport> report(const CallContext& call, const LifecycleParams& params);
  // kInvalidArgument while no folder is configured.
  Result<RenderedWiki> render_projection(const CallContext& call);
  Result<ReconciledWiki> reconcile_projection(const CallContext& call);

 private:
  // The operations of one mode, decided inside the write; empty: nothing to do. May fill in more of
  // the answer.
  using Decide = std::function<Result<std::vector<Operation>>(
      storage::WriteTxn&, const access::SpaceAccess&, Maintained&)>;
  Result<Maintained> write(const CallContext& call, const std::string& mode, const Decide& decide);
  // Knowledge that `wanted` accepts, now and again inside the write.
  using Wanted = std::function<bool(const Knowledge&)>;
  using Scan = std::function<Status(storage::ReadTxn&, const access::SpaceAccess&,
                                    const std::function<Status(Stored&)>&)>;
  Result<std::vector<std::string>> find(const CallContext& call, const Scan& scan,
                                        const Wanted& wanted);
  Result<DerivedIndexes> derived(storage::ReadTxn& txn, const access::SpaceAccess& access,
                                 const ReindexRequest& request);

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  PageTree& pages_;
  const Clock& clock_;
  bool semantic_ = false;
};

// Knowledge of these ids as it is now; what has gone is left out.
Result<std::vector<Knowledge>> load_knowledge(storage::ReadTxn& txn,
                                              const access::SpaceAccess& access,
                                              const std::vector<std::string>& ids);

}  // namespace holdfast::service::substrate

namespace holdfast {

template <>
struct EnumNames<service::substrate::ResolveOutcome> {
  using Outcome = service::substrate::ResolveOutcome;
  static constexpr std::array<std::pair<Outcome, std::string_view>, 3> kNames = {
      {{Outcome::kSupersede, "supersede"},
       {Outcome::kKeepBoth, "keep_both"},
       {Outcome::kContest, "contest"}}};
};

}  // namespace holdfast
