// What the index is told by the store, made ready.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "model/object.h"
#include "search/document.h"

namespace holdfast::search {

// A change on its way in, analysed before any lock is taken.
struct IndexChange {
  enum class What : uint8_t { kPut, kGone, kErased };
  What what = What::kPut;
  ObjectNumber number = 0;
  JournalPosition position = 0;
  Timestamp at = {};          // of the journal entry
  bool unjournalled = false;  // no replay would bring it back
  std::optional<Document> document = std::nullopt;
};

}  // namespace holdfast::search
