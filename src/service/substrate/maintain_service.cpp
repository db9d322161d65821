#include "service/substrate/maintain_service.h"

#include <algorithm>

#include <fmt/format.h>

#include "service/substrate/idempotent.h"
#include "service/substrate/ingest_paths.h"
#include "service/substrate/page_count.h"
#include "service/substrate/query_service.h"
#include "service/substrate/wiki_export.h"
#include "service/substrate/words.h"

namespace holdfast {

using service::substrate::Maintained;

template <>
const Codec<Maintained>& codec_of<Maintained>() {
  static const Codec<Maintained> codec =
      Codec<Maintained>()
          .field("patch_id", &Maintained::patch_id)
          .field("audit_event_ids", &Maintained::audit_event_ids)
          .field("changed", &Maintained::changed)
          .field("stale_knowledge_ids", &Maintained::stale_knowledge_ids)
          .field("partially_affected_knowledge_ids", &Maintained::partially_affected_knowledge_ids);
  return codec;
}

namespace service::substrate {
namespace {

using access::Permission;
using access::SpaceAccess;
using storage::WriteTxn;

constexpr std::string_view kDefaultModel = "BAAI/bge-m3";

WikiTarget target_of(const Config& config) {
  return {.path = *config.wiki_path, .format = config.wiki_format.value_or("obsidian")};
}

Error not_configured() {
  return invalid_argument(
      "wiki_projection is not configured. Use memory_maintain configure first.");
}

}  // namespace

Result<std::vector<Knowledge>> load_knowledge(storage::ReadTxn& txn, const SpaceAccess& access,
                                              const std::vector<std::string>& ids) {
  std::vector<Knowledge> out;
  for (const std::string& id : ids) {
    HOLDFAST_TRY(const auto stored, find_stored(txn, access, id));
    if (!stored || stored->type != ObjectType::kKnowledge) continue;
    HOLDFAST_TRY(Knowledge knowledge, struct_of<Knowledge>(*stored));
    out.push_back(std::move(knowledge));
  }
  return out;
}

Result<Maintained> MaintainService::write(const CallContext& call, const std::string& mode,
                                          const Decide& decide) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  const auto act = [&](WriteTxn& txn) -> Result<Maintained> {
    Maintained answer;
    HOLDFAST_TRY(auto operations, decide(txn, access, answer));
    if (operations.empty()) return answer;
    HOLDFAST_TRY(AppliedPatch applied,
                 apply_patch(txn, access,
                             {.actor = system_actor("memory.maintain." + mode),
                              .operations = std::move(operations)}));
    answer.patch_id = std::move(applied.patch_id);
    answer.audit_event_ids = std::move(applied.audit_event_ids);
    return answer;
  };
  const auto about = [](const Maintained&) { return std::vector<ObjectKey>(); };
  HOLDFAST_TRY(Maintained answer,
               write_once<Maintained>(store_, call, access, {.operation = "maintain", .part = mode},
                                      act, about));
  HOLDFAST_TRY(answer.projection_count, count_pages(index_, access));
  return answer;
}

Result<Config> MaintainService::configure(const CallContext& call,
                                          const ConfigureRequest& request) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  // A folder outside the data folder is the owner's to give. It stays where it is whichever process
  // writes there later.
  std::optional<std::string> wiki_path;
  if (request.wiki_path) {
    HOLDFAST_TRY(const auto admin, gatekeeper_.require_admin(call));
    static_cast<void>(admin);
    if (is_blank(*request.wiki_path))
      return invalid_argument("wiki_projection.path must name a folder.");
    HOLDFAST_TRY(wiki_path, absolute_path(*request.wiki_path));
  }
  return storage::write_returning<Config>(store_, call, [&](WriteTxn& txn) -> Result<Config> {
    HOLDFAST_TRY(Config config, read_config(txn, access));
    if (request.graph_backend) config.graph_backend = request.graph_backend;
    if (request.semantic_backend) {
      config.semantic_backend = request.semantic_backend;
      config.semantic_model = std::string(kDefaultModel);
    }
    if (wiki_path) {
      config.wiki_path = wiki_path;
      config.wiki_format = request.wiki_format;
    }
    HOLDFAST_CHECK_OK(write_config(txn, access, config));
    return config;
  });
}

