// MaintainService: promoting, merging, decaying, archiving and resolving knowledge.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "service/substrate/claim.h"
#include "service/substrate/maintain_service.h"
#include "service/substrate/query_service.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

using access::SpaceAccess;
using storage::WriteTxn;
using Operations = Result<std::vector<Operation>>;

Facet text_facet(std::string_view name, std::string_view value) {
  return Facet::of(std::string(name), std::string(value));
}

}  // namespace

Result<std::vector<std::string>> MaintainService::find(const CallContext& call, const Scan& scan,
                                                       const Wanted& wanted) {
  HOLDFAST_TRY(const SpaceAccess access, require_read(gatekeeper_, call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  std::vector<std::string> ids;
  HOLDFAST_CHECK_OK(scan(*txn, access, [&](Stored& stored) -> Status {
    HOLDFAST_TRY(const Knowledge knowledge, struct_of<Knowledge>(stored));
    if (wanted(knowledge)) ids.push_back(knowledge.id);
    return {};
  }));
  std::ranges::sort(ids);
  return ids;
}

Result<Maintained> MaintainService::promote_candidates(const CallContext& call,
                                                       const LifecycleParams& params) {
  HOLDFAST_TRY(const LifecycleRules rules, rules_of(params, clock_.now()));
  const auto wanted = [&](const Knowledge& one) { return is_promotable(one, rules); };
  const auto scan = [](storage::ReadTxn& txn, const SpaceAccess& access, const auto& visit) {
    return each_stored_with(txn, access, ObjectType::kKnowledge,
                            text_facet(facet::kStatus, "candidate"), visit);
  };
  HOLDFAST_TRY(const auto ids, find(call, scan, wanted));
  return write(
      call, "promote_candidates",
      [&](WriteTxn& txn, const SpaceAccess& access, Maintained& answer) -> Operations {
        HOLDFAST_TRY(const auto members, load_knowledge(txn, access, ids));
        std::vector<Operation> operations;
        for (const Knowledge& one : members) {
          if (!wanted(one)) continue;
          operations.push_back(update(ObjectType::kKnowledge, one.id,
                                      Value::object({{"status", "active"},
                                                     {"last_verified_at", time_text(txn.now())},
                                                     {"reason", "maintain_promote_candidates"}})));
        }
        answer.changed = static_cast<int64_t>(operations.size());
        return operations;
      });
}

Result<Maintained> MaintainService::merge_duplicates(const CallContext& call) {
  const auto scan = [](storage::ReadTxn& txn, const SpaceAccess& access, const auto& visit) {
    return each_stored_with(txn, access, ObjectType::kKnowledge, text_facet(facet::kKind, "fact"),
                            visit);
  };
  const auto wanted = [](const Knowledge& one) {
    return !one.subject_refs.empty() && !is_retired(one.status);
  };
  HOLDFAST_TRY(const auto ids, find(call, scan, wanted));
  return write(call, "merge_duplicates",
               [&](WriteTxn& txn, const SpaceAccess& access, Maintained& answer) -> Operations {
                 HOLDFAST_TRY(const auto members, load_knowledge(txn, access, ids));
                 std::vector<Operation> operations;
                 for (const KnowledgeGroup& group : duplicate_groups(members)) {
                   for (Operation& one : merge_group(group, time_text(txn.now()))) {
                     operations.push_back(std::move(one));
                   }
                   answer.changed += static_cast<int64_t>(group.size()) - 1;
                 }
                 return operations;
               });
}

Result<Maintained> MaintainService::decay_stale(const CallContext& call,
                                                const LifecycleParams& params) {
  HOLDFAST_TRY(const LifecycleRules rules, rules_of(params, clock_.now()));
  const auto wanted = [&](const Knowledge& one) { return is_stale(one, rules); };
  const auto scan = [&](storage::ReadTxn& txn, const SpaceAccess& access, const auto& visit) {
    return each_stored_until(txn, access, ObjectType::kKnowledge, facet::kVerified,
                             to_micros(rules.stale_before), visit);
  };
  HOLDFAST_TRY(const auto ids, find(call, scan, wanted));
  return write(call, "decay_stale",
               [&](WriteTxn& txn, const SpaceAccess& access, Maintained& answer) -> Operations {
                 HOLDFAST_TRY(const auto members, load_knowledge(txn, access, ids));
                 std::vector<Operation> operations;
                 for (const Knowledge& one : members) {
                   if (!wanted(one)) continue;
                   operations.push_back(change_status(ObjectType::kKnowledge, one.id, "stale",
                                                      "maintain_decay_stale"));
                 }
                 answer.changed = static_cast<int64_t>(operations.size());
                 return operations;
               });
}

Result<Cycled> MaintainService::cycle(const CallContext& call, const LifecycleParams& params) {
  Cycled out;
  HOLDFAST_TRY(out.promoted, promote_candidates(call, params));
  HOLDFAST_TRY(out.merged, merge_duplicates(call));
  HOLDFAST_TRY(out.decayed, decay_stale(call, params));
  out.projection_count = out.decayed.projection_count;
  return out;
}

Result<Maintained> MaintainService::archive_source(const CallContext& call,
                                                   const ArchiveRequest& request) {
  if (is_blank(request.reason)) {
    return invalid_argument("archive_source requires a non-empty reason");
  }
  return write(
      call, "archive_source",
      [&](WriteTxn& txn, const SpaceAccess& access, Maintained& answer) -> Operations {
        HOLDFAST_TRY(const auto source, find_stored(txn, access, request.id));
        if (!source || source->type != ObjectType::kSource) {
          return invalid_argument(fmt::format("Source not found: {}", request.id));
        }
        const std::string reason =
            fmt::format("maintain_archive_source:{}:{}", request.id, request.reason);
        HOLDFAST_CHECK_OK(each_stored_with(
            txn, access, ObjectType::kKnowledge, text_facet(facet::kReference, request.id),
            [&](Stored& stored) -> Status {
              const auto sources = stored.view().evidence_sources();
              if (!contains(sources, request.id) || is_retired(stored.view().status())) return {};
              (sources.size() == 1 ? answer.stale_knowledge_ids
                                   : answer.partially_affected_knowledge_ids)
                  .push_back(stored.id());
              return {};
            }));
        std::ranges::sort(answer.stale_knowledge_ids);
        std::ranges::sort(answer.partially_affected_knowledge_ids);
        std::vector<Operation> operations = {archive(ObjectType::kSource, request.id, reason)};
        for (const std::string& id : answer.stale_knowledge_ids) {
          operations.push_back(change_status(ObjectType::kKnowledge, id, "stale", reason));
        }
        answer.changed = 1;
        return operations;
      });
}

Result<Maintained> MaintainService::archive_knowledge(const CallContext& call,
                                                      const ArchiveRequest& request) {
  if (is_blank(request.reason)) {
    return invalid_argument("archive_knowledge requires a non-empty reason");
  }
  return write(call, "archive_knowledge",
               [&](WriteTxn& txn, const SpaceAccess& access, Maintained& answer) -> Operations {
                 HOLDFAST_TRY(const auto found, load_knowledge(txn, access, {request.id}));
                 if (found.empty()) {
                   return invalid_argument(fmt::format("Knowledge not found: {}", request.id));
                 }
                 Operation operation = archive(
                     ObjectType::kKnowledge, request.id,
                     fmt::format("maintain_archive_knowledge:{}:{}", request.id, request.reason));
                 operation.changes.set("lifecycle_state", "archived");
                 operation.changes.set("valid_until", time_text(txn.now()));
                 answer.changed = 1;
                 return std::vector<Operation>{std::move(operation)};
               });
}

}  // namespace holdfast::service::substrate
