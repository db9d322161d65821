#include "service/substrate/concept_ranking.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "service/substrate/concept_terms.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

constexpr size_t kMaxWhy = 6;
constexpr double kHighScore = 0.65;

bool holds_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

bool starts_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return text.starts_with(part); });
}

// 2 to 5 words, all in lower case: how commands are written.
bool is_lower_phrase(std::string_view title) {
  const auto words = std::ranges::count(title, ' ') + 1;
  return words >= 2 && words <= 5 && std::ranges::all_of(title, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == ' ' || c == '-' ||
                  c == '_' || c == '.';
         });
}

constexpr CandidateType kDetail{"implementation_detail", "concept"};
constexpr CandidateType kTool{"tool_library", "concept"};

bool is_durable(std::string_view type) {
  return type == "concept" || type == "procedure" || type == "decision";
}

struct Signal {
  std::string_view name;
  double adjustment;
  bool applies;
};

}  // namespace

double round3(double value) { return std::round(value * 1000.0) / 1000.0; }

CandidateType candidate_type_of(std::string_view title) {
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

void weigh(ConceptCandidate& candidate) {
  const std::string text = lower(candidate.title);
  const std::string_view type = candidate.candidate_type;
  const bool tool = type == kTool.name;
  const bool versioned =
      std::ranges::any_of(text, [](char c) { return (c >= '0' && c <= '9') || c == '/'; });
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

}  // namespace holdfast::service::substrate
