// From what the index found to what a caller is shown: objects, titles, snippets, reasons.
#pragma once

#include <string>
#include <vector>

#include "access/space_access.h"
#include "base/result.h"
#include "model/noun.h"
#include "search/index.h"
#include "search/request.h"
#include "service/native/search_service.h"
#include "storage/store.h"
#include "text/query.h"

namespace holdfast::service {

// The newest objects that pass the filter, in the form of a search without scores.
Result<search::SearchResponse> list_newest(const search::Index& index,
                                           const access::SpaceAccess& access,
                                           const search::SearchRequest& request);

struct ShowHits {
  ShowHits(const SearchRequest& asked, const NounCatalog& catalog)
      : request(asked), nouns(catalog), query(text::parse_query(asked.query)) {}

  const SearchRequest& request;
  const NounCatalog& nouns;
  const text::ParsedQuery query;  // for the snippets
};

// Reads the objects and words each hit. One that vanished between the two reads is left out.
Result<SearchResponse> shown(storage::ReadTxn& txn, const access::SpaceAccess& access,
                             const search::SearchResponse& found, const ShowHits& how);

// One hit with its object at hand.
SearchHit show_hit(Object object, const search::Hit& hit, const ShowHits& how);

// The explanation as native answers show it.
Value explain_value(const search::Explanation& explanation);

}  // namespace holdfast::service
