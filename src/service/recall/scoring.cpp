#include <algorithm>
#include <map>
#include <tuple>

#include "service/recall/ranking.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

enum Column : uint8_t { kRecallColumn, kStructuredColumn, kWorkColumn, kEvidenceColumn };

Column column_of(std::string_view name) {
  if (name == lane::kWork) return kWorkColumn;
  if (name == lane::kEvidence) return kEvidenceColumn;
  return name == intent::kStructured ? kStructuredColumn : kRecallColumn;
}

struct Weights {
  std::string_view layer;
  std::array<int64_t, 4> base;
  std::array<int64_t, 4> specific;
};
constexpr std::array<Weights, 11> kWeights = {{
    {type::kConstraint, {200, 120, 245, 55}, {0, 0, 0, 0}},
    {type::kOutcome, {160, 230, 150, 190}, {38, 48, 0, 23}},
    {type::kDecision, {150, 220, 145, 180}, {43, 40, 0, 25}},
    {type::kFactSummary, {150, 170, 60, 120}, {0, 0, 0, 0}},
    {type::kNote, {145, 130, 130, 100}, {0, 0, 0, 0}},
    {type::kContinuity, {145, 60, 90, 60}, {0, 0, 0, 0}},
    {type::kPattern, {130, 35, 35, 20}, {0, 0, 0, 0}},
    {type::kFact, {120, 140, 60, 100}, {0, 0, 0, 0}},
    {type::kCheckpoint, {70, 50, 235, 45}, {0, -18, 28, -18}},
    {type::kSummary, {60, 80, 65, 60}, {0, -20, 0, -20}},
    {"source_evidence", {60, 70, 195, 230}, {0, 0, 0, 0}},
}};

const Weights& weights_of(std::string_view layer) {
  const auto* found = std::ranges::find(kWeights, layer, &Weights::layer);
  return found == kWeights.end() ? kWeights.back() : *found;
}

int64_t listed(const Memory& memory, std::string_view name, int64_t most) {
  const Value* value = memory.payload.find(name);
  const auto* elements = value != nullptr ? value->if_array() : nullptr;
  return elements == nullptr ? 0 : std::min(most, static_cast<int64_t>(elements->size()));
}

int64_t filled(const Memory& memory, std::initializer_list<std::string_view> names) {
  int64_t count = 0;
  for (const std::string_view name : names) count += text_of(memory, name).empty() ? 0 : 1;
  return count;
}

int64_t checkpoint_support(const Memory& memory) {
  int64_t sum = 18 + 8 * filled(memory, {"task", "current_state", "blocker_state", "next_step"});
  sum += 8 * listed(memory, "key_findings", 1) + 6 * listed(memory, "selected_work_artifacts", 4);
  sum += 4 * listed(memory, "key_findings", 3) + 5 * listed(memory, "evidence", 3);
  return sum + (filled(memory, {"blocker_state", "next_step"}) == 2 ? 10 : 0);
}

int64_t own_support(const Candidate& candidate) {
  if (!candidate.is_memory()) {
    const std::string kind = effective_kind(candidate.item.about);
    if (kind == "tool_use_summary" || kind == "todo_snapshot") return 34;
    return kind == "assistant_output" ? 28 : 18;
  }
  const Memory& memory = *candidate.memory;
  if (memory.type == type::kDecision || memory.type == type::kOutcome)
    return 42 +
           10 * filled(memory, {memory.type == type::kDecision ? "decision_evidence_text"
                                                               : "investigation_evidence_text"});
  if (memory.type == type::kCheckpoint) return checkpoint_support(memory);
  if (memory.type == type::kContinuity) return 18 + 18 * filled(memory, {"carry_forward_answer"});
  if (memory.type == type::kPattern) return 14 + 10 * filled(memory, {"pattern_label"});
  if (memory.type == type::kSummary) return 8 + 8 * listed(memory, "conclusions", 3);
  return memory.type == type::kFact || memory.type == type::kFactSummary ? 20 : 24;
}

int64_t support_of(const Run& run, const Candidate& candidate) {
  const size_t evidence = candidate.is_memory() ? candidate.memory->evidence.size() : 1;
  int64_t sum = own_support(candidate) + 8 * static_cast<int64_t>(std::min<size_t>(evidence, 3));
  if (run.query.thread_ref && candidate.thread() == run.query.thread_ref) return sum + 12;
  return candidate.is_in(run.query.container_ref) ? sum + 6 : sum;
}

bool is_summary_like(const Candidate& candidate) {
  return candidate.is(type::kSummary) || candidate.is(type::kContinuity) ||
         candidate.is(type::kPattern);
}

// By recency within a type: the newest gains, the third and older lose.
int64_t freshness_points(Column column, size_t rank) {
  static constexpr std::array<int64_t, 4> kFirst = {24, 42, 18, 0};
  if (rank == 0) return kFirst.at(column);
  return std::max<int64_t>(-12 * static_cast<int64_t>(rank - 1), -30);
}

