#include "search/searcher.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <span>

#include "base/prefetch.h"
#include "search/document.h"
#include "search/field_order.h"
#include "search/neighbours.h"
#include "search/scan.h"

namespace holdfast::search {
namespace {

class Search {
 public:
  Search(const access::SpaceAccess& access, const SearchRequest& request, const View& view)
      : request_(request),
        view_(view),
        visible_(access, *view.tables),
        plan_(make_plan(request, view, visible_)),
        filter_names_(request.explain ? request.filter.names() : std::vector<std::string>()) {}

  SearchResponse run() {
    SearchResponse response{.documents = plan_.documents, .average_length = plan_.average_length};
    for (const auto& term : plan_.alternatives)
      response.terms.push_back({term.stem, term.documents});
    if (plan_.impossible || request_.limit == 0) {
      response.total_is_exact = plan_.impossible;
      return response;
    }
    for (uint32_t i = 0; i < view_.parts.size(); ++i) {
      const Part* const part = view_.parts[i];
      filters_.emplace_back(request_.filter, visible_, *view_.tables, *part).lay_facets_out();
      scorers_.emplace_back(plan_, *part, i);
      neighbours_ = neighbours_ || (request_.neighbours && part->find_facet(kTurnMark));
    }
    ScanCounts counts;
    const std::vector<Ranked> ranked =
        neighbours_ ? rank_turns(counts)
                    : scan(request_.offset + request_.limit, request_.after, counts);
    const size_t begin = std::min(request_.offset, ranked.size());
    const size_t end = std::min(begin + request_.limit, ranked.size());
    response.hits.reserve(end - begin);
    if (request_.explain)
      fetch_documents(std::span(ranked).subspan(begin, end - begin), std::identity());
    if (request_.field_order) {
      add_by_fields(std::span(ranked).subspan(begin, end - begin), response.hits);
    } else {
      for (size_t i = begin; i < end; ++i) response.hits.push_back(hit(ranked[i], i + 1));
    }
    response.total = std::max(counts.matches, ranked.size());
    response.total_is_exact = !counts.pruned && !request_.neighbours;
    return response;
  }

 private:
  // A page far down needs more of the best to choose from, and some more than it shows (a third is
  // as good as twice as many on LoCoMo). Scores do not depend on how many they are, so no hit comes
  // twice.
  std::vector<Ranked> rank_turns(ScanCounts& counts) {
    const size_t wanted = request_.offset + request_.limit;
    for (size_t pool = std::max(kNeighbourPool, wanted + wanted / 3);; pool *= 4) {
      ranker_.emplace(request_, plan_, view_, filters_, scorers_, pool);
      counts = {};
      const std::vector<Ranked> best = scan(pool, std::nullopt, counts);
      std::vector<Ranked> ranked = page_after(ranker_->rank(best));
      const auto shown = static_cast<ptrdiff_t>(std::min(wanted, ranked.size()));
      std::ranges::partial_sort(ranked, ranked.begin() + shown, std::mem_fn(&Ranked::before));
      if (ranked.size() >= wanted || best.size() < pool || pool >= kLargestPool) return ranked;
    }
  }

