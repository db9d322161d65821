#include "search/scan.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "base/prefetch.h"

namespace holdfast::search {
namespace {

constexpr uint32_t kWindow = 2048;
constexpr ObjectNumber kNoNumber = std::numeric_limits<ObjectNumber>::max();
// Bounds are summed in another order than scores, in floats: a document is given up only if it is
// this much below.
constexpr double kSlack = 1 + 1e-5;

// What a term adds to the score of a document, in floats: good enough to give documents up.
struct RoughScore {
  RoughScore(const Plan& plan, uint32_t alternative)
      : factor(static_cast<float>(plan.alternatives[alternative].factor)),
        constant(static_cast<float>(plan.norm_constant)),
        slope(static_cast<float>(plan.norm_slope)) {}

  float of(uint16_t tf, uint16_t length) const {
    const auto frequency = static_cast<float>(tf);
    return factor * frequency / (frequency + constant + slope * static_cast<float>(length));
  }

  const float factor;
  const float constant;
  const float slope;
};

class PartScan {
 public:
  PartScan(const SearchRequest& request, const Plan& plan, const Part& part, uint32_t part_index,
           const PartFilter& filter, const PartScorer& scorer, ScanMemory& memory, TopRanked& top,
           ScanCounts& counts)
      : request_(request),
        plan_(plan),
        part_(part),
        part_index_(part_index),
        filter_(filter),
        narrow_(filter.narrow()),
        top_(top),
        counts_(counts),
        scorer_(scorer),
        in_number_order_(part.in_number_order()),
        boosts_(request, plan, part),
        boost_bound_(1 + boosts_.most()),
        cut_share_(1 / (boost_bound_ * kSlack * kSlack)),
        tf_(plan.alternatives.size()),
        sum_(memory.sum),
        rows_(memory.rows),
        touched_(memory.touched) {}

  void run() {
    if (!open_lists()) return;
    if (lists_.size() == 1) return run_alone();
    if (rows_.size() < kWindow * lists_.size()) rows_.resize(kWindow * lists_.size());
    sum_.resize(kWindow);
    touched_.resize(kWindow / 64);
    uint32_t first = kNoDoc;
    uint32_t to = 0;
    for (const List& list : lists_) {
      first = std::min(first, list.walk.first_doc());
      to = std::max(to, list.walk.last_doc() + 1);
    }
    while (to > first) {
      newest_ = in_number_order_ ? part_.columns().number[to - 1] : kNoNumber;
      choose_essential();
      if (first_essential_ == lists_.size()) {
        counts_.pruned = true;
        return;
      }
      const uint32_t from = (to - 1) / kWindow * kWindow;
      scan_window(from, to);
      to = from;
    }
  }

 private:
  struct List {
    PostingWalk walk;
    uint32_t alternative = 0;
    double bound = 0;  // of the whole list
    double window_bound = 0;
  };

  double bound_of(uint32_t alternative, BlockBound bound) const {
    return plan_.contribution(plan_.alternatives[alternative], bound.max_tf, bound.min_length);
  }

  double window_bound(List& list, uint32_t from, uint32_t to) const {
    double bound = 0;
    list.walk.for_each_bound(from, to, [&](BlockBound block) {
      bound = std::max(bound, bound_of(list.alternative, block));
    });
    return bound;
  }

