// One list of two: what the words found and what the vectors found.
#pragma once

#include "search/space_index.h"
#include "search/vector_index.h"

namespace holdfast::search {

// Both streams are made for this viewer and filter, so that no rank tells of anything hidden.
SearchResponse fused_search(const access::SpaceAccess& access, const SearchRequest& request,
                            const SpaceIndex& index, const VectorIndex& vectors);

}  // namespace holdfast::search
