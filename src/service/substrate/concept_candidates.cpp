#include "service/substrate/concept_candidates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "service/substrate/concept_terms.h"

namespace holdfast::service::substrate {
namespace {

constexpr std::string_view kHeading = "heading_path";
constexpr std::string_view kExcerpt = "source_excerpt";
constexpr std::string_view kKnowledge = "knowledge_text";
constexpr size_t kMaxExamples = 5;
constexpr size_t kMaxWhy = 6;
constexpr double kHighScore = 0.65;

double round3(double value) { return std::round(value * 1000.0) / 1000.0; }

template <typename T>
void add_once(std::vector<T>& list, const T& item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(item);
}

bool holds_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

bool starts_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return text.starts_with(part); });
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

// 2 to 5 words, all in lower case: how commands are written.
bool is_lower_phrase(std::string_view title) {
  const auto words = std::ranges::count(title, ' ') + 1;
  return words >= 2 && words <= 5 && std::ranges::all_of(title, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == ' ' || c == '-' ||
                  c == '_' || c == '.';
         });
}

struct Type {
  std::string_view name;
  std::string_view kind;  // of the knowledge it would become
};
constexpr Type kDetail{"implementation_detail", "concept"};
constexpr Type kTool{"tool_library", "concept"};

Type type_of(std::string_view title) {
  const std::string text = lower(title);
  if (text.starts_with("memory_") || is_lower_phrase(title) || is_tool_command(title) ||
      holds_any(text, {"not null", "primary key", "foreign key", "varchar", "integer"}))
    return kDetail;
  if (holds_any(text, {"/", "embedding model", "jsonl", "sdk", "api"}) || text.ends_with("-mcp") ||
      text.ends_with(" mcp") ||
      starts_any(text, {"claude code", "lm studio", "openai", "neo4j", "kuzu", "lancedb", "bge"}))
    return kTool;
  if (holds_any(text, {"workflow", "process", "procedure", "protocol", "lifecycle", "pipeline"}))
    return {"procedure", "procedure"};
  if (starts_any(text, {"use ", "adopt ", "choose ", "select ", "prefer "}) ||
      holds_any(text, {"decision"}))
    return {"decision", "decision"};
  if (holds_any(text, {"jsonl", "content-type", "file format", "config"})) return kDetail;
  return {"concept", "concept"};
}

bool is_durable(std::string_view type) {
  return type == "concept" || type == "procedure" || type == "decision";
}

struct Signal {
  std::string_view name;
  double adjustment;
  bool applies;
};

// What speaks for and against a candidate beside its support.
void weigh(ConceptCandidate& candidate) {
  const std::string text = lower(candidate.title);
  const std::string_view type = candidate.candidate_type;
  const bool tool = type == kTool.name;
  const bool versioned = std::ranges::any_of(
      text, [](char c) { return (c >= '0' && c <= '9') || c == '/'; });
  const std::array<Signal, 7> signals = {{
      {"durable_memory_candidate", 0.08, is_durable(type)},
      {"workflow_or_process", 0.04, type == "procedure"},
      {"core_abstraction_term", 0.06,
       holds_any(text, {"principle", "design", "architecture", "memory", "wiki"})},
      {"tool_or_library_name", -0.22, tool},
      {"single_scope_tool_or_library", -0.04, tool && candidate.scope_refs.size() <= 1},
      {"implementation_detail", -0.20, type == kDetail.name},
      {"version_or_package_marker", -0.04, versioned},
  }};
  double sum = 0;
  for (const Signal& signal : signals) {
    if (!signal.applies) continue;
    sum += signal.adjustment;
    (signal.adjustment > 0 ? candidate.bonuses : candidate.penalties).emplace_back(signal.name);
  }
  candidate.score_adjustment = round3(sum);
}

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

CandidateAdvice advice_for(const ConceptCandidate& candidate) {
  CandidateAdvice advice;
  const bool durable = is_durable(candidate.candidate_type);
  advice.priority = !durable ? "low" : candidate.score >= kHighScore ? "high" : "medium";
  advice.recommended = durable;
  advice.action = durable ? "review_for_durable_memory" : "review_only_if_current_task_needs_it";
  advice.why = candidate.bonuses;
  advice.why.insert(advice.why.end(), candidate.penalties.begin(), candidate.penalties.end());
  if (candidate.source_count >= 2) advice.why.emplace_back("cross_source_support");
  if (candidate.support_count >= 3) advice.why.emplace_back("repeated_evidence_support");
  if (advice.why.size() > kMaxWhy) advice.why.resize(kMaxWhy);
  return advice;
}

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
  add_once(found->scopes, segment.scope_ref);
  if (!found->evidence_keys.insert(segment.source_id + '\n' + segment.segment_id).second) return;
  if (found->evidence.size() < ConceptCandidate::kMaxRefs) {
    found->evidence.push_back({.source_id = segment.source_id,
                               .segment_id = segment.segment_id,
                               .locator = segment.locator});
  }
}

void ConceptDiscovery::add_segment(const SegmentText& segment) {
  for (const auto& term : extract_terms(segment.excerpt)) note_evidence(term, kExcerpt, segment);
  if (segment.heading_path.empty()) return;
  // The title of a document says what it is about, not a concept of it.
  const std::string& heading = segment.heading_path.back();
  const bool title_line = segment.line_start == 1 && segment.heading_path.size() == 1;
  if (title_line || concept_key(heading) == concept_key(segment.source_title)) return;
  for (const auto& term : extract_terms(heading)) note_evidence(term, kHeading, segment);
  note_evidence(heading, kHeading, segment);
}

void ConceptDiscovery::add_knowledge(const KnowledgeText& knowledge) {
  for (const auto& text : {knowledge.title, knowledge.summary}) {
    for (const auto& term : extract_terms(text)) {
      Found* found = note(term, kKnowledge);
      if (found == nullptr) continue;
      add_once(found->objects, knowledge.id);
      for (const auto& scope : knowledge.scope_refs) add_once(found->scopes, scope);
    }
  }
}

bool ConceptDiscovery::eligible(const Found& found) {
  const size_t support = found.evidence_keys.size() + found.objects.size();
  return found.occurrences >= 2 &&
         (support >= 2 || (support >= 1 && found.reasons.contains(std::string(kHeading))));
}

ConceptCandidate ConceptDiscovery::judge(const std::string& key, const Found& found) {
  const Type type = type_of(found.title);
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
