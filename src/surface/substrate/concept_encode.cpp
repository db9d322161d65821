#include "surface/substrate/concept_encode.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

namespace holdfast::surface::substrate {
namespace {

using service::substrate::CandidateAdvice;
using service::substrate::CandidateDiagnostics;
using service::substrate::CandidateEvidence;
using service::substrate::ConceptCandidate;
using service::substrate::NoiseClass;
using service::substrate::SkippedTerm;

constexpr size_t kCompactEvidence = 2;

// What a reviewer may do with a candidate, when, and by which call.
struct Outcome {
  std::string_view action;
  std::string_view when;
  std::string_view mode;  // of memory_remember; empty: no call
};
constexpr std::array<Outcome, 5> kOutcomes = {{
    {"remember_as_concept", "The evidence defines a lasting term or idea.", "knowledge"},
    {"remember_as_procedure", "The evidence describes steps that will be repeated.", "knowledge"},
    {"remember_as_decision", "The evidence records a choice and its reason.", "knowledge"},
    {"merge_with_existing", "Stored knowledge already says this under another name.", "supersede"},
    {"skip_candidate", "The term is noise, temporary, or of no use later.", ""},
}};

Value required_checks() {
  return Value::array({"read_evidence_refs", "query_existing_memory_for_title_and_synonyms",
                       "choose_scope_refs_before_write", "rewrite_summary_from_evidence"});
}

Value evidence_list(std::span<const CandidateEvidence> evidence) {
  Value list = Value::array();
  for (const auto& ref : evidence) {
    list.push(Value::object(
        {{"source_id", ref.source_id}, {"segment_id", ref.segment_id}, {"locator", ref.locator}}));
  }
  return list;
}

Value signals_of(const ConceptCandidate& candidate) {
  return Value::object({{"bonuses", Value::array_of(candidate.bonuses)},
                        {"penalties", Value::array_of(candidate.penalties)},
                        {"score_adjustment", candidate.score_adjustment}});
}

Value advice_of(const ConceptCandidate& candidate) {
  const CandidateAdvice advice = advice_for(candidate);
  return Value::object({{"priority", advice.priority},
                        {"recommended", advice.recommended},
                        {"recommended_action", advice.action},
                        {"why", Value::array_of(advice.why)}});
}

// Members that both forms begin with.
Value head_of(const ConceptCandidate& candidate) {
  return Value::object({{"kind", "concept_candidate"},
                        {"candidate_type", candidate.candidate_type},
                        {"title", candidate.title},
                        {"normalized_key", candidate.normalized_key},
                        {"score", candidate.score},
                        {"occurrences", candidate.occurrences},
                        {"source_count", candidate.source_count},
                        {"support_count", candidate.support_count}});
}

Value suggestion_head(const ConceptCandidate& candidate) {
  return Value::object({{"mode", "knowledge"},
                        {"kind", candidate.suggested_kind},
                        {"title", candidate.title},
                        {"status", "candidate"},
                        {"confidence", candidate.confidence}});
}

// What is known of the candidate goes where memory_remember takes free-form members.
Value skeleton(const ConceptCandidate& candidate) {
  Value about = Value::object({{"candidate_type", candidate.candidate_type},
                               {"normalized_key", candidate.normalized_key},
                               {"score", candidate.score},
                               {"occurrences", candidate.occurrences},
                               {"source_count", candidate.source_count},
                               {"support_count", candidate.support_count},
                               {"reasons", Value::array_of(candidate.reasons)}});
  return Value::object(
      {{"kind", candidate.suggested_kind},
       {"title", candidate.title},
       {"summary", fmt::format("Review the evidence and say what {} means here.", candidate.title)},
       {"reason", fmt::format("Met {} times in {} places; reviewed as a candidate.",
                              candidate.occurrences, candidate.support_count)},
       {"memory_source", "agent_inferred"},
       {"scope_refs", Value::array_of(candidate.scope_refs)},
       {"evidence_refs", evidence_list(candidate.evidence)},
       {"payload", Value::object({{"metadata", Value::object({{"candidate", std::move(about)}})}})},
       {"status", "candidate"},
       {"confidence", candidate.confidence}});
}

Value outcome_list() {
  Value list = Value::array();
  for (const Outcome& outcome : kOutcomes) {
    const bool calls = !outcome.mode.empty();
    list.push(Value::object({{"action", outcome.action},
                             {"when", outcome.when},
                             {"tool", calls ? Value("memory_remember") : Value()},
                             {"mode", calls ? Value(outcome.mode) : Value()}}));
  }
  return list;
}

Value next_actions_of_candidates() {
  return Value::array(
      {"review_and_remember", "attach_evidence_refs", "skip_if_project_specific_noise"});
}

template <typename T>
std::span<const T> first(const std::vector<T>& list, size_t limit) {
  return std::span<const T>(list).first(std::min(list.size(), limit));
}

}  // namespace

Value encode_compact(const ConceptCandidate& candidate) {
  Value actions = Value::array();
  for (const Outcome& outcome : kOutcomes) actions.push(outcome.action);
  Value suggested = suggestion_head(candidate);
  suggested.set("input_data_available_from", "memory_maintain report");
  Value out = head_of(candidate);
  out.set("detail", "compact");
  out.set("evidence_refs", evidence_list(first(candidate.evidence, kCompactEvidence)));
  out.set("evidence_ref_count", candidate.evidence_count);
  out.set("object_ref_count", candidate.object_count);
  out.set("reasons", Value::array_of(candidate.reasons));
  out.set("ranking_signals", signals_of(candidate));
  out.set("recommendation", advice_of(candidate));
  out.set("suggested_memory", std::move(suggested));
  out.set("review_guidance", Value::object({{"required_checks", required_checks()},
                                            {"outcome_actions", std::move(actions)}}));
  out.set("omitted_fields",
          Value::array({"object_refs", "suggested_memory.input_data", "review_guidance.outcomes"}));
  out.set("next_actions", next_actions_of_candidates());
  return out;
}

Value encode_full(const ConceptCandidate& candidate) {
  Value suggested = suggestion_head(candidate);
  suggested.set("input_data", skeleton(candidate));
  suggested.set("editable_fields", Value::array({"summary", "reason", "scope_refs", "payload"}));
  suggested.set("summary_prompt",
                fmt::format("From the evidence, say in one or two sentences what {} is and why it "
                            "matters here.",
                            candidate.title));
  Value out = head_of(candidate);
  out.set("evidence_refs", evidence_list(candidate.evidence));
  out.set("object_refs", Value::array_of(candidate.object_refs));
  out.set("reasons", Value::array_of(candidate.reasons));
  out.set("ranking_signals", signals_of(candidate));
  out.set("recommendation", advice_of(candidate));
  out.set("suggested_memory", std::move(suggested));
  out.set("review_guidance",
          Value::object({{"required_checks", required_checks()}, {"outcomes", outcome_list()}}));
  out.set("next_actions", next_actions_of_candidates());
  return out;
}

Value encode(const CandidateDiagnostics& diagnostics, size_t limit) {
  Value skipped = Value::array();
  for (const SkippedTerm& term : first(diagnostics.skipped, limit)) {
    skipped.push(Value::object({{"title", term.title},
                                {"normalized_key", term.normalized_key},
                                {"reason", term.reason},
                                {"occurrences", term.occurrences}}));
  }
  Value by_reason = Value::object();
  for (const NoiseClass& noise : diagnostics.noise_classes)
    by_reason.set(noise.reason, noise.count);
  Value classes = Value::array();
  for (const NoiseClass& noise : first(diagnostics.noise_classes, limit)) {
    classes.push(Value::object({{"reason", noise.reason},
                                {"count", noise.count},
                                {"examples", Value::array_of(noise.examples)}}));
  }
  return Value::object({{"skipped", std::move(skipped)},
                        {"skipped_by_reason", std::move(by_reason)},
                        {"noise_classes", std::move(classes)},
                        {"counts", Value::object({{"skipped", diagnostics.skipped_count},
                                                  {"eligible", diagnostics.eligible_count},
                                                  {"returned", diagnostics.returned_count}})}});
}

}  // namespace holdfast::surface::substrate
