#include "service/native/past_search.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/utf8.h"
#include "service/native/search_hits.h"

namespace holdfast::service {
namespace {

constexpr size_t kEntriesAtOnce = 500;

double idf(double documents, double with_term) {
  return std::log(1 + (documents - with_term + 0.5) / (with_term + 0.5));
}

// The corpus of a moment: how many documents, and how many of them have each word.
class Statistics {
 public:
  void add(const search::SearchResponse& side, int64_t sign) {
    documents_ += sign * side.documents;
    for (const auto& term : side.terms) counts_[term.stem] += sign * term.documents;
  }
  double idf_of(const std::string& stem) const {
    const auto it = counts_.find(stem);
    const auto documents = static_cast<double>(std::max<int64_t>(1, documents_));
    const auto with = static_cast<double>(it == counts_.end() ? 0 : it->second);
    return idf(documents, std::clamp(with, 0.0, documents));
  }

 private:
  int64_t documents_ = 0;
  std::map<std::string, int64_t> counts_;
};

void rescore(search::SearchResponse& side, const Statistics& statistics) {
  for (auto& hit : side.hits) {
    if (!hit.explanation) continue;
    double lexical = 0;
    for (const auto& term : hit.explanation->terms) {
      lexical += term.idf > 0 ? term.contribution * statistics.idf_of(term.stem) / term.idf
                              : term.contribution;
    }
    hit.score += lexical - hit.explanation->lexical;
  }
}

}  // namespace

Result<SearchResponse> PastSearch::run(const SearchRequest& request, search::SearchRequest wanted,
                                       JournalPosition position) {
  HOLDFAST_CHECK_OK(collect_changed(position));
  search::Index past({.background = false});
  past.on_commit(past_changes_);
  wanted.explain = true;
  HOLDFAST_TRY(search::SearchResponse then, ask(past, wanted));
  wanted.filter.not_numbers = changed_numbers_;
  HOLDFAST_TRY(search::SearchResponse unchanged, ask(live_, wanted));
  search::Index replaced({.background = false});
  replaced.on_commit(replaced_changes_);
  HOLDFAST_TRY(const search::SearchResponse gone, ask(replaced, wanted));
  Statistics statistics;
  statistics.add(unchanged, 1);
  statistics.add(gone, -1);
  statistics.add(then, 1);
  rescore(unchanged, statistics);
  rescore(then, statistics);

  const ShowHits how(request, nouns_);
  HOLDFAST_TRY(SearchResponse response, shown(txn_, access_, unchanged, how));
  for (const auto& hit : then.hits)
    response.hits.push_back(show_hit(past_objects_.at(hit.number), hit, how));
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
    HOLDFAST_TRY(const auto entries, txn_.journal_after(access_, after, kEntriesAtOnce));
    for (const JournalEntry& entry : entries) {
      after = entry.position;
      if (!seen.insert(entry.key).second) continue;
      if (seen.size() > SearchService::kMaxChangesSince) {
        Error error = invalid_argument(
            fmt::format("More than {} objects changed since then; choose a later as_of.",
                        SearchService::kMaxChangesSince));
        error.reason = reason::kAsOfTooFar;
        return error;
      }
      HOLDFAST_CHECK_OK(add_changed(entry.key, position));
    }
    if (entries.size() < kEntriesAtOnce) return {};
  }
}

Status PastSearch::add_changed(const ObjectKey& key, JournalPosition position) {
  if (const auto now = txn_.get(access_, key)) {
    changed_numbers_.push_back(now->number);
    project(*now, replaced_changes_);
  }
  auto then = txn_.get_as_of(access_, key, position);
  if (!then) return then.error().code == ErrorCode::kNotFound ? Status() : Status(then.error());
  project(*then, past_changes_);
  past_objects_.emplace(then->number, std::move(*then));
  return {};
}

// A kind this version does not know, or a damaged body, cannot be searched, now or then.
void PastSearch::project(const Object& object, std::vector<storage::Change>& to) const {
  const NounEntry* noun = nouns_.find(object.key.kind);
  auto projection = noun != nullptr ? noun->project(object) : Result<Projection>(Error{});
  if (projection)
    to.push_back(
        {.space = access_.space(), .object = object, .projection = std::move(*projection)});
}

Result<search::SearchResponse> PastSearch::ask(const search::Index& index,
                                               const search::SearchRequest& wanted) const {
  if (trim_space(wanted.query).empty()) return list_newest(index, access_, wanted);
  return index.search(access_, wanted);
}

}  // namespace holdfast::service
