#include "service/substrate/remember_service.h"

#include <fmt/format.h>

#include "service/substrate/config.h"
#include "service/substrate/governance.h"
#include "service/substrate/graph.h"
#include "service/substrate/idempotent.h"
#include "service/substrate/page_count.h"
#include "service/substrate/remember_codecs.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

using access::Permission;
using access::SpaceAccess;
using storage::WriteTxn;

Value actor_or(const std::optional<Value>& actor, std::string_view mode) {
  return actor ? *actor : system_actor(fmt::format("memory.remember.{}", mode));
}

// A backend shows the graph; syncing it is counting what this write derived.
Result<std::optional<GraphSync>> graph_sync(WriteTxn& txn, const SpaceAccess& access,
                                            const std::optional<std::string>& wanted,
                                            const std::vector<ObjectKey>& touched) {
  std::optional<std::string> backend = wanted;
  if (!backend) {
    HOLDFAST_TRY(const Config config, read_config(txn, access));
    backend = config.graph_backend;
  }
  if (!backend) return std::optional<GraphSync>();
  GraphSync sync{.backend = *backend, .synced_objects = static_cast<int64_t>(touched.size())};
  for (const ObjectKey& key : touched) {
    HOLDFAST_TRY(const auto stored, find_stored(txn, access, key.id));
    if (stored) sync.synced_relations += static_cast<int64_t>(relations_of(stored->view()).size());
  }
  return std::optional(std::move(sync));
}

Result<Knowledge> require_knowledge(WriteTxn& txn, const SpaceAccess& access,
                                    const std::string& id) {
  HOLDFAST_TRY(const auto stored, find_stored(txn, access, id));
  if (!stored || stored->type != ObjectType::kKnowledge) {
    return invalid_argument(fmt::format("Knowledge not found: {}", id));
  }
  return struct_of<Knowledge>(*stored);
}

Value promotion(WriteTxn& txn, std::string_view reason) {
  return Value::object({{"status", "active"},
                        {"lifecycle_state", "active"},
                        {"expires_at", nullptr},
                        {"last_verified_at", time_text(txn.now())},
                        {"reason", reason}});
}

template <typename T>
void fill_declared(T& value, const Declared& declared) {
  value.kind = declared.kind;
  value.title = declared.title;
  value.summary = declared.summary;
  value.reason = declared.reason;
  value.memory_source = declared.memory_source;
  value.scope_refs = declared.scope_refs;
}

void set_default(NullableText& text, const std::string& value) {
  if (!text.text) text.text = value;
}

}  // namespace

Result<Remembered> RememberService::write(const CallContext& call, const RememberOptions& options,
                                          const Decide& decide) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  const auto act = [&](WriteTxn& txn) -> Result<Remembered> {
    HOLDFAST_TRY(Decision decision, decide(txn, access));
    HOLDFAST_TRY(AppliedPatch applied, apply_patch(txn, access, decision.patch));
    Remembered& answer = decision.answer;
    HOLDFAST_TRY(answer.graph_sync,
                 graph_sync(txn, access, options.graph_backend, applied.touched));
    answer.patch_id = std::move(applied.patch_id);
    answer.audit_event_ids = std::move(applied.audit_event_ids);
    return std::move(answer);
  };
  const auto about = [](const Remembered& answer) {
    return std::vector<ObjectKey>{{.kind = answer.object_type, .id = answer.object_id}};
  };
  HOLDFAST_TRY(Remembered answer,
               write_once<Remembered>(store_, call, access,
                                      {.operation = "remember", .part = options.part}, act, about));
  HOLDFAST_TRY(answer.projection_count, count_pages(index_, access));
  return answer;
}

template <typename T>
Result<Remembered> RememberService::create_one(const CallContext& call,
                                               const RememberOptions& options,
                                               const Declared& declared, ObjectType type, T value) {
  HOLDFAST_CHECK_OK(check_reason(declared.reason));
  fill_declared(value, declared);
  return write(call, options, [&](WriteTxn& txn, const SpaceAccess&) -> Result<Decision> {
    const std::string now = time_text(txn.now());
    if constexpr (std::is_same_v<T, Activity>) {
      set_default(value.started_at, now);
      set_default(value.ended_at, now);
    } else {
      set_default(value.opened_at, now);
    }
    return Decision{.patch = {.actor = actor_or(declared.actor, type_name(type)),
                              .operations = {create(type, value)}},
                    .answer = {.object_type = std::string(type_name(type)),
                               .object_id = value.id,
                               .status = value.status}};
  });
}

