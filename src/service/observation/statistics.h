// How often observations are looked at and cited. Views are counted in memory and written every
// second: a crash loses at most that second, and nothing is counted twice. Citations are counted in
// the write that makes them. Lists sort by both through the index's counters. Thread-safe.
#pragma once

#include <map>
#include <string>
#include <thread>
#include <vector>

#include "access/gatekeeper.h"
#include "base/mutex.h"
#include "base/result.h"
#include "search/index.h"
#include "service/observation/visit.h"
#include "storage/store.h"

namespace holdfast::service::observation {

struct Stats {
  int64_t views = 0;
  int64_t citations = 0;
};

class Statistics {
 public:
  Statistics(storage::Store& store, const access::Gatekeeper& gatekeeper, search::Index& index)
      : store_(store), gatekeeper_(gatekeeper), index_(index) {}
  ~Statistics();

  // Brings back what the store remembers and begins to write. Before the first request, after the
  // index is open.
  Status start();
  // Writes what is left. Before the store is closed.
  void stop();

  // One more look; returns the number including it.
  int64_t view(const SpaceId& space, const Object& observation);
  Stats of(const SpaceId& space, ObjectNumber number) const;

  // Something began (+1) or ceased (-1) to cite these observations. Those that are gone stay so.
  Status cite(Mutation& mutation, const std::vector<std::string>& observations, int64_t delta);
  // Sets the views of a seeded observation.
  Status seed_views(Mutation& mutation, const Object& observation, int64_t views);

 private:
  struct Pending {
    ObjectKey key = {};
    int64_t views = 0;
  };
  using Place = std::pair<SpaceId, ObjectNumber>;

  Status load(const SpaceId& space, std::string_view counter);
  void work();
  void flush();

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  search::Index& index_;

  Mutex mutex_;
  CondVar stop_signal_;
  bool stopping_ HOLDFAST_GUARDED_BY(mutex_) = false;
  std::map<Place, Pending> pending_ HOLDFAST_GUARDED_BY(mutex_);
  std::thread writer_;
};

}  // namespace holdfast::service::observation
