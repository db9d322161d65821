// Which memories of a user, and in what order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "search/request.h"

namespace holdfast::service::chat {

search::Filter memories_of(const std::string& user);
// Nothing where the value is empty.
void add_equal(search::Filter& filter, std::string_view name, const std::string& value);
void add_tags(search::Filter& filter, const std::vector<std::string>& tags);
// Those of one millisecond by id.
std::vector<search::SortKey> newest_first();

}  // namespace holdfast::service::chat
