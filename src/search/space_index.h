// The index of one space: a growing memtable, frozen memtables waiting to be written, and segments.
// Thread-safe.
//
//   apply()     by the store's writer, one call at a time; what it was told is found when it
//   returns search()... by anyone; wait only while apply() or a swap of parts is under way, never
//   for a flush or merge maintain()  by one background thread: writes memtables as segments, merges
//   segments, keeps the manifest
//
// Nothing a search returns depends on when maintain() ran.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/space_access.h"
#include "base/mutex.h"
#include "base/result.h"
#include "search/index_change.h"
#include "search/index_options.h"
#include "search/manifest.h"
#include "search/memtable.h"
#include "search/pace.h"
#include "search/request.h"
#include "search/searcher.h"
#include "search/segment.h"
#include "search/segment_builder.h"
#include "search/vector_index.h"

namespace holdfast::search {

class SpaceIndex {
 public:
  // `folder` is that of this space, or empty.
  SpaceIndex(std::string folder, const IndexOptions& options);
  ~SpaceIndex();

  // Maps the segments that the manifest names. kNotFound if there is no manifest, kCorrupted if
  // anything is not as it should be; the index is empty then. Returns the manifest's position and
  // its time.
  Result<Manifest> load();
  // Removes every file of the space and starts empty.
  void clear();

  void apply(const std::vector<IndexChange>& changes);
  // Takes in new objects that are about to be committed, from the first on as long as they can be
  // taken in ahead; nobody finds them before apply() has the first change of that commit. The
  // changes of those that expected() names need no document any more.
  void expect(const std::vector<IndexChange>& changes);
  std::vector<JournalPosition> expected() const;  // ascending
  // They were not committed.
  void forget_expected();
  // Says that everything up to there was applied. For a rebuild, whose changes have no positions of
  // their own.
  void set_position(JournalPosition position, Timestamp at);
  // Key hash and number of the documents with these key hashes, dead or alive: where only a key is
  // known.
  std::vector<std::pair<uint64_t, ObjectNumber>> numbers_of(
      const std::vector<uint64_t>& keys) const;
  // The projection hash of a living document.
  std::optional<uint64_t> hash_of(ObjectNumber number) const;
  // The projection hashes of all living documents by number.
  std::vector<std::pair<ObjectNumber, uint64_t>> hashes() const;

  SearchResponse search(const access::SpaceAccess& access, const SearchRequest& request) const;
  // The nearest of the objects that the viewer may see and the filter lets pass.
  std::vector<NearVector> nearest(const access::SpaceAccess& access, const SearchRequest& request,
                                  const VectorIndex& vectors, size_t limit) const;
  // The kinds of living objects, in the order asked for; empty for those that are gone.
  std::vector<std::string> kinds_of(const std::vector<ObjectNumber>& numbers) const;
  ListResponse list(const access::SpaceAccess& access, const ListRequest& request,
                    const Counters::Reader& counters) const;
  NumberList numbers(const access::SpaceAccess& access, const Filter& filter) const;
  std::vector<KindCount> counts(const access::SpaceAccess& access) const;
  SpaceSizes sizes() const;

  // Does the most urgent piece of work, if any. False: nothing to do now. A merge may take seconds:
  // memtables that come meanwhile are written in between, and `meanwhile` is called each time.
  bool maintain(const std::function<void()>& meanwhile = {});
  bool has_work() const;
  // Memtables that wait to be written; the writer slows down when they are many.
  size_t waiting() const;
  // Makes the current state a manifest, as before a clean end.
  Status flush();
  // Ends a build under way soon; it is repeated by the next maintain().
  void interrupt();
  // Removes the files and never touches the folder again; goes on answering. For an index that is
  // being replaced.
  void retire();

 private:
  struct Entry {
    std::shared_ptr<Part> part;    // shared with a build under way
    bool memtable = false;         // frozen, waits to be written
    JournalPosition position = 0;  // of the last change in a memtable
    Timestamp position_time = {};
    uint64_t file_id = 0;  // 0: not on disk
    uint64_t file_checksum = 0;
    bool rewrite = false;  // its file was unlinked because of an erasure
  };
  // A build under way: what an erasure must stop.
  struct Build {
    std::vector<BuildInput> inputs = {};
    std::atomic<bool> cancelled = false;
    std::string path = {};  // the file it writes, once that exists
    void cancel();
  };

  View view() const HOLDFAST_REQUIRES_SHARED(mutex_);
  struct Expected {
    JournalPosition position = 0;
    ObjectNumber number = 0;
  };