// How many memories of its type are newer. Raw evidence has no type: how new it is breaks ties.
std::map<const Candidate*, size_t> recency_ranks(const Run& run) {
  std::vector<const Candidate*> order;
  for (const Candidate* candidate : run.candidates) {
    if (candidate->is_memory()) order.push_back(candidate);
  }
  std::ranges::stable_sort(order, [](const Candidate* a, const Candidate* b) {
    return std::tuple(b->fresh(), std::string_view(a->id())) <
           std::tuple(a->fresh(), std::string_view(b->id()));
  });
  std::map<std::string_view, size_t> per_type;
  std::map<const Candidate*, size_t> ranks;
  for (const Candidate* candidate : order) ranks[candidate] = per_type[candidate->layer()]++;
  return ranks;
}

int64_t locality_of(const Run& run, const Candidate& candidate) {
  const bool foreign = !candidate.is_in(run.query.container_ref);
  int64_t sum = 0;
  if (candidate.is(type::kContinuity)) {
    if (run.query.thread_ref && candidate.thread() == run.query.thread_ref) sum += 60;
    if (foreign) sum -= 60;
  }
  if (foreign && candidate.is_memory() && candidate.memory->visibility == Scope::kGlobal) sum -= 40;
  return sum;
}

struct Circumstances {
  bool memory_available = false;
  std::map<const Candidate*, size_t> ranks = {};
};

int64_t score_of(const Run& run, const Candidate& candidate, const Circumstances& around) {
  const Column column = column_of(run.intent);
  const Weights& weights = weights_of(candidate.layer());
  const double quality = quality_of(run, candidate);
  int64_t score = weights.base.at(column) + static_cast<int64_t>(200 * quality);
  score += candidate.support + weights.specific.at(column) + locality_of(run, candidate);
  if (const auto rank = around.ranks.find(&candidate); rank != around.ranks.end())
    score += freshness_points(column, rank->second);
  if (!candidate.is_memory() && column == kEvidenceColumn)
    score += effective_kind(candidate.item.about) == "assistant_output" ? 15 : 5;
  if (candidate.shares_ref) score += 120;
  if (candidate.coverage >= 1) score += 60;
  if (!candidate.usable()) score -= 50;
  const bool fresh_start = run.turn_kind == "new_thread" || run.turn_kind == "new_session";
  if (fresh_start && around.memory_available && !candidate.is_memory()) score -= 80;
  if (is_summary_like(candidate) && quality < 0.5) score = std::max<int64_t>(score - 160, 1);
  return std::clamp<int64_t>(score, 0, 1000);
}

double best_source_coverage(const Run& run) {
  double best = 0;
  for (const Candidate* candidate : run.candidates) {
    if (!candidate->is_memory()) best = std::max(best, candidate->coverage);
  }
  return best;
}

}  // namespace

double quality_of(const Run& run, const Candidate& candidate) {
  // Among raw evidence the index knows best: it has the rarity of words, the speaker and the turns
  // around. Its first has the quality of the best coverage.
  if (!candidate.is_memory() && candidate.relevance > 0)
    return candidate.relevance * best_source_coverage(run);
  const int64_t similarity = candidate.similarity.value_or(0);
  return std::max(candidate.coverage, static_cast<double>(similarity) / 1000);
}

std::string_view exclusion_of(const Run& run, const Candidate& candidate) {
  if (!candidate.is_memory()) {
    const bool has_all = run.content.empty() || candidate.coverage >= 1;
    if (has_all && normalised(candidate.item.content) == normalised(run.query.text))
      return excluded::kEcho;
    return is_low_value_text(candidate.item.content) ? excluded::kLowValue : std::string_view();
  }
  const bool recall = run.intent == intent::kRecall || run.intent == intent::kStructured;
  if (recall && candidate.is(type::kSummary) && !is_substantive(candidate))
    return excluded::kWeakSummary;
  return {};
}

void weigh_support(Run& run) {
  for (Candidate* candidate : run.candidates) candidate->support = support_of(run, *candidate);
}

void score_all(Run& run) {
  const Circumstances around{.memory_available = std::ranges::any_of(
                                 run.candidates, [](const Candidate* c) { return c->is_memory(); }),
                             .ranks = recency_ranks(run)};
  for (Candidate* candidate : run.candidates) {
    if (candidate->is_memory()) candidate->excluded = exclusion_of(run, *candidate);
    candidate->score = score_of(run, *candidate, around);
  }
  std::ranges::stable_sort(run.candidates, [](const Candidate* a, const Candidate* b) {
    return std::tuple(-a->score, b->fresh(), !a->is_memory(), std::string_view(a->id())) <
           std::tuple(-b->score, a->fresh(), !b->is_memory(), std::string_view(b->id()));
  });
}

}  // namespace holdfast::service::recall
