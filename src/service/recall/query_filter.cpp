#include "service/recall/query_filter.h"

#include <algorithm>

#include "base/utf8.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {

void add_equal(search::Filter& filter, std::string_view facet, const Text& value) {
  if (value) filter.facets.push_back({.name = std::string(facet), .any_of = {*value}});
}

search::Filter filter_of(const Query& query) {
  search::Filter filter{.kinds = {item_noun().kind, memory_noun().kind}};
  add_equal(filter, facet::kLive, "yes");
  add_equal(filter, facet::kSourceType, query.source_type);
  if (query.role) add_equal(filter, facet::kRole, fold_case(*query.role));
  add_equal(filter, facet::kArtifact, query.artifact_kind);
  if (query.actor_ref)
    filter.facets.push_back(
        {.name = std::string(facet::kActor), .any_of = {"-", actor_facet(query.actor_ref)}});
  return filter;
}

bool fits(const Query& query, const Memory& memory) {
  return std::ranges::any_of(memory.evidence, [&](const Evidence& about) {
    return (!query.source_type || about.source_type == *query.source_type) &&
           (!query.role || role_is(about, fold_case(*query.role))) &&
           (!query.artifact_kind || about.artifact_kind == query.artifact_kind);
  });
}

std::vector<search::PreparedTerm> terms_of(const std::vector<std::string>& content) {
  std::vector<search::PreparedTerm> terms;
  for (const std::string& word : content) {
    search::PreparedTerm term = search::PreparedTerm::of(word);
    for (std::string& variant : variants_of(word))
      term.alternatives.push_back({.text = std::move(variant)});
    terms.push_back(std::move(term));
  }
  return terms;
}

}  // namespace holdfast::service::recall
