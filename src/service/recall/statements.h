// Memories that somebody states outright. The words are taken as they are: where one sentence reads
// as the extractor would read it, its tidier form is used; nothing is left out.
#pragma once

#include <string_view>
#include <vector>

#include "service/recall/extract.h"

namespace holdfast::service::recall {

// What can be stated: the types that rest on one item each.
const std::vector<std::string>& stated_types();

// `item.content` as a memory of that type, one of stated_types().
Draft stated_draft(const Item& item, std::string_view memory_type);

}  // namespace holdfast::service::recall
