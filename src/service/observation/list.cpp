// Lists of observations. The index filters, sorts and counts; the texts of a query are looked up
// word by word in the index and confirmed in the observation itself, since the index knows words
// and a query may be any piece of text.
#include <algorithm>

#include "service/observation/failure.h"
#include "service/observation/observation_service.h"
#include "text/analyzer.h"
#include "text/simple_fold.h"

namespace holdfast::service::observation {
namespace {

using search::ListRequest;
using search::SortKey;

constexpr size_t kChunk = 500;

SortKey sort_key(const SortBy& by) {
  const auto facet_key = [&](SortKey::By how, std::string_view name) {
    return SortKey{.by = how, .facet = std::string(name), .descending = by.descending};
  };
  switch (by.field) {
    case SortField::kCreatedAt: return facet_key(SortKey::By::kTime, "");
    case SortField::kUpdatedAt: return facet_key(SortKey::By::kNumberFacet, facet::kUpdatedAt);
    case SortField::kTitle: return facet_key(SortKey::By::kTextFacet, facet::kTitleKey);
    case SortField::kType: return facet_key(SortKey::By::kTextFacet, facet::kType);
    case SortField::kViews: return facet_key(SortKey::By::kCounter, counter::kViews);
    case SortField::kCitations: return facet_key(SortKey::By::kCounter, counter::kCitations);
  }
  return {};
}

search::ListPosition position_of(const ListPlace& place) {
  search::ListPosition position{.number = place.number};
  for (const ListPlace::Key& key : place.keys)
    position.keys.push_back({.number = key.number, .text = key.text});
  return position;
}

ListPlace place_of(const search::ListPosition& position) {
  ListPlace place{.number = position.number};
  for (const auto& key : position.keys)
    place.keys.push_back({.number = key.number, .text = key.text});
  return place;
}

ListRequest request_of(const ListQuery& query) {
  ListRequest request{.limit = query.limit};
  request.filter.kinds = {observation_noun().kind};
  for (const FieldFilter& filter : query.filters) {
    request.filter.facets.push_back(
        {.name = filter.facet, .any_of = filter.values, .negated = filter.negated});
  }
  request.filter.from = query.from;
  request.filter.to = query.until;
  request.sort.clear();
  for (const SortBy& by : query.sort) request.sort.push_back(sort_key(by));
  request.sort.push_back({.by = SortKey::By::kNumberFacet,
                          .facet = std::string(facet::kIdPlace),
                          .descending = query.sort.front().descending});
  if (query.after) request.after = position_of(*query.after);
  return request;
}

bool is_plain_word(std::string_view term) {
  return term.size() > 1 && std::ranges::all_of(term, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
         });
}

// The texts of a query, prepared for asking the index and for confirming its answer.
struct Wanted {
  explicit Wanted(const std::vector<std::string>& query) {
    for (const std::string& term : query) {
      terms.push_back(text::simple_fold(term));
      exact = exact && is_plain_word(terms.back());
      text::TokenList tokens;
      // Folded, so that capitals do not take it apart: the index knows the words whole.
      text::analyze(terms.back(), tokens);
      for (const text::Token& token : tokens.tokens) {
        // One letter may be all that is left of a word of which the index keeps less.
        if (!token.overlay && token.size > 1) words.emplace_back(tokens.text(token));
      }
    }
  }

  bool occur_in(const Observation& observation) const {
    // Folding leaves what is folded already as it is, and most texts are.
    return !observation.quarantined && (all_in(observation.title, observation.summary_md) ||
                                        all_in(text::simple_fold(observation.title),
                                               text::simple_fold(observation.summary_md)));
  }

  bool all_in(std::string_view title, std::string_view summary) const {
    return std::ranges::all_of(terms, [&](const std::string& term) {
      return title.find(term) != std::string_view::npos ||
             summary.find(term) != std::string_view::npos;
    });
  }

  std::vector<std::string> terms;
  std::vector<std::string> words;
  bool exact = true;  // for plain texts the index alone knows
};

struct Listed {
  Object object = {};
  Observation observation = {};
  search::ListPosition position = {};
};

struct Matches {
  std::vector<Listed> items = {};
  std::optional<search::ListPosition> next = {};  // where the next page begins
};

class Lister {
 public:
  Lister(const ObservationParts& parts, const Visit& visit, const ListQuery& query)
      : parts_(parts), visit_(visit), query_(query), wanted_(query.terms) {
    request_ = request_of(query);
    if (wanted_.terms.empty()) return;
    request_.filter.inside_words = wanted_.words;
    request_.filter.inside_words_unless =
        Facet::of(std::string(facet::kText), std::string(kLongText));
  }

  Result<Matches> page() { return wanted_.terms.empty() ? plain_page() : confirmed_page(); }

  // After page(). Of plain texts the index knows which match; the others are looked at.
  Result<size_t> total() {
    if (wanted_.terms.empty()) return candidates_;
    if (seen_all_) return *seen_all_;
    ListRequest rest = request_;
    if (wanted_.exact) rest.filter.facets.push_back(not_plain());
    HOLDFAST_TRY(const Confirmed confirmed, confirm_all(std::move(rest)));
    // Others may have written between the two looks.
    return candidates_ - std::min(candidates_, confirmed.candidates) + confirmed.matches;
  }

