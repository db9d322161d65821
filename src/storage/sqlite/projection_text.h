// Facets and links as the JSON texts kept in objects.facets and objects.links:
//   [["due_at",1700000000],["tag","tea"],["uses",3,"counter"]]
//   [["about","task","PROJ-1","declared"]]
// Sorted and without repetitions, so that equal sets have equal texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/object.h"

namespace holdfast::storage::sqlite {

struct FacetSet {
  std::vector<Facet> facets = {};  // sorted
  std::vector<std::string> counters =
      {};  // names of those that count() made: they survive a put that lacks them
};

// Facets whose names begin with '~' are for the index alone and left out: nobody scans by them.
FacetSet normalised(const std::vector<Facet>& facets);
std::vector<Link> normalised(std::vector<Link> links);

std::string write_facets(const FacetSet& set);
std::string write_links(const std::vector<Link>& links);

// kCorrupted if the text is not what write_* makes.
Result<FacetSet> read_facets(std::string_view json);
// False only if the text has no counters.
bool may_have_counters(std::string_view json);
Result<std::vector<Link>> read_links(std::string_view json);

}  // namespace holdfast::storage::sqlite