  std::vector<Ranked> scan(size_t limit, std::optional<SearchPosition> after, ScanCounts& counts) {
    TopRanked top(limit, after);
    // Large parts first: they raise the threshold for the others. The result does not depend on the
    // order.
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < view_.parts.size(); ++i) order.push_back(i);
    std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
      return view_.parts[a]->columns().count > view_.parts[b]->columns().count;
    });
    for (const uint32_t i : order) {
      if (!filters_[i].empty())
        scan_part(request_, plan_, *view_.parts[i], i, filters_[i], scorers_[i], memory_, top,
                  counts);
    }
    return top.take_sorted();
  }

  // What comes after the position that the request names; keeps the order.
  std::vector<Ranked> page_after(std::vector<Ranked> ranked) const {
    if (!request_.after) return ranked;
    const Ranked last{.score = request_.after->score, .number = request_.after->number};
    std::erase_if(ranked, [&](const Ranked& one) { return !last.before(one); });
    return ranked;
  }

  Hit hit(const Ranked& ranked, size_t rank) {
    const Part& part = *view_.parts[ranked.part];
    Hit hit{.number = ranked.number,
            .kind = part.kind_names()[part.columns().kind[ranked.doc]],
            .score = ranked.score};
    for (uint64_t left = ranked.groups; left != 0; left &= left - 1)
      hit.matched.push_back(plan_.groups[static_cast<size_t>(std::countr_zero(left))].name);
    if (request_.explain) hit.explanation = explain(ranked, rank);
    return hit;
  }

  void add_by_fields(std::span<const Ranked> ranked, std::vector<Hit>& hits) {
    const FieldWorth worth(*request_.field_order);
    std::vector<int64_t> most;
    most.reserve(ranked.size());
    for (const Ranked& one : ranked) most.push_back(worth.most(one.frequency));
    const size_t wanted = request_.field_order->wanted;
    const LookingInto look_into{
        .prepare =
            [&](std::span<const Worth> first) {
              fetch_documents(first,
                              [&](const Worth& one) -> const Ranked& { return ranked[one.hit]; });
            },
        .worth =
            [&](size_t i) {
              const Ranked& one = ranked[i];
              return worth.of(scorers_[one.part].find_fields(one.doc, one.frequency));
            }};
    for (const Worth& one : worthiest_first(most, wanted, look_into)) {
      const Ranked& found = ranked[one.hit];
      hits.push_back({.number = found.number, .score = found.score, .worth = one.worth});
    }
  }

  // The documents lie anywhere in memory; asked for at once, they come side by side. `ranked` tells
  // which is meant.
  template <typename Each, typename RankedOf>
  void fetch_documents(std::span<const Each> each, const RankedOf& ranked) const {
    for (const Each& one : each)
      prefetch(view_.parts[ranked(one).part]->columns().blob_at + ranked(one).doc);
    for (const Each& one : each) {
      const Columns& columns = view_.parts[ranked(one).part]->columns();
      const uint8_t* const blob = columns.blob + columns.blob_at[ranked(one).doc];
      prefetch(blob);
      prefetch(blob + kCacheLine);
    }
  }

  Explanation explain(const Ranked& ranked, size_t rank) {
    const Part& part = *view_.parts[ranked.part];
    Boosts boosts(request_, plan_, part);
    Explanation explanation{
        .terms = scorers_[ranked.part].explain_terms(ranked.doc, ranked.frequency),
        .length = part.columns().length[ranked.doc],
        .lexical = ranked.lexical,
        .recency = ranked.lexical * boosts.recency(ranked.doc),
        .speaker = ranked.lexical * boosts.speaker(ranked.doc),
        .filters = filter_names_};
    if (ranker_) {
      NeighbourScore score = ranker_->explain(ranked);
      explanation.neighbours = std::move(score.parts);
      explanation.neighbour_sum = score.sum;
    }
    explanation.ranks.push_back({.stream = "lexical", .rank = rank, .contribution = ranked.score});
    return explanation;
  }

  const SearchRequest& request_;
  const View& view_;
  VisibleLabels visible_;
  Plan plan_;
  const std::vector<std::string> filter_names_;  // for explanations
  std::vector<PartFilter> filters_;
  std::vector<PartScorer> scorers_;
  ScanMemory memory_;
  bool neighbours_ = false;  // asked for, and there is a conversation at all
  std::optional<NeighbourRanker> ranker_;
};

}  // namespace

SearchResponse search_view(const access::SpaceAccess& access, const SearchRequest& request,
                           const View& view) {
  return Search(access, request, view).run();
}

std::vector<KindCount> count_view(const access::SpaceAccess& access, const View& view) {
  const Tables& tables = *view.tables;
  const VisibleLabels visible(access, tables);
  std::vector<int64_t> by_kind(tables.kind_count());
  for (uint32_t label = 0; label < tables.label_count(); ++label) {
    if (!visible.sees(label)) continue;
    const auto& counts = tables.counts(label).by_kind;
    for (size_t kind = 0; kind < counts.size(); ++kind) by_kind[kind] += counts[kind];
  }
  std::vector<KindCount> out;
  for (size_t kind = 0; kind < by_kind.size(); ++kind) {
    if (by_kind[kind] > 0) out.push_back({tables.kind(static_cast<uint16_t>(kind)), by_kind[kind]});
  }
  std::ranges::sort(out, {}, &KindCount::kind);
  return out;
}

}  // namespace holdfast::search
