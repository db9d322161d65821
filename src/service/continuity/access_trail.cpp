#include "service/continuity/access_trail.h"

namespace holdfast::service::continuity {
namespace {

constexpr const char* kReadAt = "capsule_read_at";  // seconds
constexpr std::chrono::hours kAgain{1};

std::string trail_key(const SpaceId& space, const std::string& stem) {
  return space.value + '\n' + stem;
}

int64_t seconds_of(Timestamp at) { return to_micros(at) / 1'000'000; }

Result<int64_t> read_at(storage::ReadTxn& txn, const Access& access, const ObjectKey& key) {
  HOLDFAST_TRY(const auto facets, txn.facets(access, key));
  for (const Facet& one : facets) {
    if (one.name == kReadAt) return one.number;
  }
  return 0;
}

}  // namespace

void AccessTrail::note(const SpaceId& space, const std::string& stem, Timestamp at) {
  bool full = false;
  {
    const MutexLock lock(mutex_);
    const auto [seen, added] = latest_.try_emplace(trail_key(space, stem), at);
    if (!added && at - seen->second < kAgain) return;
    seen->second = at;
    if (added) order_.push_back(seen->first);
    if (order_.size() > kMostKnown) {
      latest_.erase(order_.front());
      order_.pop_front();
    }
    if (waiting_.empty()) written_at_ = at;
    waiting_.push_back({.space = space, .stem = stem, .at = at});
    full = waiting_.size() >= kMostWaiting || at - written_at_ > kLongestWait;
  }
  if (full) flush();
}

void AccessTrail::flush() {
  std::vector<Seen> rows;
  {
    const MutexLock lock(mutex_);
    rows.swap(waiting_);
  }
  if (rows.empty()) return;
  const CallContext call{.surface = "continuity", .principal = PrincipalId{"engine"}};
  const Status written = store_.write(call, [&](storage::WriteTxn& txn) -> Status {
    for (const Seen& row : rows) {
      const Access access = gatekeeper_.engine_access(row.space);
      const ObjectKey key{.kind = path_noun().kind, .id = row.stem};
      const auto before = read_at(txn, access, key);
      if (!before) continue;  // nothing of it is kept
      const int64_t later = seconds_of(row.at) - *before;
      if (later > 0) HOLDFAST_CHECK_OK(txn.count(access, key, kReadAt, later));
    }
    return {};
  });
  (void)written;
}

Result<bool> AccessTrail::seen_since(storage::ReadTxn& txn, const Access& access,
                                     const std::string& stem, Timestamp since) const {
  {
    const MutexLock lock(mutex_);
    const auto seen = latest_.find(trail_key(access.space(), stem));
    if (seen != latest_.end() && seen->second >= since) return true;
  }
  const auto at = read_at(txn, access, {.kind = path_noun().kind, .id = stem});
  if (!at) return false;
  return *at >= seconds_of(since);
}

}  // namespace holdfast::service::continuity
