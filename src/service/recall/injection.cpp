#include <algorithm>

#include "service/recall/ranking.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

constexpr auto kRecentConstraint = std::chrono::hours(24 * 14);
constexpr size_t kMostBlocks = 5;
constexpr size_t kLeastBlocks = 3;

bool in_thread(const Run& run, const Candidate& candidate) {
  return run.query.thread_ref && candidate.thread() == run.query.thread_ref &&
         candidate.container() == run.query.container_ref;
}

bool adjacent(const Candidate& checkpoint, const Candidate& source) {
  if (source.is_memory()) return false;
  if (source.thread() && source.thread() == checkpoint.thread()) return true;
  const auto& refs = checkpoint.memory->work_refs;
  return std::ranges::any_of(source.item.work_refs, [&](const std::string& ref) {
    return std::ranges::find(refs, ref) != refs.end();
  });
}

// Best first: the checkpoint, the evidence beside it, then what was concluded in its thread.
void work_results(Run& run) {
  const auto limit = static_cast<size_t>(run.query.limit);
  const auto top = std::ranges::find_if(
      run.candidates, [](const Candidate& c) { return c.is(type::kCheckpoint) && c.usable(); });
  const auto add = [&](const Candidate& candidate) {
    const auto known = std::ranges::find(run.results, candidate.id(), &Candidate::id);
    if (run.results.size() < limit && candidate.usable() && known == run.results.end())
      run.results.push_back(candidate);
  };
  if (top != run.candidates.end()) {
    add(*top);
    for (const Candidate& candidate : run.candidates) {
      if (adjacent(*top, candidate) && source_usefulness(candidate.item) > 0) add(candidate);
    }
    for (const Candidate& candidate : run.candidates) {
      if ((candidate.is(type::kDecision) || candidate.is(type::kOutcome)) &&
          candidate.thread() == top->thread())
        add(candidate);
    }
  }
  for (const Candidate& candidate : run.candidates) add(candidate);
}

void ranked_results(Run& run) {
  const auto limit = static_cast<size_t>(run.query.limit);
  std::vector<const Candidate*> usable;
  for (const Candidate& candidate : run.candidates) {
    if (candidate.usable()) usable.push_back(&candidate);
  }
  if (usable.empty()) return;
  const double top = usable.front()->coverage;
  std::erase_if(usable, [&](const Candidate* c) {
    return c->is_memory() && !c->shares_ref && !c->is(type::kConstraint) && c->coverage < top / 2;
  });
  const auto sources = static_cast<size_t>(
      std::ranges::count_if(usable, [](const Candidate* c) { return !c->is_memory(); }));
  size_t kept = std::min({size_t{3}, limit - 1, sources});
  if (run.selected_lane != lane::kResidual) kept = 0;
  size_t memories = limit - kept;
  size_t others = limit;
  for (const Candidate* candidate : usable) {
    if (run.results.size() >= limit) break;
    size_t& room = candidate->is_memory() ? memories : others;
    if (room == 0) continue;
    --room;
    run.results.push_back(*candidate);
  }
}

bool is_source_allowed(const Run& run) {
  return run.selected_lane == lane::kEvidence || run.query.runtime.evidence_request;
}

bool is_eligible(const Run& run, const Candidate& candidate) {
  if (!candidate.usable()) return false;
  const bool work = run.selected_lane == lane::kWork;
  if (!candidate.is_memory()) {
    if (candidate.item.content.find("evidence was not kept") != std::string::npos) return false;
    if (is_source_allowed(run)) return true;
    return work && std::ranges::any_of(run.results, [&](const Candidate& other) {
             return other.is(type::kCheckpoint) && adjacent(other, candidate) &&
                    source_usefulness(candidate.item) > 0;
           });
  }
  if (work || candidate.shares_ref) return true;
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
  const auto here = [&](const Candidate& c) { return in_thread(run, c); };
  if (std::ranges::none_of(run.candidates, here)) return false;
  const bool enough = std::ranges::any_of(
      run.candidates, [&](const Candidate& c) { return here(c) && qualifies_here(c); });
  return enough || std::ranges::none_of(run.candidates, [&](const Candidate& c) {
           return !here(c) && is_eligible(run, c);
         });
}

bool opens_gate(const Run& run, const Candidate& candidate) {
  if (!candidate.usable()) return false;
  const size_t matched = candidate.matched_words.size();
  const double coverage = candidate.coverage;
  if (candidate.shares_ref || (coverage >= 0.5 && matched >= 1) ||
      (coverage >= 0.3 && matched >= 2) || (coverage >= 0.2 && matched >= 3))
    return true;
  const bool solid = candidate.is(type::kCheckpoint) || candidate.is(type::kDecision) ||
                     candidate.is(type::kOutcome);
  return run.selected_lane == lane::kWork && solid && candidate.support >= kSupported;
}

bool low_value_among(const Run& run) {
  return std::ranges::any_of(run.candidates, [](const Candidate& c) {
    return c.excluded == excluded::kLowValue || c.excluded == excluded::kWeakSummary;
  });
}

