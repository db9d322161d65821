// Finding objects through the index: by terms, by filters, newest first, or in the order of
// contexts. What comes back is hydrated and bounded; nothing here looks at every object.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "access/space_access.h"
#include "base/result.h"
#include "model/noun.h"
#include "search/index.h"
#include "service/substrate/query_plan.h"
#include "service/substrate/stored.h"

namespace holdfast::service::substrate {

// The same limits for the index. With `own_types` only the five types of the substrate, otherwise
// what other surfaces stored as well.
search::Filter index_filter(const Filters& filters, bool own_types);
// Whether an object passes what index_filter says about temporary ones.
bool hides_temporary(const Filters& filters);

struct TermSearch {
  std::vector<std::string> terms = {};
  search::Filter filter = {};
  size_t wanted = 10;
};
// Objects that match, the likely best first.
struct Candidates {
  std::vector<ObjectNumber> numbers = {};
  std::vector<int64_t> likely = {};  // the score of each at most, as far as the index can tell
  bool complete = false;             // all that match, few enough to judge each
};
// More than `wanted` of them where there are more.
Result<Candidates> find_by_terms(const search::Index& index, const access::SpaceAccess& access,
                                 const TermSearch& request);

// Reads the objects of a list piece by piece. Of very large ones not many more than `wanted`.
class CandidateReader {
 public:
  CandidateReader(storage::ReadTxn& txn, const access::SpaceAccess& access,
                  std::span<const ObjectNumber> numbers, size_t wanted)
      : txn_(txn), access_(access), numbers_(numbers), wanted_(wanted) {}

  bool at_end() const;
  // How many of the list were asked for so far.
  size_t passed() const { return passed_; }
  // The next ones, at most `count`; those that are gone meanwhile are left out.
  Result<std::vector<storage::ObjectBody>> next_bodies(size_t count);
  Result<std::vector<storage::ObjectBody>> rest_of_bodies();
  Result<std::vector<Object>> rest();

 private:
  std::vector<ObjectNumber> next_numbers(size_t count);

  storage::ReadTxn& txn_;
  const access::SpaceAccess& access_;
  const std::span<const ObjectNumber> numbers_;
  const size_t wanted_;
  size_t passed_ = 0;
  size_t bytes_ = 0;
};

// Judged beyond what was asked for, so that the table can reorder.
inline constexpr size_t kMargin = 6;

// Objects with one of the terms in their words, the first `wanted` of each term in the order of
// contexts. Terms that are no plain words are left out.
Result<std::vector<ObjectNumber>> first_by_term(const search::Index& index,
                                                const access::SpaceAccess& access,
                                                const TermSearch& request);

// The first objects by one number facet, over the five types: all that can be among the first
// `wanted`, which the caller sorts by its full order.
struct OrderedList {
  std::string_view facet = {};
  bool descending = false;
  size_t wanted = 10;
};
Result<std::vector<Stored>> list_ordered(storage::ReadTxn& txn, const access::SpaceAccess& access,
                                         const search::Index& index, const Filters& filters,
                                         const OrderedList& order);

// Documents of ours among the objects; the rest is left out.
Result<std::vector<Stored>> own_documents(std::vector<Object> objects);

}  // namespace holdfast::service::substrate