 private:
  // What the index lists decides where the page ends, also where something was deleted since.
  Result<Matches> plain_page() {
    ListRequest request = request_;
    while (true) {
      HOLDFAST_TRY(auto listed, parts_.index.list(visit_.eyes(), request));
      candidates_ = listed.total;
      Matches matches;
      if (listed.has_more) matches.next = listed.hits.back().position;
      HOLDFAST_TRY(matches.items, read_hits(listed.hits));
      // A page of which everything was deleted meanwhile is not the last one.
      if (!matches.items.empty() || !matches.next) return matches;
      request.after = matches.next;
    }
  }

  Result<Matches> confirmed_page() {
    Matches matches;
    matches.items.reserve(query_.limit);
    ListRequest request = request_;
    request.limit = query_.limit + 1;
    while (true) {
      HOLDFAST_TRY(const auto listed, parts_.index.list(visit_.eyes(), request));
      candidates_ = listed.total;
      HOLDFAST_TRY(auto read, read_hits(listed.hits));
      for (Listed& one : read) {
        if (!wanted_.occur_in(one.observation)) continue;
        if (matches.items.size() == query_.limit) {
          matches.next = matches.items.back().position;
          return matches;
        }
        matches.items.push_back(std::move(one));
      }
      if (!listed.has_more) {
        // Everything was looked at: most queries end here.
        if (!query_.after) seen_all_ = matches.items.size();
        return matches;
      }
      request.after = listed.hits.back().position;
      request.limit = kChunk;
    }
  }

  static search::FacetFilter not_plain() {
    return {
        .name = std::string(facet::kText), .any_of = {std::string(kPlainText)}, .negated = true};
  }

  struct Confirmed {
    size_t candidates = 0;
    size_t matches = 0;
  };
  Result<Confirmed> confirm_all(ListRequest request) {
    request.after.reset();
    request.sort = {{.by = SortKey::By::kNumber}};
    request.limit = kChunk;
    Confirmed confirmed;
    while (true) {
      HOLDFAST_TRY(const auto listed, parts_.index.list(visit_.eyes(), request));
      HOLDFAST_TRY(const auto read, read_hits(listed.hits));
      confirmed.candidates += listed.hits.size();
      confirmed.matches += static_cast<size_t>(std::ranges::count_if(
          read, [&](const Listed& one) { return wanted_.occur_in(one.observation); }));
      if (!listed.has_more) return confirmed;
      request.after = listed.hits.back().position;
    }
  }

  Result<std::vector<Listed>> read_hits(const std::vector<search::ListEntryHit>& hits) {
    if (hits.empty()) return std::vector<Listed>();
    std::vector<ObjectNumber> numbers;
    for (const auto& hit : hits) numbers.push_back(hit.number);
    // The state is at least as new as what the index said.
    HOLDFAST_TRY(const auto txn, parts_.store.begin_read(visit_.call().deadline));
    HOLDFAST_TRY(auto objects, txn->get_many(visit_.eyes(), numbers));
    std::vector<Listed> read;
    read.reserve(objects.size());
    size_t at = 0;
    for (Object& object : objects) {
      // Objects come in the order of the hits; those deleted since are missing.
      while (at < hits.size() && hits[at].number != object.number) ++at;
      HOLDFAST_TRY(Observation observation, read_observation(object));
      read.push_back({std::move(object), std::move(observation), hits[at].position});
    }
    return read;
  }

  const ObservationParts& parts_;
  const Visit& visit_;
  const ListQuery& query_;
  const Wanted wanted_;
  ListRequest request_;
  std::optional<size_t> seen_all_;  // matches, where the first page looked at every candidate
  size_t candidates_ = 0;           // what the index lists, whatever the page
};

}  // namespace

Result<ObservationPage> ObservationService::list(const CallContext& call,
                                                 const ListQuery& query) const {
  if (query.asks_for_sensitive && call.viewer.clearance != Sensitivity::kSensitive)
    return denied(reason::kClearance, "Listing sensitive observations needs clearance for them.");
  HOLDFAST_TRY(const auto txn, parts_.store.begin_read(call.deadline));
  HOLDFAST_TRY(Visit visit, Visit::begin(call, *txn, parts_.gatekeeper));
  Lister lister(parts_, visit, query);
  HOLDFAST_TRY(Matches found, lister.page());
  ObservationPage page;
  HOLDFAST_TRY(page.total, lister.total());
  if (found.next) page.next = place_of(*found.next);
  People people(*txn, parts_.gatekeeper);
  page.items.reserve(found.items.size());
  for (Listed& one : found.items) {
    Shown shown{.observation = std::move(one.observation),
                .stats = parts_.statistics.of(call.viewer.space, one.object.number)};
    HOLDFAST_TRY(shown.creator, people.card(shown.observation.created_by));
    page.items.push_back(std::move(shown));
  }
  return page;
}

}  // namespace holdfast::service::observation
