// Finds what may answer a query: one read transaction, one look at the index for the words, and
// lists for what is found by its kind.
#pragma once

#include "access/space_access.h"
#include "search/index.h"
#include "service/recall/query_types.h"
#include "storage/store.h"

namespace holdfast::service::recall {

class QuerySearch {
 public:
  QuerySearch(storage::ReadTxn& txn, const search::Index& index, const access::SpaceAccess& whole,
              Run& run);

  // What the thread's stored items say about the turn; what the caller says comes first.
  Status infer_thread(Timestamp now);
  // `vector`: of the query; empty: words alone.
  Status by_words(std::vector<float> vector);
  // Raw evidence in the index's own order.
  Status sources();
  // References that the query names, and those of visible memory whose name is in its text.
  Status by_refs();
  Status checkpoints();
  // Whether the scope holds any memory at all.
  Result<bool> has_memory();

 private:
  Status list(const search::Filter& filter, size_t limit);
  Status take_hits(const std::vector<search::Hit>& hits);
  // In the order given; `hits` empty: found by their kind.
  Status take(const std::vector<ObjectNumber>& numbers, const std::vector<search::Hit>& hits);
  Status count_hidden(search::SearchRequest request);

  storage::ReadTxn& txn_;
  const search::Index& index_;
  const access::SpaceAccess access_;
  const access::SpaceAccess wide_;  // as far as the container goes
  Run& run_;
};

}  // namespace holdfast::service::recall
