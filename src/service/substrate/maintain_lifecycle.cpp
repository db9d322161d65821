// MaintainService: promoting, merging, decaying, archiving and resolving knowledge.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "service/substrate/claim.h"
#include "service/substrate/maintain_service.h"
#include "service/substrate/query_service.h"
#include "service/substrate/soft_duplicates.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

using access::SpaceAccess;
using storage::WriteTxn;
using Operations = Result<std::vector<Operation>>;

// Knowledge of these ids as it is inside the write; what has gone is left out.
Result<std::vector<Knowledge>> load(WriteTxn& txn, const SpaceAccess& access,
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

Facet text_facet(std::string_view name, std::string_view value) {
  return Facet::of(std::string(name), std::string(value));
}

Status check_keep_both(const ResolveRequest& request) {
  if (request.updates.empty()) {
    return invalid_argument("keep_both requires updates that clarify summary or scope_refs");
  }
  for (const ResolveUpdate& update : request.updates) {
    if (!contains(request.knowledge_ids, update.knowledge_id)) {
      return invalid_argument("keep_both updates must target only knowledge_ids");
    }
    if (!update.summary && !update.scope_refs) {
      return invalid_argument("keep_both updates must include summary or scope_refs");
    }
    if (update.summary && is_blank(*update.summary)) {
      return invalid_argument("keep_both summary updates must be non-empty");
    }
    if (update.scope_refs && update.scope_refs->empty()) {
      return invalid_argument("keep_both scope_refs updates must be non-empty");
    }
  }
  return {};
}

// The set must be what a report would show: every member is in a pair inside it.
Status check_soft_set(const std::vector<Knowledge>& members) {
  std::vector<SoftText> texts;
  for (const Knowledge& member : members) {
    if (is_soft_comparable(member)) texts.push_back(soft_text_of(member));
  }
  std::set<std::string> covered;
  for (const SoftPair& pair : soft_pairs(texts)) {
    covered.insert(pair.first);
    covered.insert(pair.second);
  }
  if (covered.size() == members.size()) return {};
  return invalid_argument("knowledge_ids are not a current soft duplicate candidate");
}

std::vector<Operation> supersede_others(const ResolveRequest& request, const std::string& now) {
  std::vector<Operation> operations;
  for (const std::string& id : request.knowledge_ids) {
    const bool winner = id == *request.canonical_knowledge_id;
    operations.push_back(update(
        ObjectType::kKnowledge, id,
        winner
            ? Value::object(
                  {{"status", "active"}, {"last_verified_at", now}, {"reason", request.reason}})
            : Value::object(
                  {{"status", "superseded"}, {"valid_until", now}, {"reason", request.reason}})));
  }
  return operations;
}

std::vector<Operation> clarify(const ResolveRequest& request) {
  std::vector<Operation> operations;
  for (const ResolveUpdate& wanted : request.updates) {
    Value changes = Value::object({{"reason", request.reason}});
    if (wanted.summary) changes.set("summary", *wanted.summary);
    if (wanted.scope_refs) changes.set("scope_refs", Value::array_of(*wanted.scope_refs));
    operations.push_back(update(ObjectType::kKnowledge, wanted.knowledge_id, std::move(changes)));
  }
  return operations;
}

Operations resolve(WriteTxn& txn, const SpaceAccess& access, const ResolveRequest& request) {
  std::vector<Knowledge> members;
  for (const std::string& id : request.knowledge_ids) {
    HOLDFAST_TRY(auto found, load(txn, access, {id}));
    if (found.empty()) return invalid_argument(fmt::format("Knowledge not found: {}", id));
    if (is_retired(found.front().status)) {
      return invalid_argument(fmt::format("Knowledge is not resolvable: {}", id));
    }
    members.push_back(std::move(found.front()));
  }
  HOLDFAST_CHECK_OK(check_soft_set(members));
  switch (request.outcome) {
    case ResolveOutcome::kSupersede:
      if (!contains(request.knowledge_ids, request.canonical_knowledge_id.value_or(""))) {
        return invalid_argument("canonical_knowledge_id must be one of knowledge_ids");
      }
      return supersede_others(request, time_text(txn.now()));
    case ResolveOutcome::kKeepBoth: HOLDFAST_CHECK_OK(check_keep_both(request)); break;
    case ResolveOutcome::kContest: break;
  }
  if (request.outcome == ResolveOutcome::kKeepBoth) return clarify(request);
  std::vector<Operation> operations;
  for (const std::string& id : request.knowledge_ids) {
    operations.push_back(change_status(ObjectType::kKnowledge, id, "contested", request.reason));
  }
  return operations;
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
        HOLDFAST_TRY(const auto members, load(txn, access, ids));
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
                 HOLDFAST_TRY(const auto members, load(txn, access, ids));
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
                 HOLDFAST_TRY(const auto members, load(txn, access, ids));
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
                 HOLDFAST_TRY(const auto found, load(txn, access, {request.id}));
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

Result<Maintained> MaintainService::resolve_duplicates(const CallContext& call,
                                                       const ResolveRequest& request) {
  if (is_blank(request.reason)) {
    return invalid_argument("resolve_duplicates requires a non-empty reason");
  }
  const std::set<std::string> unique(request.knowledge_ids.begin(), request.knowledge_ids.end());
  if (unique.size() != request.knowledge_ids.size()) {
    return invalid_argument("knowledge_ids must not contain duplicates");
  }
  return write(call, "resolve_duplicates",
               [&](WriteTxn& txn, const SpaceAccess& access, Maintained& answer) -> Operations {
                 HOLDFAST_TRY(auto operations, resolve(txn, access, request));
                 answer.changed = static_cast<int64_t>(request.knowledge_ids.size());
                 return operations;
               });
}

}  // namespace holdfast::service::substrate