Result<std::vector<StructureIssue>> MaintainService::structure(const CallContext& call) {
  HOLDFAST_TRY(const SpaceAccess access, require_read(gatekeeper_, call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(auto issues, find_structure_issues(*txn, access));
  HOLDFAST_TRY(const auto pages, pages_.check(*txn, access));
  issues.insert(issues.end(), pages.begin(), pages.end());
  return issues;
}

Result<std::vector<AuditEvent>> MaintainService::audit(const CallContext& call, int64_t max_items) {
  constexpr int64_t kMaxEvents = 100'000;
  HOLDFAST_TRY(const SpaceAccess access, require_read(gatekeeper_, call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  return last_events(*txn, access, static_cast<size_t>(std::min(max_items, kMaxEvents)));
}

Result<DerivedIndexes> MaintainService::derived(storage::ReadTxn& txn, const SpaceAccess& access,
                                                const ReindexRequest& request) {
  HOLDFAST_TRY(const Config config, read_config(txn, access));
  DerivedIndexes out;
  out.graph_backend = request.graph_backend ? request.graph_backend : config.graph_backend;
  if (out.graph_backend) {
    HOLDFAST_TRY(out.graph, graph_health(txn, access));
  }
  out.semantic_backend =
      request.semantic_backend ? request.semantic_backend : config.semantic_backend;
  if (!out.semantic_backend) return out;
  out.semantic_model = config.semantic_model.value_or(std::string(kDefaultModel));
  for (const ObjectType type : kObjectTypes) {
    HOLDFAST_CHECK_OK(each_stored(txn, access, type, [&](Stored& stored) -> Status {
      ++out.semantic_objects;
      out.semantic_vectors += index_.has_vector(access.space(), stored.object.number) ? 1 : 0;
      return {};
    }));
  }
  return out;
}

Result<Reindexed> MaintainService::reindex(const CallContext& call, const ReindexRequest& request) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  Reindexed out;
  {
    HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
    HOLDFAST_TRY(out.derived, derived(*txn, access, request));
  }
  if (out.derived.semantic_backend && !semantic_) return semantic_unavailable();
  HOLDFAST_TRY(out.written, pages_.rebuild(access.space(), call.deadline));
  return out;
}

Result<Repaired> MaintainService::repair(const CallContext& call) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  std::vector<std::string> suspects;
  Repaired out;
  {
    HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
    HOLDFAST_TRY(const auto issues, find_structure_issues(*txn, access));
    for (const StructureIssue& issue : issues) {
      if (issue.kind == "missing_reference") add_once(suspects, issue.target_id);
    }
  }
  HOLDFAST_TRY(out.result,
               write(call, "repair",
                     [&](WriteTxn& txn, const SpaceAccess& inside,
                         Maintained& answer) -> Result<std::vector<Operation>> {
                       std::vector<Operation> operations;
                       const auto exists = [&](const std::string& id) -> Result<bool> {
                         HOLDFAST_TRY(const auto found, find_stored(txn, inside, id));
                         return found.has_value();
                       };
                       for (const std::string& id : suspects) {
                         HOLDFAST_TRY(const auto stored, find_stored(txn, inside, id));
                         if (!stored) continue;
                         HOLDFAST_TRY(const auto missing,
                                      missing_references(stored->view(), exists));
                         if (missing.empty()) continue;
                         operations.push_back(repair_operation(stored->view(), missing));
                       }
                       answer.changed = static_cast<int64_t>(operations.size());
                       return operations;
                     }));
  // Pages that went astray are made anew; where there were none, none are.
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(out.derived, derived(*txn, access, {}));
  HOLDFAST_TRY(const auto astray, pages_.check(*txn, access));
  if (!astray.empty()) {
    HOLDFAST_TRY(const auto written, pages_.rebuild(access.space(), call.deadline));
    out.result.projection_count = static_cast<int64_t>(written.size());
  } else if (!out.result.patch_id) {
    out.result.projection_count = 0;
  }
  return out;
}

Result<MaintainReport> MaintainService::report(const CallContext& call,
                                               const LifecycleParams& params) {
  HOLDFAST_TRY(const SpaceAccess access, require_read(gatekeeper_, call));
  HOLDFAST_TRY(const LifecycleRules rules, rules_of(params, clock_.now()));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  return make_report(*txn, access, rules);
}

Result<RenderedWiki> MaintainService::render_projection(const CallContext& call) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const Config config, read_config(*txn, access));
  if (!config.wiki_path) return not_configured();
  return render_wiki(*txn, access, target_of(config), clock_.now());
}

Result<ReconciledWiki> MaintainService::reconcile_projection(const CallContext& call) {
  HOLDFAST_TRY(const SpaceAccess access, require_read(gatekeeper_, call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const Config config, read_config(*txn, access));
  if (!config.wiki_path) return not_configured();
  return reconcile_wiki(target_of(config));
}

}  // namespace service::substrate
}  // namespace holdfast
