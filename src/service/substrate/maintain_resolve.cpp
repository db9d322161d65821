// MaintainService: settling pairs of similar knowledge.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "service/substrate/claim.h"
#include "service/substrate/maintain_service.h"
#include "service/substrate/soft_duplicates.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

using access::SpaceAccess;
using storage::WriteTxn;
using Operations = Result<std::vector<Operation>>;

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
    HOLDFAST_TRY(auto found, load_knowledge(txn, access, {id}));
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
