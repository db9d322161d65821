// Lists of observations. The index filters, sorts and counts; which observations have the texts of
// a query is found out first (text_matches.h).
#include <algorithm>
#include <map>

#include "service/observation/failure.h"
#include "service/observation/observation_service.h"
#include "service/observation/text_matches.h"

namespace holdfast::service::observation {
namespace {

using search::ListRequest;
using search::SortKey;

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
  request.sort.push_back({.by = SortKey::By::kTextFacet,
                          .facet = std::string(facet::kOwnId),
                          .descending = query.sort.front().descending,
                          .or_ulid_behind = std::string(kIdPrefix)});
  if (query.after) request.after = position_of(*query.after);
  return request;
}

struct Listing {
  std::vector<storage::ObjectBody> bodies = {};
  size_t total = 0;
  std::optional<search::ListPosition> next = {};  // where the next page begins
};

// In the order of the hits; those deleted since are missing.
Result<std::vector<storage::ObjectBody>> read_hits(const ObservationParts& parts,
                                                   const Visit& visit,
                                                   const std::vector<search::ListEntryHit>& hits) {
  if (hits.empty()) return std::vector<storage::ObjectBody>();
  std::vector<ObjectNumber> numbers;
  numbers.reserve(hits.size());
  for (const auto& hit : hits) numbers.push_back(hit.number);
  // The state is at least as new as what the index said.
  HOLDFAST_TRY(const auto txn, parts.store.begin_read(visit.call().deadline));
  return txn->get_bodies(visit.eyes(), numbers);
}

// What the index lists decides where the page ends, also where something was deleted since.
Result<Listing> list_page(const ObservationParts& parts, const Visit& visit, ListRequest request) {
  while (true) {
    HOLDFAST_TRY(auto listed, parts.index.list(visit.eyes(), request));
    Listing listing{.total = listed.total};
    if (listed.has_more) listing.next = listed.hits.back().position;
    HOLDFAST_TRY(listing.bodies, read_hits(parts, visit, listed.hits));
    // A page of which everything was deleted meanwhile is not the last one.
    if (!listing.bodies.empty() || !listing.next) return listing;
    request.after = listing.next;
  }
}

// Adds the creators of a page's items to it, each once.
Status add_creators(ObservationPage& page, People& people) {
  std::map<std::string_view, size_t> known;
  for (Listed& item : page.items) {
    const auto [one, is_new] = known.try_emplace(item.created_by, page.creators.size());
    item.creator = one->second;
    if (!is_new) continue;
    HOLDFAST_TRY(PrincipalCard card, people.card(text_of_piece(item.created_by)));
    page.creators.push_back(std::move(card));
  }
  return {};
}

}  // namespace

Result<ObservationPage> ObservationService::list(const CallContext& call,
                                                 const ListQuery& query) const {
  if (query.asks_for_sensitive && call.viewer.clearance != Sensitivity::kSensitive)
    return denied(reason::kClearance, "Listing sensitive observations needs clearance for them.");
  HOLDFAST_TRY(const auto txn, parts_.store.begin_read(call.deadline));
  HOLDFAST_TRY(Visit visit, Visit::begin(call, *txn, parts_.gatekeeper));
  ListRequest request = request_of(query);
  if (!query.terms.empty()) {
    HOLDFAST_TRY(request.filter.only_numbers,
                 parts_.texts.find(call, visit.eyes(), WantedTexts(query.terms)));
  }
  HOLDFAST_TRY(Listing found, list_page(parts_, visit, std::move(request)));
  ObservationPage page{.bodies = std::move(found.bodies), .total = found.total};
  if (found.next) page.next = place_of(*found.next);
  page.items.reserve(page.bodies.size());
  for (storage::ObjectBody& one : page.bodies) {
    HOLDFAST_TRY(Listed item, read_listed(one.body));
    item.stats = parts_.statistics.of(call.viewer.space, one.number);
    page.items.push_back(item);
  }
  People people(*txn, parts_.gatekeeper);
  HOLDFAST_CHECK_OK(add_creators(page, people));
  return page;
}

}  // namespace holdfast::service::observation
