#include "service/native/past_search.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/utf8.h"
#include "service/native/search_hits.h"

namespace holdfast::service {
namespace {

constexpr size_t kJournalPage = 500;

double idf(double documents, double with_term) {
  return std::log(1 + (documents - with_term + 0.5) / (with_term + 0.5));
}

using DocumentCounts = std::map<std::string, int64_t>;

// How many documents of one side have each word of the query, as far as its hits tell.
DocumentCounts counts_of(const search::SearchResponse& response) {
  DocumentCounts counts;
  for (const auto& hit : response.hits) {
    if (!hit.explanation) continue;
    for (const auto& term : hit.explanation->terms) counts[term.stem] = term.documents;
  }
  return counts;
}

}  // namespace

Result<SearchResponse> PastSearch::run(const SearchRequest& request, search::SearchRequest wanted, JournalPosition position) {
  HOLDFAST_CHECK_OK(collect_changed(position));
  search::Index past({.background = false});
  past.on_commit(past_changes_);
  wanted.explain = true;
  HOLDFAST_TRY(search::SearchResponse then, ask(past, wanted));
  wanted.filter.not_numbers = changed_numbers_;
  HOLDFAST_TRY(search::SearchResponse unchanged, ask(live_, wanted));
  rescore(unchanged, then);

  const ShowHits how{.request = request, .nouns = nouns_};
  HOLDFAST_TRY(SearchResponse response, shown(txn_, access_, unchanged, how));
  for (const auto& hit : then.hits) response.hits.push_back(show_hit(past_objects_.at(hit.number), hit, how));
  std::ranges::sort(response.hits, [](const SearchHit& a, const SearchHit& b) {
    return a.score != b.score ? a.score > b.score : a.object.number > b.object.number;
  });
  if (response.hits.size() > wanted.limit) response.hits.resize(wanted.limit);
  response.total = static_cast<int64_t>(unchanged.total + then.total);
  response.total_is_exact = unchanged.total_is_exact && then.total_is_exact;
  response.next.reset();
  return response;
}

Status PastSearch::collect_changed(JournalPosition position) {
  std::set<ObjectKey> seen;
  for (JournalPosition after = position;;) {
    HOLDFAST_TRY(const auto entries, txn_.journal_after(access_, after, kJournalPage));
    for (const JournalEntry& entry : entries) {
      after = entry.position;
      if (!seen.insert(entry.key).second) continue;
      if (seen.size() > SearchService::kMaxChangesSince) {
        Error error = invalid_argument(fmt::format("More than {} objects changed since then; choose a later as_of.",
                                                   SearchService::kMaxChangesSince));
        error.reason = reason::kAsOfTooFar;
        return error;
      }
      HOLDFAST_CHECK_OK(add_changed(entry.key, position));
    }
    if (entries.size() < kJournalPage) return {};
  }
}

Status PastSearch::add_changed(const ObjectKey& key, JournalPosition position) {
  if (const auto now = txn_.get(access_, key)) changed_numbers_.push_back(now->number);
  auto then = txn_.get_as_of(access_, key, position);
  if (!then) return then.error().code == ErrorCode::kNotFound ? Status() : Status(then.error());
  const NounEntry* noun = nouns_.find(key.kind);
  if (noun == nullptr) return {};
  HOLDFAST_TRY(Projection projection, noun->project(*then));
  past_changes_.push_back({.space = access_.space(), .object = *then, .projection = std::move(projection)});
  past_objects_.emplace(then->number, std::move(*then));
  return {};
}

Result<search::SearchResponse> PastSearch::ask(const search::Index& index, const search::SearchRequest& wanted) const {
  if (trim_space(wanted.query).empty()) return list_newest(index, access_, wanted);
  return index.search(access_, wanted);
}

void PastSearch::rescore(search::SearchResponse& live, search::SearchResponse& past) const {
  const auto replaced = static_cast<int64_t>(changed_numbers_.size());
  const auto documents = static_cast<double>(std::max<int64_t>(1, live.documents - replaced + past.documents));
  const DocumentCounts live_counts = counts_of(live);
  const DocumentCounts past_counts = counts_of(past);
  const auto count = [&](const std::string& stem) {
    const auto a = live_counts.find(stem);
    const auto b = past_counts.find(stem);
    return static_cast<double>((a == live_counts.end() ? 0 : a->second) + (b == past_counts.end() ? 0 : b->second));
  };
  for (auto* side : {&live, &past}) {
    for (auto& hit : side->hits) {
      if (!hit.explanation) continue;
      double lexical = 0;
      for (const auto& term : hit.explanation->terms) {
        const double common = idf(documents, std::min(documents, count(term.stem)));
        lexical += term.idf > 0 ? term.contribution * common / term.idf : term.contribution;
      }
      hit.score += lexical - hit.explanation->lexical;
    }
  }
}

}  // namespace holdfast::service
