// Which candidates are returned, whether or not they are injected.
#include <algorithm>

#include "service/recall/ranking.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kKeptForSources = 3;

// Best first: the checkpoint, the evidence beside it, then what was concluded in its thread.
void work_results(Run& run) {
  const auto limit = static_cast<size_t>(run.query.limit);
  const auto add = [&](const Candidate* candidate) {
    if (run.results.size() < limit && candidate->usable() &&
        std::ranges::find(run.results, candidate) == run.results.end())
      run.results.push_back(candidate);
  };
  const auto top = std::ranges::find_if(
      run.candidates, [](const Candidate* c) { return c->is(type::kCheckpoint) && c->usable(); });
  if (top != run.candidates.end()) {
    add(*top);
    for (const Candidate* candidate : run.candidates) {
      if (adjacent(**top, *candidate) && source_usefulness(candidate->item) > 0) add(candidate);
    }
    for (const Candidate* candidate : run.candidates) {
      if ((candidate->is(type::kDecision) || candidate->is(type::kOutcome)) &&
          candidate->thread() == (*top)->thread())
        add(candidate);
    }
  }
  for (const Candidate* candidate : run.candidates) add(candidate);
}

void ranked_results(Run& run) {
  const auto limit = static_cast<size_t>(run.query.limit);
  std::vector<const Candidate*> usable;
  for (const Candidate* candidate : run.candidates) {
    if (candidate->usable()) usable.push_back(candidate);
  }
  if (usable.empty()) return;
  const double top = quality_of(run, *usable.front());
  std::erase_if(usable, [&](const Candidate* c) {
    return c->is_memory() && !c->shares_ref && !c->is(type::kConstraint) &&
           quality_of(run, *c) < top / 2;
  });
  const auto sources = static_cast<size_t>(
      std::ranges::count_if(usable, [](const Candidate* c) { return !c->is_memory(); }));
  size_t kept = std::min({kKeptForSources, limit - 1, sources});
  if (run.selected_lane != lane::kResidual) kept = 0;
  size_t memories = limit - kept;
  for (const Candidate* candidate : usable) {
    if (run.results.size() >= limit) break;
    if (candidate->is_memory() && memories == 0) continue;
    memories -= candidate->is_memory() ? 1 : 0;
    run.results.push_back(candidate);
  }
}

}  // namespace

bool in_thread(const Run& run, const Candidate& candidate) {
  return run.query.thread_ref && candidate.thread() == run.query.thread_ref &&
         candidate.is_in(run.query.container_ref);
}

bool adjacent(const Candidate& checkpoint, const Candidate& source) {
  if (source.is_memory()) return false;
  if (source.thread() && source.thread() == checkpoint.thread()) return true;
  const auto& refs = checkpoint.memory->work_refs;
  return std::ranges::any_of(source.item.work_refs, [&](const std::string& ref) {
    return std::ranges::find(refs, ref) != refs.end();
  });
}

void choose_results(Run& run) {
  if (run.selected_lane == lane::kWork) {
    work_results(run);
  } else {
    ranked_results(run);
  }
}

}  // namespace holdfast::service::recall
