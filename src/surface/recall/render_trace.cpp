#include <algorithm>
#include <set>

#include "service/recall/barrier.h"
#include "service/recall/ranking.h"
#include "service/recall/words.h"
#include "surface/recall/render.h"

namespace holdfast::surface::recall {
namespace {

using namespace service::recall;  // NOLINT(google-build-using-namespace): shows them all

Value query_tokens(const std::string& text) {
  std::set<std::string> tokens;
  for (const Word& word : words_of(text)) {
    tokens.insert(word.text);
    for (std::string& variant : variants_of(word.text)) tokens.insert(std::move(variant));
  }
  return Value::array_of(tokens);
}

Value filters_value(const Run& run, bool effective) {
  const Query& query = run.query;
  const bool relaxed = effective && run.thread_relaxed;
  return Value::object({{"source_type", or_null(query.source_type)},
                        {"role", or_null(query.role)},
                        {"artifact_kind", or_null(query.artifact_kind)},
                        {"container_ref", or_null(query.container_ref)},
                        {"thread_ref", relaxed ? Value() : or_null(query.thread_ref)},
                        {"actor_ref", or_null(query.actor_ref)},
                        {"work_refs", Value::array_of(effective ? run.refs : query.work_refs)}});
}

// By which of the ways a candidate may have been found.
enum class Stage : uint8_t { kLexical, kVector, kStructural };

bool took_part(const Candidate& candidate, Stage stage) {
  if (stage == Stage::kLexical) return candidate.lexical;
  return stage == Stage::kVector ? candidate.similarity.has_value() : candidate.structural;
}

Value hit_value(const Candidate& candidate, Stage stage, const std::string& provider) {
  const bool memory = candidate.is_memory();
  const bool vector = stage == Stage::kVector;
  const std::string_view index = vector ? "vector" : "lexical";
  return Value::object(
      {{"target_kind", memory ? "memory_object" : "source_item"},
       {"target_id", candidate.id()},
       {"index_entry_id", index_entry_id(candidate.id(), index)},
       {"index_type", stage == Stage::kStructural ? Value() : Value(index)},
       {"text_view_name", memory ? view_name(candidate.memory->type) : "source_item.content"},
       {"score", vector ? *candidate.similarity : static_cast<int64_t>(1000 * candidate.coverage)},
       {"matched_tokens", Value::array_of(candidate.matched_words)},
       {"provider_name", vector ? Value(provider) : Value()},
       {"provider_version", vector ? Value("1") : Value()}});
}

Value stage_value(const Run& run, std::string_view name, Stage stage) {
  Value hits = Value::array();
  Value selected = Value::array();
  int64_t count = 0;
  const std::string provider = run.semantic ? "endpoint" : "hashed";
  for (const auto& candidate : run.found) {
    if (!took_part(*candidate, stage)) continue;
    ++count;
    hits.push(hit_value(*candidate, stage, provider));
    if (std::ranges::find(run.candidates, candidate.get()) != run.candidates.end())
      selected.push(hit_value(*candidate, stage, provider));
  }
  const int64_t hidden = stage == Stage::kLexical ? run.excluded_by_visibility : 0;
  return Value::object({{"stage_name", name},
                        {"candidate_hits_considered", count},
                        {"candidate_hits", std::move(hits)},
                        {"selected_hits", std::move(selected)},
                        {"candidate_hits_before_visibility", count + hidden},
                        {"candidate_hits_after_visibility", count}});
}

Value stages_value(const Run& run) {
  Value out = Value::array();
  if (!run.searched) return out;
  out.push(stage_value(run, "lexical", Stage::kLexical));
  if (run.vectors) out.push(stage_value(run, "vector", Stage::kVector));
  const auto structural = [](const auto& c) { return c->structural; };
  if (std::ranges::any_of(run.found, structural))
    out.push(stage_value(run, "structural", Stage::kStructural));
  return out;
}

Value lanes_value(const Run& run) {
  Value eligible = Value::array();
  Value excluded = Value::array();
  Value reasons = Value::object();
  Value details = Value::array();
  for (const auto& [name, state] : run.lanes) {
    if (state == "excluded") {
      excluded.push(name);
      reasons.set(name, "not_plausible");
    } else {
      eligible.push(name);
    }
    details.push(Value::object({{"lane", name},
                                {"state", state},
                                {"structural_signals", Value::array()},
                                {"shape_signals", Value::array_of(run.signals.derived_from)},
                                {"reason", state}}));
  }
  const bool none = run.selected_lane.empty();
  const std::string_view mode = none                                   ? "abstain"
                                : run.selected_lane == lane::kResidual ? "residual_fallthrough"
                                                                       : "single_lane_bypass";
  return Value::object({{"eligible_lanes", std::move(eligible)},
                        {"excluded_lanes", std::move(excluded)},
                        {"lane_exclusion_reasons", std::move(reasons)},
                        {"lane_details", std::move(details)},
                        {"selected_lane", none ? Value() : Value(run.selected_lane)},
                        {"selection_mode", mode},
                        {"lane_narrowing_used_intent", false},
                        {"final_intent_used", run.intent.empty() ? Value() : Value(run.intent)},
                        {"intent_effect", Value()},
                        {"abstain_reason", none ? Value(run.reason) : Value()}});
}

Value candidates_value(const Run& run) {
  Value out = Value::array();
  for (const Candidate* candidate : run.candidates) {
    const std::string_view grade = candidate->support >= kStrong      ? "strong"
                                   : candidate->support >= kSupported ? "supported"
                                                                      : "weak";
    out.push(Value::object(
        {{"result_id", candidate->result_id()},
         {"layer", candidate->layer()},
         {"score", candidate->score},
         {"coverage", candidate->coverage},
         {"matched", candidate->matched},
         {"support_grade", grade},
         {"excluded_reason_code", candidate->usable() ? Value() : Value(candidate->excluded)}}));
  }
  return out;
}

Value injection_value(const Run& run) {
  Value blocks = Value::array();
  for (const Candidate* candidate : run.blocks) blocks.push(candidate->result_id());
  return Value::object(
      {{"should_inject", run.injects()},
       {"decision_reason", run.reason},
       {"returned_block_ids", std::move(blocks)},
       {"eligible_result_ids", Value::array_of(run.eligible)},
       {"dropped_by_cap_result_ids", Value::array_of(run.capped)},
       {"dedup_removed_result_ids", Value::array_of(run.deduplicated)},
       {"cap", std::min<int64_t>(5, run.query.limit + 1)},
       {"same_thread_context_evaluation",
        Value::object({{"turn_kind", run.turn_kind.empty() ? Value() : Value(run.turn_kind)},
                       {"session_has_sufficient_local_context", run.local_context}})}});
}

Value routing_value(const Run& run) {
  if (run.failed_closed) return Value();
  const Value intent = run.intent.empty() ? Value() : Value(run.intent);
  return Value::object(
      {{"policy_name", "agent_conversation_memory"},
       {"query_policy_family", run.low_value           ? "noise"
                               : run.query.source_only ? "source_only"
                                                       : "conversation"},
       {"query_intent", intent},
       {"query_family", run.low_value ? Value("noise") : intent},
       {"recall_mode", intent},
       {"query_signal_envelope",
        Value::object({{"low_value", run.low_value},
                       {"resume_state", run.signals.resume},
                       {"evidence_request", run.signals.evidence},
                       {"source", "rules"},
                       {"confidence", "high"},
                       {"derivation_signals", Value::array_of(run.signals.derived_from)}})},
       {"lane_narrowing", lanes_value(run)},
       {"relevance_floor", Value::object({{"filtered_count", run.below_floor}})},
       {"candidates", candidates_value(run)},
       {"injection", injection_value(run)}});
}

Value visibility_value(const Run& run) {
  Value excluded = Value::array();
  if (run.excluded_by_visibility > 0)
    excluded.push(Value::object({{"reason", "query_visibility_excludes_candidate"},
                                 {"count", run.excluded_by_visibility}}));
  return Value::object(
      {{"query_visibility", enum_name(run.query.visibility)},
       {"query_container_ref", or_null(run.query.container_ref)},
       {"excluded_candidates", std::move(excluded)},
       {"fail_closed_reason",
        run.failed_closed ? Value("query_visibility_context_required") : Value()}});
}

}  // namespace

Value trace_value(const Run& run) {
  int64_t memories = 0;
  for (const Candidate* candidate : run.results) memories += candidate->is_memory() ? 1 : 0;
  const auto sources = static_cast<int64_t>(run.results.size()) - memories;
  Value kinds = Value::object();
  if (memories > 0) kinds.set("memory_hit", memories);
  if (sources > 0) kinds.set("source_hit", sources);
  return Value::object(
      {{"query_text", without_secrets(run.query.text)},
       {"query_tokens", query_tokens(without_secrets(run.query.text))},
       {"limit", run.query.limit},
       {"filters", filters_value(run, true)},
       {"requested_filters", filters_value(run, false)},
       {"filter_scope_relaxed", run.thread_relaxed},
       {"filter_scope_reason", run.thread_relaxed ? Value(run.relaxed_reason) : Value()},
       {"stages", stages_value(run)},
       {"routing", routing_value(run)},
       {"visibility", visibility_value(run)},
       {"result_summary",
        Value::object(
            {{"returned_result_count", run.results.size()},
             {"returned_result_kinds", std::move(kinds)},
             {"returned_origins", Value::object({{"memory", memories}, {"source", sources}})}})},
       {"fusion_trace", fusion_value(run)}});
}

}  // namespace holdfast::surface::recall