  // False if the part cannot have a match.
  bool open_lists() {
    std::vector<uint32_t> group_docs(plan_.groups.size());
    for (uint32_t i = 0; i < plan_.alternatives.size(); ++i) {
      const uint32_t stem = plan_.alternatives[i].stems[part_index_];
      if (stem == kNoStem) continue;
      const PostingList list = part_.stem_postings(stem);
      if (list.count == 0) continue;
      group_docs[plan_.alternatives[i].group] += list.count;
      lists_.push_back(
          {.walk = PostingWalk(list), .alternative = i, .bound = bound_of(i, list.bound)});
    }
    uint32_t fewest = kNoDoc;
    for (uint32_t group = 0; group < plan_.groups.size(); ++group) {
      if (!plan_.groups[group].required) continue;
      if (group_docs[group] == 0) return false;
      if (group_docs[group] < fewest) {
        fewest = group_docs[group];
        driver_ = group;
      }
    }
    std::ranges::sort(lists_, {}, &List::bound);
    if (driver_) {
      // Every match has a term of this group, so its lists alone lead the walk.
      const auto leads = [&](const List& list) {
        return plan_.alternatives[list.alternative].group == *driver_;
      };
      const auto leading = std::stable_partition(lists_.begin(), lists_.end(),
                                                 [&](const List& list) { return !leads(list); });
      first_essential_ = static_cast<size_t>(leading - lists_.begin());
    }
    return !lists_.empty();
  }

  // With one list there is nothing to add up: documents are judged as the walk meets them, a block
  // at a time.
  void run_alone() {
    List& list = lists_.front();
    first_essential_ = 0;
    const RoughScore rough(plan_, list.alternative);
    const bool needs_more = plan_.minimum_groups > 1 || driver_;
    for (uint32_t to = list.walk.last_doc() + 1; to > list.walk.first_doc();) {
      newest_ = in_number_order_ ? part_.columns().number[to - 1] : kNoNumber;
      if (below(list.bound)) {
        counts_.pruned = true;
        return;
      }
      const uint32_t from = list.walk.block_begin(to);
      if (below(window_bound(list, from, to))) {
        counts_.pruned = true;
      } else {
        set_cut();
        const Columns& columns = part_.columns();
        // They lie anywhere in memory: some are on their way while one is looked at.
        const auto fetch = [&](uint32_t doc) {
          prefetch(columns.length + doc);
          prefetch(columns.number + doc);
        };
        list.walk.for_each(from, to, fetch, [&](uint32_t doc, uint16_t tf) {
          if (narrow_ != nullptr && ((*narrow_)[doc >> 6] >> (doc & 63) & 1) == 0) return;
          if (!may_get_in(doc, rough.of(tf, columns.length[doc]))) return;
          if (needs_more) return judge(doc, &tf, 0);
          judge_alone(doc, tf, list.alternative);
        });
      }
      to = from;
    }
  }

  // No document that scores at most `sum` and was not looked at yet can get in. Alone, a list's
  // bounds are the very scores of documents, and equal is not enough for what is older.
  bool below(double sum) const {
    if (request_.exact_total) return false;
    if (lists_.size() == 1 && boosts_.none()) return top_.rejects(sum, newest_);
    return sum * boost_bound_ * kSlack < top_.threshold();
  }

  // Lists are in the order of their bounds; the first ones, as many as together stay below the
  // threshold, are not essential.
  void choose_essential() {
    if (driver_) {
      double sum = 0;
      for (const List& list : lists_) sum += list.bound;
      if (below(sum)) first_essential_ = lists_.size();
      return;
    }
    double sum = 0;
    for (size_t i = 0; i < lists_.size(); ++i) {
      sum += lists_[i].bound;
      if (!below(sum)) {
        first_essential_ = i;
        return;
      }
    }
    first_essential_ = lists_.size();
  }

  void scan_window(uint32_t from, uint32_t to) {
    double sum = 0;
    for (List& list : lists_) {
      list.window_bound = window_bound(list, from, to);
      sum += list.window_bound;
    }
    if (below(sum)) {
      counts_.pruned = true;
      return;
    }
    rest_ = 0;
    for (size_t i = 0; i < first_essential_; ++i) rest_ += lists_[i].window_bound;
    if (first_essential_ > 0 && !driver_) counts_.pruned = true;
    set_cut();
    for (size_t i = first_essential_; i < lists_.size(); ++i) lay_out(i, from, to);
    for (size_t word = touched_.size(); word-- > 0;) {
      for (uint64_t left = std::exchange(touched_[word], 0); left != 0;) {
        const auto bit = static_cast<uint32_t>(63 - std::countl_zero(left));
        left ^= uint64_t{1} << bit;
        const auto at = static_cast<uint32_t>(word * 64 + bit);
        visit(from + at, at);
      }
    }
  }

