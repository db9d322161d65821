// Whether anything is put before the agent, and what: the steps of the published contract in their
// order.
#include <algorithm>

#include "service/recall/ranking.h"

namespace holdfast::service::recall {
namespace {

constexpr auto kRecentConstraint = std::chrono::hours(24 * 14);
constexpr size_t kMostBlocks = 5;
constexpr size_t kLeastBlocks = 3;
// Of vectors that a model made: enough by themselves, and enough beside a shared word.
constexpr int64_t kNear = 800;
constexpr int64_t kRatherNear = 650;

bool is_source_eligible(const Run& run, const Candidate& source) {
  if (source.item.content.find("evidence was not kept") != std::string::npos) return false;
  if (run.selected_lane == lane::kEvidence || run.query.runtime.evidence_request) return true;
  return run.selected_lane == lane::kWork &&
         std::ranges::any_of(run.results, [&](const Candidate* other) {
           return other->is(type::kCheckpoint) && adjacent(*other, source) &&
                  source_usefulness(source.item) > 0;
         });
}

bool is_near(const Run& run, const Candidate& candidate) {
  if (!run.semantic || !candidate.similarity) return false;
  const bool backed =
      candidate.is_memory() && candidate.support >= kSupported && !candidate.matched_words.empty();
  return *candidate.similarity >= kNear || (backed && *candidate.similarity >= kRatherNear);
}

bool is_withheld(const Run& run, const Candidate& candidate) {
  return candidate.is_memory() && run.withheld.contains(candidate.memory->type);
}

bool is_eligible(const Run& run, const Candidate& candidate) {
  if (!candidate.usable() || is_withheld(run, candidate)) return false;
  if (!candidate.is_memory()) return is_source_eligible(run, candidate);
  if (run.selected_lane == lane::kWork || candidate.shares_ref || is_near(run, candidate))
    return true;
  const double least = candidate.is(type::kFact) ? 0.5 : 0.2;
  return !candidate.matched_words.empty() && candidate.coverage >= least;
}

bool qualifies_here(const Candidate& candidate) {
  if (!candidate.usable()) return false;
  if (!candidate.is_memory()) return source_usefulness(candidate.item) >= 18;
  if (candidate.is(type::kSummary)) return is_substantive(candidate);
  const bool kind = candidate.is(type::kDecision) || candidate.is(type::kOutcome) ||
                    candidate.is(type::kCheckpoint) || candidate.is(type::kConstraint);
  return kind && candidate.support >= kSupported;
}

bool thread_suffices(const Run& run) {
  const bool same = run.turn_kind == "same_thread" || run.turn_kind == "same_thread_continuation";
  if (!same || !run.local_context) return false;
  const auto here = [&](const Candidate* c) { return in_thread(run, *c); };
  if (std::ranges::none_of(run.candidates, here)) return false;
  const bool enough = std::ranges::any_of(
      run.candidates, [&](const Candidate* c) { return here(c) && qualifies_here(*c); });
  return enough || std::ranges::none_of(run.candidates, [&](const Candidate* c) {
           return !here(c) && is_eligible(run, *c);
         });
}

bool opens_gate(const Run& run, const Candidate& candidate) {
  if (!candidate.usable()) return false;
  const size_t matched = candidate.matched_words.size();
  const double coverage = candidate.coverage;
  if (candidate.shares_ref || (coverage >= 0.5 && matched >= 1) ||
      (coverage >= 0.3 && matched >= 2) || (coverage >= 0.2 && matched >= 3) ||
      is_near(run, candidate))
    return true;
  const bool solid = candidate.is(type::kCheckpoint) || candidate.is(type::kDecision) ||
                     candidate.is(type::kOutcome);
  return run.selected_lane == lane::kWork && solid && candidate.support >= kSupported;
}

bool low_value_among(const Run& run) {
  return std::ranges::any_of(run.candidates, [](const Candidate* c) {
    return c->excluded == excluded::kLowValue || c->excluded == excluded::kWeakSummary;
  });
}

const Candidate* newest_constraint(const Run& run, Timestamp now) {
  const Candidate* best = nullptr;
  for (const Candidate* candidate : run.candidates) {
    if (candidate->is(type::kConstraint) && candidate->usable() && !is_withheld(run, *candidate) &&
        candidate->fresh() + kRecentConstraint >= now &&
        (best == nullptr || candidate->fresh() > best->fresh()))
      best = candidate;
  }
  return best;
}

void take_blocks(Run& run, const std::vector<const Candidate*>& kept, Timestamp now) {
  const auto cap = std::min(kMostBlocks, static_cast<size_t>(run.query.limit + 1));
  bool summarised = false;
  for (const Candidate* candidate : kept) {
    const bool enough =
        run.blocks.size() >= kLeastBlocks && candidate->score * 10 < kept.front()->score * 4;
    const bool second_summary = candidate->is(type::kFactSummary) && summarised;
    if (run.blocks.size() >= cap || enough || second_summary) {
      run.capped.push_back(candidate->result_id());
      continue;
    }
    summarised = summarised || candidate->is(type::kFactSummary);
    run.blocks.push_back(candidate);
  }
  const Candidate* constraint = newest_constraint(run, now);
  const auto shown = [](const Candidate* c) { return c->is(type::kConstraint); };
  if (constraint != nullptr && run.blocks.size() < cap && std::ranges::none_of(run.blocks, shown))
    run.blocks.push_back(constraint);
}

}  // namespace

void choose_blocks(Run& run, Timestamp now) {
  if (thread_suffices(run)) {
    run.reason = reason::kSameThread;
    return;
  }
  const std::string_view silence = low_value_among(run) ? reason::kOnlyLowValue : reason::kNothing;
  const auto usable = [](const Candidate* c) { return c->usable(); };
  if (std::ranges::none_of(run.candidates, usable)) {
    run.reason = silence;
    return;
  }
  if (std::ranges::none_of(run.results, [&](const Candidate* c) { return opens_gate(run, *c); })) {
    const Candidate* constraint = newest_constraint(run, now);
    run.reason = constraint != nullptr ? reason::kSupplement : reason::kLowConfidence;
    if (constraint != nullptr) run.blocks.push_back(constraint);
    return;
  }
  std::vector<const Candidate*> eligible;
  for (const Candidate* candidate : run.results) {
    if (!is_eligible(run, *candidate)) continue;
    eligible.push_back(candidate);
    run.eligible.push_back(candidate->result_id());
  }
  if (eligible.empty()) {
    run.reason = silence;
    return;
  }
  take_blocks(run, without_repetitions(run, eligible), now);
  run.reason = reason::kCarryForward;
}

}  // namespace holdfast::service::recall
