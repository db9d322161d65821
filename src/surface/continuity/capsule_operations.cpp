#include "surface/continuity/capsule_operations.h"

#include "service/continuity/capsule.h"
#include "service/continuity/patch.h"

namespace holdfast::surface::continuity {
namespace {

using namespace service::continuity;  // NOLINT(google-build-using-namespace): all of it is theirs
using service::continuity::text;      // not the namespace of that name

const std::vector<std::string> kTransitions = {"suspend", "resume", "conclude", "supersede"};

// subject_kind and subject_id, then the operation's own members.
Shape about_subject(std::vector<Member> members, Shape kind = subject_kind_shape()) {
  members.insert(members.begin(), required("subject_id", text(1, 200)));
  members.insert(members.begin(), required("subject_kind", std::move(kind)));
  return object(std::move(members));
}

Shape upsert_shape() {
  return about_subject({required("capsule", capsule_shape()),
                        optional("commit_message", text(0, 240).or_null()),
                        optional("idempotency_key", text(0, 200).or_null()),
                        optional("session_end_snapshot", snapshot_shape().or_null()),
                        optional("lifecycle_transition", one_of(kTransitions).or_null()),
                        optional("superseded_by", text(1, 200).or_null()),
                        optional("merge_mode", one_of({"replace", "preserve"}), Value("replace"))});
}

Shape patch_shape() {
  return about_subject({required("updated_at", text()),
                        required("operations", list(patch_operation_shape(), 10, 1)),
                        optional("commit_message", text(0, 240).or_null())});
}

Shape lifecycle_shape() {
  return about_subject(
      {required("transition", one_of(kTransitions)),
       optional("superseded_by", text(1, 200).or_null()), required("updated_at", text()),
       optional("commit_message", text(0, 240).or_null())},
      one_of({"thread", "task"}));
}

Shape list_shape() {
  return object(
      {optional("subject_kind", subject_kind_shape().or_null()),
       optional("limit", integer(1, 200), Value(50)),
       optional("include_fallback", boolean(), Value(false)),
       optional("include_archived", boolean(), Value(false)),
       optional("include_cold", boolean(), Value(false)),
       optional("lifecycle", one_of({"active", "suspended", "concluded", "superseded"}).or_null()),
       optional("scope_anchor", text(0, 200).or_null()), optional("keyword", text(0, 40).or_null()),
       optional("label_exact", text(0, 120).or_null()),
       optional("anchor_kind", text(0, 40).or_null()),
       optional("anchor_value", text(0, 200).or_null()),
       optional("sort", one_of({"default", "salience"}).or_null())});
}

Shape delete_shape() {
  return about_subject({optional("delete_active", boolean(), Value(false)),
                        optional("delete_archive", boolean(), Value(false)),
                        optional("delete_fallback", boolean(), Value(false)),
                        required("reason", text(3, 240))});
}

Shape revalidate_shape() {
  return about_subject({required("outcome", one_of({"confirm", "correct", "degrade", "conflict"})),
                        required("signals", list(signal_shape(), 8, 1)),
                        optional("candidate_capsule", capsule_shape().or_null()),
                        optional("reason", text(1, 120).or_null())});
}

Shape retrieve_shape() {
  const Shape selector = object(
      {required("subject_kind", subject_kind_shape()), required("subject_id", text(1, 200))});
  return object({required("task", text()), optional("subject_kind", subject_kind_shape().or_null()),
                 optional("subject_id", text(0, 200).or_null()),
                 optional("continuity_mode", one_of({"auto", "required", "off"}), Value("auto")),
                 optional("continuity_verification_policy",
                          one_of({"allow_degraded", "prefer_healthy", "require_healthy"}),
                          Value("allow_degraded")),
                 optional("continuity_resilience_policy",
                          one_of({"allow_fallback", "prefer_active", "require_active"}),
                          Value("allow_fallback")),
                 optional("continuity_selectors", list(selector, 4), Value::array()),
                 optional("continuity_max_capsules", integer(1, 4), Value(1)),
                 optional("max_tokens_estimate", integer(256, 100'000), Value(12'000)),
                 optional("include_types", list(text()), Value::array()),
                 optional("time_window_days", integer(1, 3650), Value(30)),
                 optional("limit", integer(1, 100), Value(10))});
}

Operation writing(const std::string& name, std::string description, Shape shape,
                  std::function<Result<Value>(const Request&)> run) {
  const std::string verb = name.substr(name.find('.') + 1);
  return {.name = name,
          .path = "/v1/continuity/" + verb,
          .bucket = "continuity_" + verb,
          .description = std::move(description),
          .scopes = {std::string(kWriteProjects)},
          .shape = std::move(shape),
          .run = std::move(run)};
}

Operation reading(const std::string& name, std::string description, Shape shape,
                  std::function<Result<Value>(const Request&)> run) {
  Operation operation = writing(name, std::move(description), std::move(shape), std::move(run));
  operation.scopes = {std::string(kReadFiles)};
  operation.idempotent = true;
  return operation;
}

}  // namespace

std::vector<Operation> capsule_operations(const Services& services) {
  CapsuleService& capsules = services.capsules;
  return {
      writing("continuity.upsert", "Create or replace a continuity capsule.", upsert_shape(),
              bind(capsules, &CapsuleService::upsert)),
      writing("continuity.patch", "Change lists of a capsule item by item.", patch_shape(),
              bind(capsules, &CapsuleService::patch)),
      writing("continuity.lifecycle", "Move a thread or task through its lifecycle.",
              lifecycle_shape(), bind(capsules, &CapsuleService::lifecycle)),
      reading("continuity.read", "Read one capsule, with a startup view if asked for.",
              about_subject({optional("allow_fallback", boolean(), Value(false)),
                             optional("view", one_of({"startup"}).or_null())}),
              bind(services.reads, &ReadService::read)),
      reading("continuity.compare", "Compare a candidate with the stored capsule.",
              about_subject({required("candidate_capsule", capsule_shape()),
                             required("signals", list(signal_shape(), 8, 1))}),
              bind(capsules, &CapsuleService::compare)),
      writing("continuity.revalidate", "Confirm, correct, degrade or dispute a capsule.",
              revalidate_shape(), bind(capsules, &CapsuleService::revalidate)),
      reading("continuity.list", "List capsules by descriptor, state or salience.", list_shape(),
              bind(services.reads, &ReadService::list)),
      writing("continuity.archive", "Move a capsule to the archive.",
              about_subject({required("reason", text(3, 240))}),
              bind(capsules, &CapsuleService::archive)),
      writing("continuity.delete", "Delete artefacts of a capsule.", delete_shape(),
              bind(capsules, &CapsuleService::remove)),
      {.name = "context.retrieve",
       .path = "/v1/context/retrieve",
       .bucket = "context_retrieve",
       .description = "The bundle to start a task with: capsules, search hits, graph, reminders.",
       .scopes = {std::string(kSearchScope)},
       .idempotent = true,
       .shape = retrieve_shape(),
       .run = bind(services.retrieval, &RetrieveService::retrieve)},
      {.name = "continuity.refresh_plan",
       .path = "/v1/continuity/refresh/plan",
       .bucket = "continuity_refresh_plan",
       .description = "Which capsules should be looked at again.",
       .scopes = {std::string(kReadFiles), std::string(kWriteProjects)},
       .shape = object({optional("subject_kind", subject_kind_shape().or_null()),
                        optional("limit", integer(1, 100), Value(25)),
                        optional("include_healthy", boolean(), Value(false))}),
       .run = bind(services.plans, &PlanService::refresh)},
      {.name = "continuity.retention_plan",
       .path = "/v1/continuity/retention/plan",
       .bucket = "continuity_retention_plan",
       .description = "Which archives may go to cold storage.",
       .scopes = {std::string(kReadFiles), std::string(kWriteProjects)},
       .shape = object({optional("subject_kind", subject_kind_shape().or_null()),
                        optional("limit", integer(1, 100), Value(25))}),
       .run = bind(services.plans, &PlanService::retention)},
      {.name = "ops.run",
       .path = "/v1/ops/run",
       .bucket = "ops_run",
       .description = "Run a maintenance job of this host.",
       .scopes = {std::string(kAdminPeers)},
       .shape = object({required("job_id", text()), optional("dry_run", boolean(), Value(false)),
                        optional("force", boolean(), Value(false)),
                        optional("arguments", map(), Value::object())}),
       .run = bind(services.plans, &PlanService::run_job)},
  };
}

}  // namespace holdfast::surface::continuity
