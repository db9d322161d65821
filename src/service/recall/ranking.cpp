#include "service/recall/ranking.h"

#include <algorithm>

#include "service/recall/extract.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

constexpr double kFloor = 0.15;
constexpr int64_t kSemanticFloor = 580;
constexpr int64_t kUseful = 24;

bool above_floor(const Run& run, const Candidate& candidate) {
  if (candidate.structural || candidate.shares_ref) return true;
  if (run.semantic && candidate.similarity.value_or(0) >= kSemanticFloor) return true;
  if (candidate.matched_words.empty()) return false;
  return candidate.coverage >= kFloor || candidate.is(type::kConstraint);
}

bool shares_any(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::any_of(
      a, [&](const std::string& ref) { return std::ranges::find(b, ref) != b.end(); });
}

size_t count_of(const Memory& memory, std::string_view name, size_t most) {
  const Value* value = memory.payload.find(name);
  const auto* elements = value != nullptr ? value->if_array() : nullptr;
  return elements == nullptr ? 0 : std::min(elements->size(), most);
}

bool work_gate(const Run& run) {
  return std::ranges::any_of(run.candidates, [](const Candidate* candidate) {
    if (candidate->is(type::kCheckpoint))
      return checkpoint_usefulness(*candidate->memory) >= kUseful ||
             candidate->support >= kSupported;
    return !candidate->is_memory() && source_usefulness(candidate->item) >= kUseful;
  });
}

// Which ways are open; false where the answer is silence.
bool choose_lane(Run& run) {
  const bool any_checkpoint = std::ranges::any_of(
      run.candidates, [](const Candidate* c) { return c->is(type::kCheckpoint); });
  const bool any_source =
      std::ranges::any_of(run.candidates, [](const Candidate* c) { return !c->is_memory(); });
  const bool work = run.signals.resume && work_gate(run);
  const bool evidence = run.signals.evidence && any_source;
  run.lanes.emplace(lane::kWork, work                                   ? "strong"
                                 : run.signals.resume || any_checkpoint ? "plausible"
                                                                        : "excluded");
  run.lanes.emplace(lane::kEvidence, evidence ? "strong" : any_source ? "plausible" : "excluded");
  const bool by_ref =
      std::ranges::any_of(run.candidates, [](const Candidate* c) { return c->shares_ref; });
  const bool residual = !work && !evidence && (!run.content.empty() || by_ref);
  run.lanes.emplace(lane::kResidual, residual ? "plausible" : "excluded");
  if (work && evidence) return run.reason = reason::kAmbiguous, false;
  if (work || evidence) {
    run.selected_lane = work ? lane::kWork : lane::kEvidence;
    run.intent = run.selected_lane;
    return true;
  }
  if (!residual) return run.reason = reason::kNoLane, false;
  run.selected_lane = lane::kResidual;
  size_t structured = 0;
  size_t memories = 0;
  for (const Candidate* candidate : run.candidates) {
    memories += candidate->is_memory() ? 1 : 0;
    structured += candidate->is(type::kDecision) || candidate->is(type::kOutcome) ? 1 : 0;
  }
  const bool only = structured >= 2 && structured == memories;
  run.intent = only ? intent::kStructured : intent::kRecall;
  return true;
}

}  // namespace

void measure(const std::vector<std::string>& content, Candidate& candidate) {
  const WordSet words(candidate.text());
  for (const std::string& word : content) {
    const double match = words.match(word);
    if (match == 0) continue;
    candidate.matched += match;
    candidate.matched_words.push_back(word);
  }
  if (!content.empty())
    candidate.coverage = candidate.matched / static_cast<double>(content.size());
}

bool may_be_shown(const Run& run, const Candidate& candidate) {
  return above_floor(run, candidate) && candidate.usable();
}

bool is_substantive(const Candidate& candidate) {
  return text_of(*candidate.memory, "content_quality") == "substantive";
}

int64_t checkpoint_usefulness(const Memory& checkpoint) {
  const bool task = !text_of(checkpoint, "task").empty();
  const bool state = !text_of(checkpoint, "current_state").empty();
  const bool blocker = !text_of(checkpoint, "blocker_state").empty();
  const bool next = !text_of(checkpoint, "next_step").empty();
  const bool fresh = !text_of(checkpoint, "freshness_signal").empty();
  const bool findings = count_of(checkpoint, "key_findings", 3) > 0;
  const bool evidence = count_of(checkpoint, "evidence", 4) > 0;
  int64_t sum = (task ? 6 : 0) + (state ? 8 : 0) + (findings ? 6 : 0) + (blocker ? 12 : 0) +
                (next ? 12 : 0) + (evidence ? 10 : 0) + (fresh ? 8 : 0);
  sum += 2 * static_cast<int64_t>(count_of(checkpoint, "selected_work_artifacts", 3));
  if (blocker && next && evidence && fresh) sum += 10;
  const int core = int{task} + int{state} + int{blocker} + int{next} + int{findings};
  const bool thin = core < 3 || (!blocker && !next) || (!findings && !evidence);
  return thin ? sum - 70 : sum;
}

int64_t source_usefulness(const Item& item) {
  int64_t sum = 0;
  const std::vector<Signal> signals = work_signals(item);
  const auto has = [&](std::string_view name) {
    return std::ranges::find(signals, name, &Signal::type) != signals.end();
  };
  sum += has("blocker") ? 12 : 0;
  sum += has("next_step") ? 12 : 0;
  sum += has("progress_update") ? 8 : 0;
  return signals.empty() ? 0 : sum + 4;
}

void decide(Run& run, Timestamp now) {
  for (const auto& candidate : run.found) {
    candidate->shares_ref = shares_any(candidate->refs(), run.refs);
    if (above_floor(run, *candidate)) run.candidates.push_back(candidate.get());
  }
  run.below_floor = run.found.size() - run.candidates.size();
  if (run.candidates.empty() && !run.found.empty()) {
    run.reason = reason::kBelowFloor;
    return;
  }
  weigh_support(run);
  if (!choose_lane(run)) return score_all(run);
  score_all(run);
  choose_results(run);
  choose_blocks(run, now);
}

}  // namespace holdfast::service::recall
