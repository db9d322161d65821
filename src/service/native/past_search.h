// A search as it would have been answered at a moment of the past. Objects that did not change
// since then are searched in the live index; those that did are indexed anew as they were, in
// memory, for this one question. Scores are brought to the statistics of then before the two lists
// are merged.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "access/space_access.h"
#include "base/result.h"
#include "model/noun.h"
#include "search/index.h"
#include "service/native/search_service.h"
#include "storage/store.h"

namespace holdfast::service {

namespace reason {
inline constexpr std::string_view kAsOfTooFar = "as_of_too_far";
}  // namespace reason

// Serves one call.
class PastSearch {
 public:
  PastSearch(storage::ReadTxn& txn, const access::SpaceAccess& access, const NounCatalog& nouns,
             const search::Index& live)
      : txn_(txn), access_(access), nouns_(nouns), live_(live) {}

  Result<SearchResponse> run(const SearchRequest& request, search::SearchRequest wanted,
                             JournalPosition position);

 private:
  Status collect_changed(JournalPosition position);
  Status add_changed(const ObjectKey& key, JournalPosition position);
  Result<search::SearchResponse> ask(const search::Index& index,
                                     const search::SearchRequest& wanted) const;
  void project(const Object& object, std::vector<storage::Change>& to) const;

  storage::ReadTxn& txn_;
  const access::SpaceAccess& access_;
  const NounCatalog& nouns_;
  const search::Index& live_;
  std::vector<ObjectNumber> changed_numbers_;              // not to be taken from the live index
  std::unordered_map<ObjectNumber, Object> past_objects_;  // as they were
  std::vector<storage::Change> past_changes_;              // the same, for an index of their own
  std::vector<storage::Change>
      replaced_changes_;  // what became of them, to take out of the statistics
};

}  // namespace holdfast::service
