// Which subjects were read lately. Reading must not move the journal, so a read is a number beside
// the subject's path claim; it is written with many others, and not again within the hour.
// Thread-safe.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "service/continuity/capsule_store.h"
#include "storage/store.h"

namespace holdfast::service::continuity {

class AccessTrail {
 public:
  AccessTrail(storage::Store& store, const access::Gatekeeper& gatekeeper)
      : store_(store), gatekeeper_(gatekeeper) {}

  // The subject whose paths have this stem was read.
  void note(const SpaceId& space, const std::string& stem, Timestamp at);
  Result<bool> seen_since(storage::ReadTxn& txn, const Access& access, const std::string& stem,
                          Timestamp since) const;
  // Writes what waits. A failure loses it and nothing else.
  void flush();

 private:
  static constexpr size_t kMostKnown = 10'000;
  static constexpr size_t kMostWaiting = 256;
  static constexpr std::chrono::seconds kLongestWait{60};

  struct Seen {
    SpaceId space = {};
    std::string stem = {};
    Timestamp at = {};
  };

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  mutable Mutex mutex_;
  std::unordered_map<std::string, Timestamp> latest_ HOLDFAST_GUARDED_BY(mutex_);
  std::deque<std::string> order_ HOLDFAST_GUARDED_BY(mutex_);  // of latest_, oldest first
  std::vector<Seen> waiting_ HOLDFAST_GUARDED_BY(mutex_);
  Timestamp written_at_ HOLDFAST_GUARDED_BY(mutex_) = {};
};

}  // namespace holdfast::service::continuity
