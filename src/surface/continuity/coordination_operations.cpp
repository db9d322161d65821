#include "service/continuity/capsule.h"
#include "surface/continuity/capsule_operations.h"

namespace holdfast::surface::continuity {
namespace {

using namespace service::continuity;  // NOLINT(google-build-using-namespace): all of it is theirs
using service::continuity::text;      // not the namespace of that name

using Function = Result<Value> (CoordinationService::*)(const Request&);

Shape short_text() { return text(0, 200).or_null(); }
Shape texts() { return list(text(), 8); }

Shape handoff_shape() {
  return object({required("recipient_peer", text(1, 200)),
                 required("subject_kind", subject_kind_shape()),
                 required("subject_id", text(1, 200)), optional("task_id", short_text()),
                 optional("thread_id", short_text()), optional("note", text(0, 240).or_null()),
                 optional("commit_message", text().or_null())});
}

Shape consume_shape() {
  return object({required("handoff_id", text()),
                 required("status", one_of({"accepted_advisory", "deferred", "rejected"})),
                 optional("note", text(0, 240).or_null())});
}

std::vector<Member> shared_members() {
  return {required("title", text()),
          optional("summary", text().or_null()),
          optional("constraints", texts(), Value::array()),
          optional("drift_signals", texts(), Value::array()),
          optional("coordination_alerts", texts(), Value::array()),
          optional("commit_message", text().or_null())};
}

Shape shared_create_shape() {
  std::vector<Member> members = shared_members();
  members.insert(members.begin(),
                 {optional("participant_peers", list(text(), 8), Value::array()),
                  optional("task_id", short_text()), optional("thread_id", short_text())});
  return object(std::move(members));
}

Shape shared_update_shape() {
  std::vector<Member> members = shared_members();
  members.insert(members.begin(), {required("shared_id", text()),
                                   required("expected_version", integer(1, INT64_MAX))});
  return closed(std::move(members));
}

Shape open_shape() {
  const Shape claim = closed(
      {required("source_kind", one_of({"handoff", "shared"})), required("source_id", text(1, 64)),
       required("claimant_peer", text(1, 200)), required("claim_summary", text()),
       required("epistemic_status", one_of({"frame_present", "frame_absent_evidence_confirms",
                                            "frame_status_unknown"})),
       optional("evidence_refs", list(text(), 4), Value::array()),
       optional("observed_version", integer(1, INT64_MAX).or_null(), Value())});
  return closed({optional("task_id", short_text()), optional("thread_id", short_text()),
                 required("title", text()), optional("summary", text().or_null()),
                 required("classification", one_of({"contradictory", "stale_observation",
                                                    "frame_conflict", "concurrent_race"})),
                 required("trigger", one_of({"handoff_vs_handoff", "shared_vs_shared",
                                             "handoff_vs_shared", "concurrent_mutation_race"})),
                 optional("claims", list(claim, 4), Value::array()),
                 optional("commit_message", text().or_null())});
}

Shape resolve_shape() {
  const Shape outcome = one_of({"advisory_only", "conflicted", "rejected"});
  return closed({required("reconciliation_id", text()),
                 required("expected_version", integer(1, INT64_MAX)),
                 required("resolution_outcome", outcome),
                 optional("resolution_summary", text(0, 240).or_null()),
                 optional("commit_message", text().or_null())});
}

Shape query_shape(std::initializer_list<const char*> names) {
  std::vector<Member> members;
  for (const char* name : names) members.push_back(optional(name, text().or_null()));
  members.push_back(optional("offset", integer(0, INT64_MAX), Value(0)));
  members.push_back(optional("limit", integer(1, 100), Value(20)));
  return object(std::move(members));
}

}  // namespace

std::vector<Operation> coordination_operations(CoordinationService& service) {
  std::vector<Operation> out;
  const auto add = [&](const char* verb, const char* method, const char* path, const char* bucket,
                       Shape shape, Function function) {
    const bool reading = std::string_view(method) == "GET";
    out.push_back({.name = std::string("coordination.") + verb,
                   .method = method,
                   .path = std::string("/v1/coordination/") + path,
                   .bucket = std::string("coordination_") + bucket,
                   .description = std::string("Coordination between peers: ") + verb + ".",
                   .scopes = {std::string(reading ? kReadFiles : kWriteProjects)},
                   .idempotent = reading,
                   .shape = std::move(shape),
                   .run = [&service, function](const Request& request) {
                     return (service.*function)(request);
                   }});
  };
  using S = CoordinationService;
  const auto one = [](const char* name) { return object({required(name, text())}); };
  add("handoff_create", "POST", "handoff/create", "handoff_create", handoff_shape(),
      &S::create_handoff);
  out.back().scopes.emplace_back(kReadFiles);  // of the capsule that it copies from
  add("handoff_read", "GET", "handoff/{handoff_id}", "handoff_read", one("handoff_id"),
      &S::read_handoff);
  add("handoffs_query", "GET", "handoffs/query", "handoff_query",
      query_shape({"recipient_peer", "sender_peer", "status"}), &S::query_handoffs);
  add("handoff_consume", "POST", "handoff/{handoff_id}/consume", "handoff_consume", consume_shape(),
      &S::consume_handoff);
  out.back().alias = {.name = "reason", .of = "note"};
  add("shared_create", "POST", "shared/create", "shared_create", shared_create_shape(),
      &S::create_shared);
  add("shared_query", "GET", "shared/query", "shared_query",
      query_shape({"owner_peer", "participant_peer", "task_id", "thread_id"}), &S::query_shared);
  add("shared_read", "GET", "shared/{shared_id}", "shared_read", one("shared_id"), &S::read_shared);
  add("shared_update", "POST", "shared/{shared_id}/update", "shared_update", shared_update_shape(),
      &S::update_shared);
  add("reconciliation_open", "POST", "reconciliation/open", "reconciliation_open", open_shape(),
      &S::open_reconciliation);
  add("reconciliations_query", "GET", "reconciliations/query", "reconciliation_query",
      query_shape(
          {"owner_peer", "claimant_peer", "status", "classification", "task_id", "thread_id"}),
      &S::query_reconciliations);
  out.back().shape.closed = true;
  add("reconciliation_read", "GET", "reconciliation/{reconciliation_id}", "reconciliation_read",
      one("reconciliation_id"), &S::read_reconciliation);
  add("reconciliation_resolve", "POST", "reconciliation/{reconciliation_id}/resolve",
      "reconciliation_resolve", resolve_shape(), &S::resolve_reconciliation);
  out.back().alias = {.name = "outcome", .of = "resolution_outcome"};
  // Artefacts themselves say who may see them and, of handoffs, who may consume them.
  for (Operation& operation : out) {
    const bool one_artefact = is_reading(operation) && operation.path.ends_with('}');
    if (one_artefact || operation.name == "coordination.handoff_consume") operation.scopes.clear();
  }
  return out;
}

}  // namespace holdfast::surface::continuity
