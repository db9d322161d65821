// The report of memory_maintain, with the advice that goes with each finding.
#include <array>

#include "surface/substrate/concept_encode.h"
#include "surface/substrate/encode_health.h"
#include "surface/substrate/encode_maintain.h"
#include "surface/substrate/encode_query.h"

namespace holdfast::surface::substrate {

using namespace service::substrate;

namespace {

struct ResolveAdvice {
  std::string_view action;
  std::string_view when;
};

constexpr std::array<ResolveAdvice, 3> kResolveAdvice = {{
    {"supersede", "Both say the same and one of them says it better."},
    {"keep_both", "They differ in meaning or scope, and the texts should say how."},
    {"contest", "They contradict each other or it is not clear which one holds."},
}};

Value resolve_outcomes() {
  Value out = Value::array();
  for (const ResolveAdvice& advice : kResolveAdvice) {
    out.push(Value::object({{"action", advice.action},
                            {"when", advice.when},
                            {"tool", "memory_maintain"},
                            {"mode", "resolve_duplicates"}}));
  }
  return out;
}

Value encode_soft_duplicate(const SoftDuplicateEntry& entry) {
  const Value ids = Value::array({entry.pair.first, entry.pair.second});
  return Value::object(
      {{"object_ids", ids},
       {"score", entry.pair.match.score},
       {"reasons", Value::array_of(entry.pair.match.reasons)},
       {"review_guidance",
        Value::object({{"required_checks",
                        Value::array({"read_both_knowledge_items", "compare_scope_refs",
                                      "compare_evidence_refs",
                                      "decide_whether_meaning_is_same_distinct_or_conflicting"})},
                       {"outcomes", resolve_outcomes()}})},
       {"suggested_resolution",
        Value::object(
            {{"tool", "memory_maintain"},
             {"mode", "resolve_duplicates"},
             {"input_data", Value::object({{"outcome", "supersede"},
                                           {"knowledge_ids", ids},
                                           {"canonical_knowledge_id", entry.canonical},
                                           {"reason",
                                            "Reviewed soft duplicate candidate and selected "
                                            "the canonical memory."}})},
             {"options", Value::object({{"apply", true}})},
             {"editable_fields",
              Value::array({"outcome", "canonical_knowledge_id", "reason", "updates"})}})},
       {"next_actions",
        Value::array({"review_duplicate_pair", "choose_supersede_keep_both_or_contest",
                      "call_memory_maintain_resolve_duplicates_if_actionable"})}});
}

Value encode_fact_issue(const FactIssue& issue) {
  Value out = Value::object();
  switch (issue.kind) {
    case FactIssueKind::kSimilarEntityName:
      out.set("kind", "similar_entity_name");
      out.set("object_ids", Value::array_of(issue.object_ids));
      out.set("summary", "These nodes may be one thing: their names differ in spelling only.");
      out.set("next_actions",
              Value::array({"clarify_scope", "merge_if_same_entity", "keep_both_if_distinct"}));
      break;
    case FactIssueKind::kStaleFact:
      out.set("kind", "stale_fact");
      out.set("object_id", issue.object_ids.front());
      out.set("valid_until", issue.valid_until);
      out.set("summary", "An active fact is past its time.");
      out.set("next_actions", Value::array({"verify", "supersede", "contest"}));
      break;
    case FactIssueKind::kRelationshipMismatch:
      out.set("kind", "relationship_mismatch");
      out.set("object_ids", Value::array_of(issue.object_ids));
      out.set("subject", issue.subject);
      out.set("predicate", issue.predicate);
      out.set("summary", "These facts say different things of one subject.");
      out.set("next_actions",
              Value::array({"review_evidence", "contest", "supersede", "keep_both_with_scopes"}));
      break;
  }
  out.set("severity", "warning");
  return out;
}

Value encode_violation(const GovernanceViolation& violation) {
  return Value::object({{"object_id", violation.object_id},
                        {"kind", "active_knowledge_without_evidence"},
                        {"severity", "warning"},
                        {"summary", "Active knowledge that nobody declared has no evidence."},
                        {"memory_source", violation.memory_source}});
}

template <typename List, typename Encode>
Value encode_all(const List& list, Encode encode) {
  Value out = Value::array();
  for (const auto& one : list) out.push(encode(one));
  return out;
}

Value counts_of(const MaintainReport& report) {
  return Value::object({{"promote_candidates", report.promote_candidates.size()},
                        {"low_evidence_candidates", report.low_evidence_candidates.size()},
                        {"stale_candidates", report.stale_candidates.size()},
                        {"temporary_memories", report.temporary_memories.size()},
                        {"duplicate_groups", report.duplicate_groups.size()},
                        {"soft_duplicate_candidates", report.soft_duplicates.size()},
                        {"concept_candidates", report.concepts.candidates.size()},
                        {"fact_check_issues", report.fact_issues.size()},
                        {"governance_violations", report.violations.size()}});
}

}  // namespace

Value encode_report(const MaintainReport& report) {
  Value data = Value::object(
      {{"promote_candidate_ids", Value::array_of(report.promote_candidates)},
       {"low_evidence_candidate_ids", Value::array_of(report.low_evidence_candidates)},
       {"stale_candidate_ids", Value::array_of(report.stale_candidates)},
       {"temporary_memory_ids", Value::array_of(report.temporary_memories)},
       {"duplicate_groups", encode_all(report.duplicate_groups,
                                       [](const auto& group) { return Value::array_of(group); })},
       {"soft_duplicate_candidates", encode_all(report.soft_duplicates, encode_soft_duplicate)},
       {"concept_candidates", encode_all(report.concepts.candidates, encode_full)},
       {"candidate_diagnostics",
        encode(report.concepts.diagnostics, CandidateDiagnostics::kMaxSkipped)},
       {"fact_check_issues", encode_all(report.fact_issues, encode_fact_issue)},
       {"governance_violations", encode_all(report.violations, encode_violation)},
       {"counts", counts_of(report)}});
  if (report.graph) data.set("graph", encode_health(*report.graph, *report.graph_backend));
  return result("maintain_report", std::move(data));
}

}  // namespace holdfast::surface::substrate
