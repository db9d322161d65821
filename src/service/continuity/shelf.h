// Every capsule artefact of every space in the orders that lists ask for, so that a list costs what
// its page costs. Derived from the store: read from it once, told of every commit after that.
// Thread-safe.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "service/continuity/nouns.h"
#include "storage/store.h"

namespace holdfast::service::continuity {

enum class ArtefactState : uint8_t { kActive, kFallback, kArchived, kCold };
inline constexpr size_t kArtefactStates = 4;
std::string_view name_of(ArtefactState state);

// What lists need to know of an artefact without reading it.
struct ShelfEntry {
  ArtefactState state = ArtefactState::kActive;
  ObjectKey key = {};
  ObjectNumber number = 0;
  Label label = {};
  Subject subject = {};
  std::string file = {};                 // the path that namespaces are compared with
  std::string path = {};                 // the path that its row shows
  std::vector<std::string> traits = {};  // sorted; trait() makes one
  int lifecycle = 99;
  int health = 0;
  int verification = 0;
  bool inadequate = false;
  bool attested = false;
  int64_t updated = 0;  // microseconds, as the following
  int64_t verified = 0;
  int64_t archived = 0;
  std::array<int64_t, 4> until = {};  // fresh, softly stale, stale; and not expired

  // 0 fresh to 4 expired (trust.h).
  int severity(int64_t now) const;
  bool has(const std::string& trait) const;
};

// A facet of an artefact as lists filter by it.
std::string trait(std::string_view facet, std::string_view value);

struct ShelfQuery {
  std::vector<ArtefactState> states = {};
  std::vector<std::string> traits = {};                  // all of them
  std::function<bool(const ShelfEntry&)> readable = {};  // hidden ones count for nothing
  size_t limit = 50;
  size_t most_looked_at = SIZE_MAX;  // stops there, whatever was found
};

class Shelf : public storage::CommitListener {
 public:
  Shelf(storage::Store& store, const access::Gatekeeper& gatekeeper)
      : store_(store), gatekeeper_(gatekeeper) {}
  ~Shelf() override { stop(); }

  // Reads the store in the background; questions wait for it. After being added as a listener.
  void start();
  void stop();
  void on_commit(const std::vector<storage::Change>& changes) override;

  // By subject kind, subject id, state and path. Errors: kDeadlineExceeded, kUnavailable while the
  // store is being read.
  Result<std::vector<ShelfEntry>> list(const access::SpaceAccess& access, const ShelfQuery& query,
                                       Deadline deadline) const;
  // Active ones, the most salient first (contract of trust.h); `query.states` says nothing.
  Result<std::vector<ShelfEntry>> by_salience(const access::SpaceAccess& access,
                                              const ShelfQuery& query, Timestamp now,
                                              Deadline deadline) const;
  // All artefacts of one subject, by state and path; `query` says no more than what is readable.
  Result<std::vector<ShelfEntry>> of_subject(const access::SpaceAccess& access,
                                             const Subject& subject, const ShelfQuery& query,
                                             Deadline deadline) const;
  // How many match, whatever the limit. Costs nothing for a viewer who sees everything and asks for
  // one trait at most.
  Result<size_t> count(const access::SpaceAccess& access, const ShelfQuery& query,
                       Deadline deadline) const;
  // Shows every matching artefact in the order of list().
  Status visit(const access::SpaceAccess& access, const ShelfQuery& query, Deadline deadline,
               const std::function<void(const ShelfEntry&)>& visitor) const;

 private:
  struct BySubject {
    bool operator()(const ShelfEntry* left, const ShelfEntry* right) const;
  };
  struct BySalience {
    bool operator()(const ShelfEntry* left, const ShelfEntry* right) const;
  };
  using Ordered = std::set<const ShelfEntry*, BySubject>;
  using Group = std::pair<int, int>;  // lifecycle and health
  struct SpaceShelf {
    std::map<ObjectKey, std::vector<std::unique_ptr<ShelfEntry>>> entries = {};
    std::array<std::unordered_map<std::string, Ordered>, kArtefactStates> by_trait = {};
    std::map<Group, std::set<const ShelfEntry*, BySalience>> groups = {};
  };

  void load();
  Status load_space(const SpaceId& space, std::map<SpaceId, SpaceShelf>& into) const;
  static void apply(const storage::Change& change, std::map<SpaceId, SpaceShelf>& spaces);
  static void add(SpaceShelf& shelf, ShelfEntry entry);
  static void remove(SpaceShelf& shelf, const ObjectKey& key);
  static const Ordered* narrowest(const SpaceShelf& shelf, ArtefactState state,
                                  const std::vector<std::string>& traits);
  static bool matches(const access::SpaceAccess& access, const ShelfQuery& query,
                      const ShelfEntry& entry);
  Status await_loaded(MutexLock& lock, Deadline deadline) const HOLDFAST_REQUIRES(mutex_);
  const SpaceShelf* find(const SpaceId& space) const HOLDFAST_REQUIRES(mutex_);

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  mutable Mutex mutex_;
  mutable CondVar loaded_changed_;
  bool loaded_ HOLDFAST_GUARDED_BY(mutex_) = false;
  bool stopping_ HOLDFAST_GUARDED_BY(mutex_) = false;
  std::vector<storage::Change> missed_ HOLDFAST_GUARDED_BY(mutex_);  // while it is read
  std::map<SpaceId, SpaceShelf> spaces_ HOLDFAST_GUARDED_BY(mutex_);
  std::thread loader_;
};

}  // namespace holdfast::service::continuity
