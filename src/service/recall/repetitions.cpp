// Two memories that say one thing take one place.
#include <algorithm>

#include "service/recall/ranking.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

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

struct Kept {
  const Candidate* candidate = nullptr;
  std::vector<std::string> words = {};
};

bool same_content(const Kept& a, const Kept& b) {
  if (!a.candidate->is_memory() || !b.candidate->is_memory()) return false;
  // A checkpoint is shown part by part; it repeats nothing else.
  if (a.candidate->is(type::kCheckpoint) || b.candidate->is(type::kCheckpoint)) return false;
  const Memory& one = *a.candidate->memory;
  const Memory& other = *b.candidate->memory;
  if (one.type == other.type)
    return !one.canonical_key.empty() && one.canonical_key == other.canonical_key;
  if (std::min(a.words.size(), b.words.size()) < 2) return false;
  const double overlap = overlap_of(a.words, b.words);
  return overlap >= 0.75 || (overlap >= 0.7 && !shares_evidence(one, other));
}

}  // namespace

std::vector<const Candidate*> without_repetitions(Run& run,
                                                  const std::vector<const Candidate*>& eligible) {
  std::vector<Kept> kept;
  for (const Candidate* candidate : eligible) {
    Kept fresh{.candidate = candidate};
    if (candidate->is_memory()) fresh.words = content_words(headline(*candidate->memory));
    const auto twin =
        std::ranges::find_if(kept, [&](const Kept& other) { return same_content(other, fresh); });
    if (twin == kept.end()) {
      kept.push_back(std::move(fresh));
    } else if (precedence(*candidate) > precedence(*twin->candidate)) {
      run.deduplicated.push_back(twin->candidate->result_id());
      *twin = std::move(fresh);
    } else {
      run.deduplicated.push_back(candidate->result_id());
    }
  }
  std::vector<const Candidate*> out;
  for (const Kept& one : kept) out.push_back(one.candidate);
  return out;
}

}  // namespace holdfast::service::recall
