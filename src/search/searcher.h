// Answers requests over the parts of a space. Stateless; the caller holds the space's mutex
// (shared) throughout.
#pragma once

#include <vector>

#include "access/space_access.h"
#include "search/counters.h"
#include "search/plan.h"
#include "search/request.h"

namespace holdfast::search {

SearchResponse search_view(const access::SpaceAccess& access, const SearchRequest& request,
                           const View& view);
ListResponse list_view(const access::SpaceAccess& access, const ListRequest& request,
                       const View& view, const Counters::Reader& counters);
NumberList numbers_view(const access::SpaceAccess& access, const Filter& filter, const View& view);
// By kind, sorted by name, without kinds of which nothing is visible.
std::vector<KindCount> count_view(const access::SpaceAccess& access, const View& view);

}  // namespace holdfast::search
