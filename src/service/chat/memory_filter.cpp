#include "service/chat/memory_filter.h"

#include "service/chat/memory.h"

namespace holdfast::service::chat {

search::Filter memories_of(const std::string& user) {
  search::Filter filter{.kinds = {memory_noun().kind}};
  filter.facets.push_back({.name = std::string(facet::kUser), .any_of = {user}});
  return filter;
}

void add_equal(search::Filter& filter, std::string_view name, const std::string& value) {
  if (!value.empty()) filter.facets.push_back({.name = std::string(name), .any_of = {value}});
}

void add_tags(search::Filter& filter, const std::vector<std::string>& tags) {
  if (!tags.empty())
    filter.facets.push_back({.name = std::string(shared_facet::kTag), .any_of = tags});
}

std::vector<search::SortKey> newest_first() {
  return {{.by = search::SortKey::By::kTime},
          {.by = search::SortKey::By::kTextFacet, .facet = std::string(facet::kId)}};
}

}  // namespace holdfast::service::chat