  void lay_out(size_t column, uint32_t from, uint32_t to) {
    List& list = lists_[column];
    if (list.window_bound == 0) return;
    const size_t width = lists_.size();
    const RoughScore rough(plan_, list.alternative);
    const uint16_t* const lengths = part_.columns().length;
    uint16_t* const rows = rows_.data() + column;
    float* const sums = sum_.data();
    uint64_t* const touched = touched_.data();
    const uint64_t* const narrow = narrow_ != nullptr ? narrow_->data() : nullptr;
    list.walk.for_each(from, to, [&](uint32_t doc, uint16_t tf) {
      if (narrow != nullptr && (narrow[doc >> 6] >> (doc & 63) & 1) == 0) return;
      const uint32_t at = doc - from;
      rows[at * width] = tf;
      sums[at] += rough.of(tf, lengths[doc]);
      touched[at >> 6] |= uint64_t{1} << (at & 63);
    });
  }

  void visit(uint32_t doc, uint32_t at) {
    const float sum = sum_[at];
    sum_[at] = 0;
    uint16_t* const row = rows_.data() + at * lists_.size();
    if (may_get_in(doc, sum)) judge(doc, row, sum);
    std::fill_n(row, lists_.size(), uint16_t{0});
  }

  // `sum` is that of the essential terms.
  bool may_get_in(uint32_t doc, float sum) {
    if (sum < cut_) {
      counts_.pruned = true;
      return false;
    }
    if (!filter_.passes_outside(doc)) return false;
    prefetch(part_.columns().number + doc);  // wanted if it gets in
    return true;
  }

  // The sum of the essential terms below which a document of this window is given up.
  void set_cut() {
    cut_ = request_.exact_total ? 0 : static_cast<float>(top_.threshold() * cut_share_ - rest_);
  }

  // Looks up the other terms of a document that may get in. `row` has the frequencies of the
  // essential ones.
  void judge(uint32_t doc, uint16_t* row, double sum) {
    double rest = rest_;
    const uint16_t length = part_.columns().length[doc];
    for (size_t i = first_essential_; i-- > 0;) {
      List& list = lists_[i];
      rest -= list.window_bound;
      if (list.window_bound == 0) continue;
      row[i] = list.walk.tf_in(doc);
      if (row[i] > 0) {
        sum += plan_.contribution(plan_.alternatives[list.alternative], row[i], length);
      }
      if (below(sum + rest)) {
        counts_.pruned = true;
        return;
      }
    }
    for (size_t i = 0; i < lists_.size(); ++i) tf_[lists_[i].alternative] = row[i];
    if (!matches_enough()) return;
    offer(doc, sum_groups(plan_, tf_, length), [&](Ranked& ranked) {
      ranked.groups = groups_of(plan_, tf_);
      ranked.frequency = frequency(std::accumulate(tf_.begin(), tf_.end(), 0U));
    });
  }

  // The same where one term is all that can be there, and enough.
  void judge_alone(uint32_t doc, uint16_t tf, uint32_t number) {
    const Plan::Alternative& alternative = plan_.alternatives[number];
    offer(doc, plan_.contribution(alternative, tf, part_.columns().length[doc]),
          [&](Ranked& ranked) {
            ranked.groups = uint64_t{1} << alternative.group;
            ranked.frequency = frequency(tf);
          });
  }

