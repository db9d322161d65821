// Lists of observations. The index filters, sorts and counts; which observations have the texts of
// a query is found out first (text_matches.h).
#include <algorithm>

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

struct Listed {
  Object object = {};
  Observation observation = {};
  search::ListPosition position = {};
};

struct Listing {
  std::vector<Listed> items = {};
  size_t total = 0;
  std::optional<search::ListPosition> next = {};  // where the next page begins
};

Result<std::vector<Listed>> read_hits(const ObservationParts& parts, const Visit& visit,
                                      const std::vector<search::ListEntryHit>& hits) {
  if (hits.empty()) return std::vector<Listed>();
  std::vector<ObjectNumber> numbers;
  for (const auto& hit : hits) numbers.push_back(hit.number);
  // The state is at least as new as what the index said.
  HOLDFAST_TRY(const auto txn, parts.store.begin_read(visit.call().deadline));
  HOLDFAST_TRY(auto objects, txn->get_many(visit.eyes(), numbers));
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

// What the index lists decides where the page ends, also where something was deleted since.
Result<Listing> list_page(const ObservationParts& parts, const Visit& visit, ListRequest request) {
  while (true) {
    HOLDFAST_TRY(auto listed, parts.index.list(visit.eyes(), request));
    Listing listing{.total = listed.total};
    if (listed.has_more) listing.next = listed.hits.back().position;
    HOLDFAST_TRY(listing.items, read_hits(parts, visit, listed.hits));
    // A page of which everything was deleted meanwhile is not the last one.
    if (!listing.items.empty() || !listing.next) return listing;
    request.after = listing.next;
  }
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
  ObservationPage page{.total = found.total};
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
