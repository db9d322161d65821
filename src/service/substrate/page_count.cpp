#include "service/substrate/page_count.h"

#include <algorithm>

#include "service/substrate/document.h"

namespace holdfast::service::substrate {
namespace {

// Home, the index and the overview are always there.
constexpr int64_t kFixedPages = 3;
// The API overview, its style sheet and the Doxyfile, once a repository is known.
constexpr int64_t kRepositoryPages = 3;

Result<int64_t> count_of(const search::Index& index, const access::SpaceAccess& access,
                         ObjectType type, std::string_view facet, std::string_view value) {
  search::ListRequest request{.filter = {.kinds = {std::string(type_name(type))}}, .limit = 0};
  request.filter.facets.push_back({.name = std::string(facet), .any_of = {std::string(value)}});
  HOLDFAST_TRY(const auto found, index.list(access, request));
  return static_cast<int64_t>(found.total);
}

}  // namespace

Result<int64_t> count_pages(const search::Index& index, const access::SpaceAccess& access) {
  int64_t pages = kFixedPages;
  for (const search::KindCount& count : index.counts(access)) {
    const auto type = type_from_name(count.kind);
    if (!type) continue;
    // A debug page each, and a wiki page for all but nodes.
    pages += *type == ObjectType::kNode ? count.documents : 2 * count.documents;
  }
  HOLDFAST_TRY(const int64_t projects,
               count_of(index, access, ObjectType::kNode, facet::kKind, "repo"));
  HOLDFAST_TRY(const int64_t repositories,
               count_of(index, access, ObjectType::kSource, facet::kKind, "repo"));
  pages += projects;
  if (repositories == 0) return pages;
  HOLDFAST_TRY(const int64_t modules,
               count_of(index, access, ObjectType::kNode, facet::kApiPage, "yes"));
  return pages + kRepositoryPages + std::min(modules, kMaxApiPages);
}

}  // namespace holdfast::service::substrate
