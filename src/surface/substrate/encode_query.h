// Answers of memory_query as the published objects.
#pragma once

#include <string>
#include <vector>

#include "model/value.h"
#include "service/substrate/query_service.h"
#include "service/substrate/slice_service.h"

namespace holdfast::surface::substrate {

// {result_type, data, warnings}
Value result(std::string_view type, Value data, Value warnings = Value::array());
Value encode_card(const service::substrate::Card& card);
Value encode_sanitizer(const service::substrate::SanitizedQuery& query);
Value sanitizer_warnings(const service::substrate::SanitizedQuery& query);
// Only what was given or inferred.
Value encode_filters(const service::substrate::Filters& filters);

// As text at once: it is asked for most often, and has the most in it.
std::string write_search(const service::substrate::SearchAnswer& answer);
Value encode_context(const service::substrate::ContextAnswer& answer);
Value encode_expanded(const service::substrate::Expanded& answer);
Value encode_expanded_many(const service::substrate::ExpandedMany& answer);
Value encode_recent(const std::vector<service::substrate::RecentItem>& items);
Value encode_graph(const std::string& id, const service::substrate::GraphAnswer& answer);
Value encode_slice(const service::substrate::Slice& slice, int64_t max_lines,
                   int64_t snippet_chars);

}  // namespace holdfast::surface::substrate
