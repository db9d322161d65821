// What routes and tools have in common: from a request that was read to the answer as it is shown.
#pragma once

#include "surface/recall/requests.h"
#include "surface/recall/surface.h"

namespace holdfast::surface::recall {

// The query's answer, with its trace where that is wanted. What a query with an origin injects is
// written down.
Result<Value> answer_query(const Services& services, const CallContext& call,
                           const service::recall::Query& wanted);
// An array, in the order of the items.
Result<Value> ingest_items(const Services& services, const CallContext& call,
                           const std::vector<ItemBody>& items);
// Refuses more items than one call may have, before anything else about them is looked at.
Status check_count(size_t items);

}  // namespace holdfast::surface::recall
