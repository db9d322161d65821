// What a commit changed, told to those who derive something from the store: the search index, live
// events, job workers.
#pragma once

#include <span>
#include <vector>

#include "model/noun.h"
#include "model/object.h"

namespace holdfast::storage {

// Two forms are special: a put that only refreshed facets and links has no journal entry
// (entry.position is 0), and a space that was erased as a whole is one kErased with an empty key.
struct Change {
  enum class What { kPut, kDeleted, kErased };

  SpaceId space = {};
  What what = What::kPut;
  Object object = {};          // as it is now; without a body if it is gone
  Projection projection = {};  // of kPut
  JournalEntry entry = {};
};

// Called by one thread at a time after the commit is durable and before any of its callers is
// answered, in the order of the journal; the next write may be under way. Must not call the store's
// write(). Must not throw. Cost is added to every write of the batch.
class CommitListener {
 public:
  virtual ~CommitListener() = default;
  virtual void on_commit(const std::vector<Change>& changes) = 0;
  // Ahead of on_commit, for large writes: what is about to be committed, for those who can do their
  // work while the disk does its own. Nothing of it may be seen before on_commit tells of the same
  // changes; forget_expected() says that it will not. The changes stay where they are until then.
  // One call of either at a time, none while on_commit runs.
  virtual void expect(std::span<const Change>) {}
  virtual void forget_expected() {}
  // Jobs were enqueued or released in this commit; told after on_commit, under the same rules.
  virtual void on_jobs() {}
};

}  // namespace holdfast::storage