  // What the change after this one will look at.
  void fetch_next(const std::vector<IndexChange>& changes, size_t at) const
      HOLDFAST_REQUIRES(mutex_);
  void put(const Document& document) HOLDFAST_REQUIRES(mutex_);
  void remove(ObjectNumber number) HOLDFAST_REQUIRES(mutex_);
  void erase(ObjectNumber number) HOLDFAST_REQUIRES(mutex_);
  bool kill_in(Part& part, ObjectNumber number) HOLDFAST_REQUIRES(mutex_);
  void freeze() HOLDFAST_REQUIRES(mutex_);
  void withhold_manifest() HOLDFAST_REQUIRES(mutex_);
  bool is_withheld() const HOLDFAST_REQUIRES_SHARED(mutex_) { return written_ < withheld_until_; }
  std::string manifest_path() const { return folder_ + "/manifest"; }

  std::vector<std::shared_ptr<Part>> choose_inputs() const HOLDFAST_REQUIRES_SHARED(mutex_);
  std::vector<std::shared_ptr<Part>> choose_merge() const HOLDFAST_REQUIRES_SHARED(mutex_);
  enum class Outcome : uint8_t { kDone, kCancelled, kFailed };
  Outcome build(const std::vector<std::shared_ptr<Part>>& inputs,
                const std::function<void()>& meanwhile) HOLDFAST_REQUIRES(maintain_mutex_);
  Outcome build_and_swap(const std::vector<std::shared_ptr<Part>>& inputs, Build& build,
                         const std::function<void()>& meanwhile) HOLDFAST_REQUIRES(maintain_mutex_);
  // Those that wait, while there are not too many parts already.
  void write_memtables() HOLDFAST_REQUIRES(maintain_mutex_);
  void give_time();
  // The id of the file, 0 if nothing is kept on disk, nothing if that failed or was cancelled.
  std::optional<uint64_t> save(std::span<const std::string_view> pieces, Build& build)
      HOLDFAST_REQUIRES(maintain_mutex_);
  bool swap_in(const std::vector<std::shared_ptr<Part>>& inputs,
               std::unique_ptr<SegmentBytes> bytes, Entry made, Build& build);
  Status write_manifest() HOLDFAST_REQUIRES(maintain_mutex_);
  void remove_unnamed_files(const Manifest& manifest) const;
  std::string path_of(uint64_t file_id) const;

  const std::string folder_;
  const IndexOptions options_;

  mutable SharedMutex mutex_;
  Tables tables_ HOLDFAST_GUARDED_BY(mutex_);
  std::shared_ptr<Memtable> active_ HOLDFAST_GUARDED_BY(mutex_);  // becomes an Entry's part
  std::vector<Entry> entries_ HOLDFAST_GUARDED_BY(mutex_);        // oldest first
  std::vector<Expected> expected_ HOLDFAST_GUARDED_BY(mutex_);    // in order
  Pace pace_ HOLDFAST_GUARDED_BY(mutex_);                         // of apply()
  ObjectNumber highest_number_ HOLDFAST_GUARDED_BY(mutex_) = 0;   // of any document so far
  JournalPosition position_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  Timestamp position_time_ HOLDFAST_GUARDED_BY(mutex_);
  JournalPosition saved_position_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  Timestamp saved_time_ HOLDFAST_GUARDED_BY(mutex_);
  bool manifest_stale_ HOLDFAST_GUARDED_BY(mutex_) = false;
  // Memtables frozen and written so far. A change that no replay would bring back withholds the
  // manifest until the memtable it went into is written.
  uint64_t frozen_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  uint64_t written_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  uint64_t withheld_until_ HOLDFAST_GUARDED_BY(mutex_) = 0;

  // Taken after mutex_, never before it.
  Mutex build_mutex_;
  // A merge and, in the middle of it, the writing of a memtable. Shared with the thread that
  // builds.
  std::vector<std::shared_ptr<Build>> builds_ HOLDFAST_GUARDED_BY(build_mutex_);

  Mutex maintain_mutex_;  // one maintain() or flush() at a time
  uint64_t next_file_id_ HOLDFAST_GUARDED_BY(maintain_mutex_) = 1;
  bool retired_ HOLDFAST_GUARDED_BY(maintain_mutex_) = false;
  std::atomic<int64_t> retry_at_ = 0;  // steady microseconds: not before, after a failed write
};

}  // namespace holdfast::search
