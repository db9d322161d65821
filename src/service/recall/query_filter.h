// A query as the index understands it.
#pragma once

#include <string_view>
#include <vector>

#include "search/request.h"
#include "service/recall/query_types.h"

namespace holdfast::service::recall {

// Where the value is given, the facet must be it.
void add_equal(search::Filter& filter, std::string_view facet, const Text& value);
search::Filter filter_of(const Query& query);
// The filters of the query hold for one and the same piece of evidence.
bool fits(const Query& query, const Memory& memory);
// Each content word and its singulars.
std::vector<search::PreparedTerm> terms_of(const std::vector<std::string>& content);

}  // namespace holdfast::service::recall
