// The walk over the postings that finds the best documents: MaxScore with block bounds, a window of
// documents at a time. Within a window the frequencies of the terms that can decide (the essential
// ones) are laid out side by side; terms whose bounds together cannot lift a document over the
// threshold are looked up only for documents that come close. Access and filters are checked before
// a document is scored in full. The newest documents come first: of those that score alike they are
// the better ones, so that what a common word finds is not gone through to its end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "search/boosts.h"
#include "search/part_scorer.h"
#include "search/plan.h"

namespace holdfast::search {

struct Ranked {
  double score = 0;  // with recency and speaker
  double lexical = 0;
  ObjectNumber number = 0;
  uint32_t part = 0;
  uint32_t doc = 0;
  uint64_t groups = 0;     // of the plan that it matches, as bits
  uint32_t frequency = 0;  // weighted, of all terms together; 0: not known

  // The order of hits: by score, then the newer object. Without a branch: which of two hits is the
  // better one cannot be foreseen.
  bool before(const Ranked& other) const {
    const auto bit = [](bool one) { return static_cast<unsigned>(one); };
    return (bit(score > other.score) | (bit(score == other.score) & bit(number > other.number))) !=
           0;
  }
};

// The best documents seen so far.
class TopRanked {
 public:
  TopRanked(size_t limit, std::optional<SearchPosition> after) : limit_(limit), after_(after) {
    best_.reserve(std::min(limit, kUsualLimit));
  }

  // A document that scores less than this cannot get in any more.
  double threshold() const { return best_.size() < limit_ ? 0 : best_.front().score; }
  // Nor can one that scores no more and is no newer than this.
  bool rejects(double score, ObjectNumber number) const {
    const Ranked ranked{.score = score, .number = number};
    return best_.size() == limit_ && !ranked.before(best_.front());
  }
  void offer(const Ranked& ranked);
  std::vector<Ranked> take_sorted();

 private:
  static constexpr size_t kUsualLimit = 64;

  void replace_worst(const Ranked& ranked);

  size_t limit_;
  std::optional<SearchPosition> after_;
  std::vector<Ranked> best_;  // when it is full a heap, the worst in front
};

struct ScanCounts {
  size_t matches = 0;
  bool pruned = false;  // some matches were not counted
};

// What a scan works with, all zeros between two windows, so that the parts of a search can share
// it.
struct ScanMemory {
  std::vector<float> sum = {};
  std::vector<uint16_t> rows = {};
  std::vector<uint64_t> touched = {};
};

// Offers every document of the part that can be among the best.
void scan_part(const SearchRequest& request, const Plan& plan, const Part& part,
               uint32_t part_index, const PartFilter& filter, const PartScorer& scorer,
               ScanMemory& memory, TopRanked& top, ScanCounts& counts);

}  // namespace holdfast::search