  // `tell_terms` completes what is known of the document.
  template <typename TellTerms>
  void offer(uint32_t doc, double lexical, const TellTerms& tell_terms) {
    double score = lexical;
    if (!boosts_.none())
      score = lexical + lexical * boosts_.recency(doc) + lexical * boosts_.speaker(doc);
    if (!request_.exact_total && top_.rejects(score, newest_)) {
      if (scorer_.has_phrases() || filter_.looks_inside()) {
        counts_.pruned = true;  // nobody looked whether it has the phrase or passes
      } else {
        ++counts_.matches;
      }
      return;
    }
    if (!filter_.passes_inside(doc) || !scorer_.passes_phrases(doc)) return;
    ++counts_.matches;
    Ranked ranked{.score = score,
                  .lexical = lexical,
                  .number = part_.columns().number[doc],
                  .part = part_index_,
                  .doc = doc};
    tell_terms(ranked);
    if (in_number_order_) newest_ = ranked.number;  // what comes now is older
    top_.offer(ranked);
    set_cut();
  }

  // Of all terms of the document together; 0 where some may occur more often than is counted.
  static uint32_t frequency(uint32_t sum) { return sum < kMaxCount ? sum : 0; }

  // tf_ is that of the document.
  bool matches_enough() {
    if (plan_.minimum_groups <= 1 && !driver_) return true;
    matched_.assign(plan_.groups.size(), 0);
    for (size_t i = 0; i < tf_.size(); ++i) {
      if (tf_[i] > 0) matched_[plan_.alternatives[i].group] = 1;
    }
    size_t matched = 0;
    for (size_t group = 0; group < matched_.size(); ++group) {
      if (plan_.groups[group].required && matched_[group] == 0) return false;
      matched += plan_.groups[group].counts && matched_[group] != 0 ? 1 : 0;
    }
    return matched >= plan_.minimum_groups;
  }

  const SearchRequest& request_;
  const Plan& plan_;
  const Part& part_;
  const uint32_t part_index_;
  const PartFilter& filter_;
  const std::vector<uint64_t>* const narrow_;
  TopRanked& top_;
  ScanCounts& counts_;
  const PartScorer& scorer_;
  const bool in_number_order_;
  Boosts boosts_;
  const double boost_bound_;
  const double cut_share_;  // of the threshold
  std::vector<List> lists_;
  std::optional<uint32_t> driver_;
  size_t first_essential_ = 0;
  ObjectNumber newest_ = kNoNumber;  // no document that was not looked at yet has a larger number
  double rest_ = 0;                  // what the lists that are not essential can add in this window
  std::vector<uint32_t> tf_;
  std::vector<uint8_t> matched_;
  float cut_ = 0;
  std::vector<float>& sum_;      // of the essential terms, a document of the window
  std::vector<uint16_t>& rows_;  // the frequencies of each, a document of the window
  std::vector<uint64_t>& touched_;
};

}  // namespace

void TopRanked::offer(const Ranked& ranked) {
  if (after_) {
    const Ranked last{.score = after_->score, .number = after_->number};
    if (!last.before(ranked)) return;
  }
  if (best_.size() == limit_) {
    if (ranked.before(best_.front())) replace_worst(ranked);
    return;
  }
  best_.push_back(ranked);
  if (best_.size() == limit_)
    std::ranges::make_heap(best_, [](const Ranked& a, const Ranked& b) { return a.before(b); });
}

// Moves those up that are worse than it.
void TopRanked::replace_worst(const Ranked& ranked) {
  size_t at = 0;
  for (;;) {
    size_t below = 2 * at + 1;
    if (below >= best_.size()) break;
    if (below + 1 < best_.size())
      below += static_cast<size_t>(best_[below].before(best_[below + 1]));
    if (!ranked.before(best_[below])) break;
    best_[at] = best_[below];
    at = below;
  }
  best_[at] = ranked;
}

std::vector<Ranked> TopRanked::take_sorted() {
  std::ranges::sort(best_, [](const Ranked& a, const Ranked& b) { return a.before(b); });
  return std::move(best_);
}

void scan_part(const SearchRequest& request, const Plan& plan, const Part& part,
               uint32_t part_index, const PartFilter& filter, const PartScorer& scorer,
               ScanMemory& memory, TopRanked& top, ScanCounts& counts) {
  PartScan(request, plan, part, part_index, filter, scorer, memory, top, counts).run();
}

}  // namespace holdfast::search
