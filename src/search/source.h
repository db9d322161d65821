// Where an index learns what it should hold: the store, seen through a keyhole (store_source.h), or
// a fake in a test.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "model/noun.h"
#include "model/object.h"

namespace holdfast::search {

struct SourceObject {
  Object object = {};
  Projection projection = {};
};

struct SourceChange {
  JournalPosition position = 0;
  Timestamp at = {};
  ObjectKey key = {};
  bool erased = false;
  // The object as it is now, which may be newer than this change; nothing if it is gone.
  std::optional<SourceObject> now = std::nullopt;
};

// Thread-safe.
class DocumentSource {
 public:
  virtual ~DocumentSource() = default;
  virtual Result<std::vector<SpaceId>> spaces() = 0;
  // The newest journal entry of the space; nothing if there is none.
  struct Newest {
    JournalPosition position = 0;
    Timestamp at = {};
  };
  virtual Result<std::optional<Newest>> newest(const SpaceId& space) = 0;
  // Objects with greater numbers, in ascending order; an empty page is the end. The state read is
  // at least as new as what newest() said before.
  virtual Result<std::vector<SourceObject>> objects_after(const SpaceId& space, ObjectNumber after,
                                                          size_t limit) = 0;
  // The journal of the space after a position, oldest first; an empty page is the end.
  virtual Result<std::vector<SourceChange>> changes_after(const SpaceId& space,
                                                          JournalPosition after, size_t limit) = 0;
};

}  // namespace holdfast::search
