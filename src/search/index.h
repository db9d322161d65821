// The search index of all spaces: told of every commit by the store, derived from it, rebuilt from
// it at will.
//
//   Index index({.folder = data + "/index"});
//   index.open(source, progress);        // maps what is there, replays the tail, rebuilds what is
//   missing store.add_listener(index);           // from now on a committed change is found before
//   its writer is answered index.search(access, {.query = "blue green deploy", .limit = 10});
//   index.close();                       // the next open() has nothing to replay
//
// Thread-safe. The folder may be deleted whenever no process uses it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "access/space_access.h"
#include "base/mutex.h"
#include "base/result.h"
#include "search/counters.h"
#include "search/index_options.h"
#include "search/request.h"
#include "search/source.h"
#include "storage/change.h"

namespace holdfast::search {

class SpaceIndex;
class VectorIndex;
struct IndexChange;

struct IndexProgress {
  SpaceId space = {};
  size_t documents = 0;     // read so far
  bool rebuilding = false;  // false: replaying the tail of the journal
};
using ProgressCallback = std::function<void(const IndexProgress&)>;

class Index : public storage::CommitListener {
 public:
  explicit Index(IndexOptions options);
  ~Index() override;

  // Before the first commit. What is missing, damaged or of another version is rebuilt, with a line
  // in the log. Errors are those of the source.
  Status open(DocumentSource& source, const ProgressCallback& progress = {});
  // Writes what is in memory and stops the background thread. Commits after it are not seen.
  void close();

  void on_commit(const std::vector<storage::Change>& changes) override;
  void expect(std::span<const storage::Change> changes) override;
  void forget_expected() override;

  // kInvalidArgument for a limit or offset beyond the limits in request.h. A space without
  // documents answers empty.
  Result<SearchResponse> search(const access::SpaceAccess& access,
                                const SearchRequest& request) const;
  Result<ListResponse> list(const access::SpaceAccess& access, const ListRequest& request) const;
  NumberList numbers(const access::SpaceAccess& access, const Filter& filter) const;
  std::vector<KindCount> counts(const access::SpaceAccess& access) const;
  // What lists may be sorted by besides facets. An object's counters go with it.
  Counters& counters() { return counters_; }

  // Vectors, where the options say that they are kept. A changed object needs a new one: the old
  // one goes with the change. kNotFound without vectors or for an object that is not in the index;
  // otherwise as VectorIndex::add.
  Status add_vector(const SpaceId& space, ObjectNumber number, const std::vector<float>& vector);
  bool has_vector(const SpaceId& space, ObjectNumber number) const;

  // Makes the index of a space anew while it serves. Errors are those of the source; the old index
  // stays then (and is rebuilt at the next start).
  Status rebuild(const SpaceId& space, DocumentSource& source,
                 const ProgressCallback& progress = {});
  // Compares with the source: each finding is one sentence. Empty: sound.
  Result<std::vector<std::string>> verify(DocumentSource& source) const;
  // Forgets a space and removes its files: for a space that was erased.
  void drop(const SpaceId& space);

  std::map<SpaceId, SpaceSizes> sizes() const;
  // Does all background work there is, now. For tests and for tools.
  void settle();

 private:
  using ChangeList = std::vector<const storage::Change*>;  // those of a commit, which owns them

  struct Slot {
    std::shared_ptr<SpaceIndex> index;     // shared with the calls under way
    std::shared_ptr<VectorIndex> vectors;  // likewise; nullptr where none are kept
    bool rebuilding = false;
    std::vector<storage::Change> missed;  // by the index that is being made
  };

  std::shared_ptr<SpaceIndex> find(const SpaceId& space) const;
  std::shared_ptr<SpaceIndex> find_or_make(const SpaceId& space);
  bool is_rebuilding(const SpaceId& space) const;
  void apply(const SpaceId& space, const ChangeList& from_store);
  Status open_space(const SpaceId& space, DocumentSource& source, const ProgressCallback& progress);
  // kCorrupted if the saved index does not fit the source's history.
  Status load_and_replay(SpaceIndex& index, const SpaceId& space, DocumentSource& source,
                         const ProgressCallback& progress);
  Status fill(SpaceIndex& index, const SpaceId& space, DocumentSource& source,
              const ProgressCallback& progress);
  std::string folder_of(const SpaceId& space) const;
  std::string vector_folder_of(const SpaceId& space) const;
  std::shared_ptr<VectorIndex> make_vectors(const SpaceId& space) const;
  std::shared_ptr<VectorIndex> find_vectors(const SpaceId& space) const;
  void forget_vectors(const SpaceId& space, const std::vector<IndexChange>& changes);
  void start_background();
  void work();
  void tell_work_done();
  void wake();

  const IndexOptions options_;
  Counters counters_;

  mutable SharedMutex spaces_mutex_;
  std::map<SpaceId, Slot> spaces_ HOLDFAST_GUARDED_BY(spaces_mutex_);
  // One change of the indexes at a time: commits, and the first and last step of a rebuild. Taken
  // before the others.
  Mutex apply_mutex_;

  Mutex work_mutex_;
  CondVar work_ready_;
  CondVar work_done_;
  bool work_waiting_ HOLDFAST_GUARDED_BY(work_mutex_) = false;
  bool stopping_ HOLDFAST_GUARDED_BY(work_mutex_) = false;
  std::thread background_;
};

}  // namespace holdfast::search
