#include "service/substrate/concept_candidates.h"

#include <algorithm>
#include <tuple>

#include "service/substrate/concept_ranking.h"
#include "service/substrate/concept_terms.h"

namespace holdfast::service::substrate {
namespace {

constexpr std::string_view kHeadingPath = "heading_path";
constexpr std::string_view kSourceExcerpt = "source_excerpt";
constexpr std::string_view kKnowledgeText = "knowledge_text";
constexpr size_t kMaxExamples = 5;

CandidateDiagnostics diagnose(std::vector<SkippedTerm> skipped) {
  std::ranges::sort(skipped, [](const SkippedTerm& a, const SkippedTerm& b) {
    return std::tie(b.occurrences, a.title, a.normalized_key) <
           std::tie(a.occurrences, b.title, b.normalized_key);
  });
  CandidateDiagnostics diagnostics{.skipped_count = static_cast<int64_t>(skipped.size())};
  std::map<std::string, NoiseClass> classes;
  for (const SkippedTerm& term : skipped) {
    NoiseClass& noise = classes[term.reason];
    noise.reason = term.reason;
    ++noise.count;
    if (noise.examples.size() < kMaxExamples) noise.examples.push_back(term.title);
  }
  for (auto& [name, noise] : classes) diagnostics.noise_classes.push_back(std::move(noise));
  std::ranges::stable_sort(diagnostics.noise_classes, [](const NoiseClass& a, const NoiseClass& b) {
    return a.count > b.count;
  });
  if (skipped.size() > CandidateDiagnostics::kMaxSkipped)
    skipped.resize(CandidateDiagnostics::kMaxSkipped);
  diagnostics.skipped = std::move(skipped);
  return diagnostics;
}

}  // namespace

ConceptDiscovery::Found* ConceptDiscovery::note(std::string_view term, std::string_view reason) {
  std::string title = clean_term(term);
  const std::string key = concept_key(title);
  if (key.empty()) return nullptr;
  auto it = found_.find(key);
  if (it == found_.end()) {
    if (found_.size() >= kMaxKeys) return nullptr;
    it = found_.emplace(key, Found{.title = std::move(title)}).first;
  }
  ++it->second.occurrences;
  it->second.reasons.emplace(reason);
  return &it->second;
}

void ConceptDiscovery::note_evidence(std::string_view term, std::string_view reason,
                                     const SegmentText& segment) {
  Found* found = note(term, reason);
  if (found == nullptr) return;
  found->sources.insert(segment.source_id);
  found->add_scope(segment.scope_ref);
  if (!found->evidence_keys.insert(segment.source_id + '\n' + segment.segment_id).second) return;
  if (found->evidence.size() < ConceptCandidate::kMaxRefs) {
    found->evidence.push_back({.source_id = segment.source_id,
                               .segment_id = segment.segment_id,
                               .locator = segment.locator});
  }
}

void ConceptDiscovery::add_segment(const SegmentText& segment) {
  for (const auto& term : extract_terms(segment.excerpt))
    note_evidence(term, kSourceExcerpt, segment);
  if (segment.heading_path.empty()) return;
  // The title of a document says what it is about, not a concept of it.
  const std::string& heading = segment.heading_path.back();
  const bool title_line = segment.line_start == 1 && segment.heading_path.size() == 1;
  if (title_line || concept_key(heading) == concept_key(segment.source_title)) return;
  for (const auto& term : extract_terms(heading)) note_evidence(term, kHeadingPath, segment);
  note_evidence(heading, kHeadingPath, segment);
}

void ConceptDiscovery::add_knowledge(const KnowledgeText& knowledge) {
  for (const auto& text : {knowledge.title, knowledge.summary}) {
    for (const auto& term : extract_terms(text)) {
      Found* found = note(term, kKnowledgeText);
      if (found == nullptr) continue;
      // One piece of knowledge after the other, so it can only be the last one.
      if (found->objects.empty() || found->objects.back() != knowledge.id)
        found->objects.push_back(knowledge.id);
      for (const auto& scope : knowledge.scope_refs) found->add_scope(scope);
    }
  }
}

void ConceptDiscovery::Found::add_scope(const std::string& scope) {
  if (scope_keys.insert(scope).second) scopes.push_back(scope);
}

bool ConceptDiscovery::eligible(const Found& found) {
  const size_t support = found.evidence_keys.size() + found.objects.size();
  return found.occurrences >= 2 &&
         (support >= 2 || (support >= 1 && found.reasons.contains(std::string(kHeadingPath))));
}

ConceptCandidate ConceptDiscovery::judge(const std::string& key, const Found& found) {
  const CandidateType type = candidate_type_of(found.title);
  ConceptCandidate candidate{
      .candidate_type = std::string(type.name),
      .suggested_kind = std::string(type.kind),
      .title = found.title,
      .normalized_key = key,
      .occurrences = found.occurrences,
      .source_count = static_cast<int64_t>(found.sources.size()),
      .support_count = static_cast<int64_t>(found.evidence_keys.size() + found.objects.size()),
      .evidence = found.evidence,
      .evidence_count = static_cast<int64_t>(found.evidence_keys.size()),
      .object_count = static_cast<int64_t>(found.objects.size()),
      .scope_refs = found.scopes,
      .reasons = {found.reasons.begin(), found.reasons.end()}};
  const size_t refs = std::min(found.objects.size(), ConceptCandidate::kMaxRefs);
  candidate.object_refs.assign(found.objects.begin(),
                               found.objects.begin() + static_cast<std::ptrdiff_t>(refs));
  weigh(candidate);
  const auto occurrences = static_cast<double>(candidate.occurrences);
  const auto support = static_cast<double>(candidate.support_count);
  const double raw = 0.28 + std::min(0.24, 0.04 * occurrences) + std::min(0.24, 0.08 * support) +
                     std::min(0.12, 0.06 * static_cast<double>(candidate.source_count));
  candidate.score = round3(std::clamp(raw + candidate.score_adjustment, 0.0, 1.0));
  candidate.confidence = round3(std::min(0.85, 0.45 + 0.05 * occurrences + 0.08 * support));
  return candidate;
}

ConceptReport ConceptDiscovery::report(const ConceptQuestion& question) const {
  ConceptReport report;
  std::vector<SkippedTerm> skipped;
  for (const auto& [key, found] : found_) {
    if (const std::string_view reason = skip_reason(found.title); !reason.empty()) {
      skipped.push_back({.title = found.title,
                         .normalized_key = key,
                         .reason = std::string(reason),
                         .occurrences = found.occurrences});
    } else if (eligible(found) && !(question.taken && question.taken(key))) {
      report.candidates.push_back(judge(key, found));
    }
  }
  std::ranges::sort(report.candidates, [](const ConceptCandidate& a, const ConceptCandidate& b) {
    return std::tie(b.score, a.title, a.normalized_key) <
           std::tie(a.score, b.title, b.normalized_key);
  });
  report.diagnostics = diagnose(std::move(skipped));
  report.diagnostics.eligible_count = static_cast<int64_t>(report.candidates.size());
  if (report.candidates.size() > question.limit) report.candidates.resize(question.limit);
  report.diagnostics.returned_count = static_cast<int64_t>(report.candidates.size());
  return report;
}

}  // namespace holdfast::service::substrate