const Candidate* newest_constraint(const Run& run, Timestamp now) {
  const Candidate* best = nullptr;
  for (const Candidate& candidate : run.candidates) {
    if (candidate.is(type::kConstraint) && candidate.usable() &&
        candidate.fresh() + kRecentConstraint >= now &&
        (best == nullptr || candidate.fresh() > best->fresh()))
      best = &candidate;
  }
  return best;
}

int precedence(const Candidate& candidate) {
  if (candidate.is(type::kDecision) || candidate.is(type::kOutcome)) return 3;
  if (candidate.is(type::kContinuity)) return 2;
  const bool derived =
      candidate.is(type::kSummary) || candidate.is(type::kFactSummary) || candidate.is(type::kFact);
  return derived ? 0 : 1;
}

bool shares_evidence(const Memory& a, const Memory& b) {
  return std::ranges::any_of(a.evidence, [&](const Evidence& evidence) {
    return std::ranges::find(b.evidence, evidence.source_item_id, &Evidence::source_item_id) !=
           b.evidence.end();
  });
}

bool same_content(const Candidate& a, const Candidate& b) {
  if (!a.is_memory() || !b.is_memory()) return false;
  // A checkpoint is shown part by part; it repeats nothing else.
  if (a.is(type::kCheckpoint) || b.is(type::kCheckpoint)) return false;
  if (a.memory->type == b.memory->type)
    return !a.memory->canonical_key.empty() && a.memory->canonical_key == b.memory->canonical_key;
  const auto words_a = content_words(headline(*a.memory));
  const auto words_b = content_words(headline(*b.memory));
  if (std::min(words_a.size(), words_b.size()) < 2) return false;
  const double overlap = overlap_of(words_a, words_b);
  return overlap >= 0.75 || (overlap >= 0.7 && !shares_evidence(*a.memory, *b.memory));
}

std::vector<Candidate> deduplicated(Run& run, std::vector<Candidate> eligible) {
  std::vector<Candidate> kept;
  for (Candidate& candidate : eligible) {
    const auto twin = std::ranges::find_if(
        kept, [&](const Candidate& other) { return same_content(other, candidate); });
    if (twin == kept.end()) {
      kept.push_back(std::move(candidate));
    } else if (precedence(candidate) > precedence(*twin)) {
      run.deduplicated.push_back(twin->result_id());
      *twin = std::move(candidate);
    } else {
      run.deduplicated.push_back(candidate.result_id());
    }
  }
  return kept;
}

void take_blocks(Run& run, const std::vector<Candidate>& kept, Timestamp now) {
  const auto cap = std::min(kMostBlocks, static_cast<size_t>(run.query.limit + 1));
  bool summarised = false;
  for (const Candidate& candidate : kept) {
    const bool enough =
        run.blocks.size() >= kLeastBlocks && candidate.score * 10 < kept.front().score * 4;
    const bool second_summary = candidate.is(type::kFactSummary) && summarised;
    if (run.blocks.size() >= cap || enough || second_summary) {
      run.capped.push_back(candidate.result_id());
      continue;
    }
    summarised = summarised || candidate.is(type::kFactSummary);
    run.blocks.push_back(candidate);
  }
  const Candidate* constraint = newest_constraint(run, now);
  const auto shown = [](const Candidate& c) { return c.is(type::kConstraint); };
  if (constraint != nullptr && run.blocks.size() < cap && std::ranges::none_of(run.blocks, shown))
    run.blocks.push_back(*constraint);
}

}  // namespace

void choose_results(Run& run) {
  if (run.selected_lane == lane::kWork) {
    work_results(run);
  } else {
    ranked_results(run);
  }
}

void choose_blocks(Run& run, Timestamp now) {
  if (thread_suffices(run)) {
    run.reason = reason::kSameThread;
    return;
  }
  const std::string_view silence = low_value_among(run) ? reason::kOnlyLowValue : reason::kNothing;
  const auto usable = [](const Candidate& c) { return c.usable(); };
  if (std::ranges::none_of(run.candidates, usable)) {
    run.reason = silence;
    return;
  }
  if (std::ranges::none_of(run.results, [&](const Candidate& c) { return opens_gate(run, c); })) {
    const Candidate* constraint = newest_constraint(run, now);
    run.reason = constraint != nullptr ? reason::kSupplement : reason::kLowConfidence;
    if (constraint != nullptr) run.blocks.push_back(*constraint);
    return;
  }
  std::vector<Candidate> eligible;
  for (const Candidate& candidate : run.results) {
    if (!is_eligible(run, candidate)) continue;
    eligible.push_back(candidate);
    run.eligible.push_back(candidate.result_id());
  }
  if (eligible.empty()) {
    run.reason = silence;
    return;
  }
  take_blocks(run, deduplicated(run, std::move(eligible)), now);
  run.reason = reason::kCarryForward;
}

}  // namespace holdfast::service::recall
