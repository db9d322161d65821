// The sessions of the HTTP endpoint. Bounded in number and in idle time.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "mcp/session.h"

namespace holdfast::mcp {

// Thread-safe.
class SessionTable {
 public:
  SessionTable(const Clock& clock, size_t max_sessions)
      : clock_(clock), max_sessions_(max_sessions) {}

  // With a random id. Where there are too many, the one that was idle longest goes.
  std::shared_ptr<Session> create(const PrincipalId& principal);
  // nullptr if it is unknown, expired, or another principal's. Counts as a use.
  std::shared_ptr<Session> find(const std::string& id, const PrincipalId& principal);
  // Closes it; false if find would not find it.
  bool remove(const std::string& id, const PrincipalId& principal);
  // See Session::stop_asking; for all of them.
  void stop_asking();

  size_t size() const;

 private:
  using Order = std::list<std::shared_ptr<Session>>;  // the one found longest ago first
  using Found = std::vector<std::shared_ptr<Session>>;

  // Takes out what is idle too long, and more while there are too many; to be closed without the
  // lock.
  Found take_expired(size_t room_for) HOLDFAST_REQUIRES(mutex_);
  Order::iterator take_out(Order::iterator entry, Found& out) HOLDFAST_REQUIRES(mutex_);

  const Clock& clock_;
  const size_t max_sessions_;
  mutable Mutex mutex_;
  Order order_ HOLDFAST_GUARDED_BY(mutex_);
  std::unordered_map<std::string, Order::iterator> by_id_ HOLDFAST_GUARDED_BY(mutex_);
  bool stopping_ HOLDFAST_GUARDED_BY(mutex_) = false;
};

}  // namespace holdfast::mcp
