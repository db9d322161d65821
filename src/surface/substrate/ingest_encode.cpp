#include "surface/substrate/ingest_encode.h"

#include <fmt/format.h>

#include "service/substrate/repo_objects.h"
#include "surface/substrate/concept_encode.h"

namespace holdfast::surface::substrate {
namespace {

using service::substrate::DocumentIngestResponse;
using service::substrate::MemorySuggestions;
using service::substrate::RepoIngestResponse;

constexpr size_t kDiagnosticsLimit = 5;

Value next_actions_of_ingest() {
  return Value::array({"query_related_context", "analyze_evidence_outside_ingest",
                       "review_memory_suggestions", "call_memory_remember_if_durable"});
}

// How the caller goes on: ingest captures, the agent judges.
Value agent_extraction(const std::string& source_id) {
  return Value::object(
      {{"protocol", "agent_extraction.v1"},
       {"source_id", source_id},
       {"resource", "memory://agent-playbook"},
       {"summary",
        "Ingest captured evidence; agent analyzes it and uses memory_remember for durable writes."},
       {"required_steps", Value::array({"inspect_source", "query_existing_memory",
                                        "prepare_durable_candidates", "commit_reviewed_memory"})},
       {"remember_write_contract",
        Value::object({{"required_fields", Value::array({"kind", "title", "summary", "reason",
                                                         "memory_source", "scope_refs"})},
                       {"recommended_fields", Value::array({"subject_refs", "evidence_refs",
                                                            "payload", "confidence", "status"})}})},
       {"next_actions",
        Value::array({"inspect_source", "query_existing_memory", "prepare_durable_candidates",
                      "call_memory_remember_if_durable"})}});
}

Value encode_suggestions(const MemorySuggestions& suggestions) {
  Value candidates = Value::array();
  for (const auto& candidate : suggestions.candidates) candidates.push(encode_compact(candidate));
  return Value::object(
      {{"concept_candidates", std::move(candidates)},
       {"candidate_diagnostics", encode(suggestions.diagnostics, kDiagnosticsLimit)},
       {"agent_extraction", agent_extraction(suggestions.source_id)},
       {"counts",
        Value::object({{"concept_candidates", suggestions.candidates.size()},
                       {"concept_candidates_available", suggestions.diagnostics.eligible_count}})},
       {"next_actions",
        Value::array({"follow_agent_extraction_protocol", "review_concept_candidates",
                      "run_memory_maintain_report_for_cross_source_candidates",
                      "call_memory_remember_if_durable"})}});
}

Value pending_decisions(const RepoIngestResponse& response) {
  Value list = Value::array();
  for (const auto& path : response.pending()) {
    list.push(Value::object({{"path", path},
                             {"kind", service::substrate::kAgentStateKind},
                             {"reason", service::substrate::kAgentStateReason},
                             {"suggested_action", "exclude"}}));
  }
  return list;
}

Value warnings(const RepoIngestResponse& response) {
  if (response.agent_state.empty()) return Value::array();
  return Value::array({fmt::format(
      "Repository contains local/agent state entries that may not belong in memory: {}. They are "
      "excluded from the clean repo ingest unless options.force=true is used.",
      fmt::join(response.agent_state, ", "))});
}

std::string_view status_of(const RepoIngestResponse& response) {
  if (response.noop) return "noop";
  return response.pending().empty() ? "completed" : "completed_with_pending_decisions";
}

}  // namespace

Value encode(const DocumentIngestResponse& response) {
  return Value::object({{"result_type", "source_ingest_result"},
                        {"status", "completed"},
                        {"warnings", Value::array()},
                        {"patch_id", response.patch_id},
                        {"source_id", response.source_id},
                        {"node_id", null_if_empty(response.node_id)},
                        {"activity_id", null_if_empty(response.activity_id)},
                        {"segment_count", response.segment_count},
                        {"applied_operations", response.applied_operations},
                        {"audit_event_ids", Value::array_of(response.audit_event_ids)},
                        {"projection_count", response.projection_count},
                        {"memory_suggestions", encode_suggestions(response.suggestions)},
                        {"next_actions", next_actions_of_ingest()}});
}

Value encode(const RepoIngestResponse& response) {
  Value out = Value::object({{"result_type", "repo_ingest_result"},
                             {"status", status_of(response)},
                             {"requires_decision", !response.pending().empty()},
                             {"patch_id", null_if_empty(response.patch_id)},
                             {"source_id", response.source_id},
                             {"node_ids", Value::array_of(response.node_ids)},
                             {"knowledge_ids", Value::array_of(response.knowledge_ids)},
                             {"activity_id", null_if_empty(response.activity_id)},
                             {"applied_operations", response.applied_operations},
                             {"audit_event_ids", Value::array_of(response.audit_event_ids)},
                             {"projection_count", response.projection_count},
                             {"warnings", warnings(response)},
                             {"suggested_exclude_patterns", Value::array_of(response.agent_state)},
                             {"pending_decisions", pending_decisions(response)},
                             {"excluded_by_preflight", Value::array_of(response.pending())},
                             {"memory_suggestions", encode_suggestions(response.suggestions)},
                             {"next_actions", next_actions_of_ingest()}});
  if (response.noop) out.set("reason", "repo_fingerprint_unchanged");
  return out;
}

}  // namespace holdfast::surface::substrate
