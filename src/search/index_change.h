// What the index is told by the store, made ready.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "model/object.h"
#include "search/document.h"
#include "storage/change.h"

namespace holdfast::search {

// A change on its way in, analysed before any lock is taken. Its document points into what it was
// made of (document.h).
struct IndexChange {
  enum class What : uint8_t { kPut, kGone, kErased };
  What what = What::kPut;
  ObjectNumber number = 0;
  JournalPosition position = 0;
  Timestamp at = {};          // of the journal entry
  bool unjournalled = false;  // no replay would bring it back
  std::optional<Document> document = std::nullopt;
};

// What a change in the store means for the index. Both arguments must outlive it.
IndexChange index_change(const storage::Change& change, DocumentMaker& documents);
// The same of an object that SpaceIndex::expect() took in already: without a document.
IndexChange expected_change(const storage::Change& change);

}  // namespace holdfast::search