Result<Remembered> RememberService::activity(const CallContext& call,
                                             const RememberActivity& request,
                                             const RememberOptions& options) {
  Activity activity = request.activity;
  activity.id = random_id("act");
  return create_one(call, options, request.declared, ObjectType::kActivity, std::move(activity));
}

Result<Remembered> RememberService::work_item(const CallContext& call,
                                              const RememberWorkItem& request,
                                              const RememberOptions& options) {
  WorkItem work_item = request.work_item;
  work_item.id = random_id("work");
  return create_one(call, options, request.declared, ObjectType::kWorkItem, std::move(work_item));
}

Result<Remembered> RememberService::work_item_status(const CallContext& call,
                                                     const ChangeWorkItemStatus& request,
                                                     const RememberOptions& options) {
  HOLDFAST_CHECK_OK(check_reason(request.reason));
  return write(call, options, [&](WriteTxn& txn, const SpaceAccess& access) -> Result<Decision> {
    const std::string& id = request.work_item_id;
    HOLDFAST_TRY(const auto stored, find_stored(txn, access, id));
    if (!stored || stored->type != ObjectType::kWorkItem) {
      return invalid_argument(fmt::format("Missing work_item: {}", id));
    }
    Decision decision{.patch = {.actor = actor_or(request.actor, "work_item_status")},
                      .answer = {.object_type = std::string(type_name(ObjectType::kWorkItem)),
                                 .object_id = id,
                                 .status = request.status,
                                 .old_status = std::string(stored->view().text("status"))}};
    auto& operations = decision.patch.operations;
    operations.push_back(change_status(ObjectType::kWorkItem, id, request.status, request.reason));
    if (request.resolution) {
      operations.push_back(
          update(ObjectType::kWorkItem, id,
                 Value::object({{"resolution", *request.resolution}, {"reason", request.reason}})));
    }
    return decision;
  });
}

Result<Remembered> RememberService::promote(const CallContext& call, const JudgeKnowledge& request,
                                            const RememberOptions& options) {
  return write(call, options, [&](WriteTxn& txn, const SpaceAccess& access) -> Result<Decision> {
    HOLDFAST_TRY(const Knowledge known, require_knowledge(txn, access, request.knowledge_id));
    const std::string reason = request.reason.value_or("promoted_to_active");
    return Decision{
        .patch = {.actor = actor_or(request.actor, "promote"),
                  .operations = {update(ObjectType::kKnowledge, known.id, promotion(txn, reason))}},
        .answer = {.object_type = "knowledge", .object_id = known.id, .status = "active"}};
  });
}

Result<Remembered> RememberService::contest(const CallContext& call, const JudgeKnowledge& request,
                                            const RememberOptions& options) {
  return write(call, options, [&](WriteTxn& txn, const SpaceAccess& access) -> Result<Decision> {
    HOLDFAST_TRY(const Knowledge known, require_knowledge(txn, access, request.knowledge_id));
    return Decision{
        .patch = {.actor = actor_or(request.actor, "contest"),
                  .operations = {change_status(ObjectType::kKnowledge, known.id, "contested",
                                               request.reason.value_or("contested"))}},
        .answer = {.object_type = "knowledge", .object_id = known.id, .status = "contested"}};
  });
}

Result<Remembered> RememberService::supersede(const CallContext& call,
                                              const SupersedeKnowledge& request,
                                              const RememberOptions& options) {
  return write(call, options, [&](WriteTxn& txn, const SpaceAccess& access) -> Result<Decision> {
    HOLDFAST_TRY(const Knowledge old, require_knowledge(txn, access, request.old_knowledge_id));
    HOLDFAST_TRY(const Knowledge fresh, require_knowledge(txn, access, request.new_knowledge_id));
    Value retired =
        Value::object({{"status", "superseded"},
                       {"valid_until", time_text(txn.now())},
                       {"reason", request.reason.value_or("superseded_by:" + fresh.id)}});
    return Decision{
        .patch = {.actor = actor_or(request.actor, "supersede"),
                  .operations = {update(ObjectType::kKnowledge, old.id, std::move(retired)),
                                 update(ObjectType::kKnowledge, fresh.id,
                                        promotion(txn, request.reason.value_or("supersedes:" +
                                                                               old.id)))}},
        .answer = {.object_type = "knowledge",
                   .object_id = fresh.id,
                   .status = "active",
                   .old_status = "superseded",
                   .old_knowledge_id = old.id}};
  });
}

}  // namespace holdfast::service::substrate
