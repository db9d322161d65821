// Work under way in this process, by its idempotency key: a second request for the same finds it
// here, before anything durable exists. Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "service/chat/chat_types.h"
#include "service/chat/transmission.h"

namespace holdfast::service::chat {

struct Flight {
  std::string hash = {};
  std::string transmission_id = {};
  std::string trace_run_id = {};
  TraceLevel level = TraceLevel::kInfo;
  SpaceId space = {};
  // What can be told of a chat before its end; of a distillation the store knows that much.
  std::optional<Transmission> chat = {};
};

class Flights {
 public:
  // The flight that has this key already, or nothing if `flight` now has it. An empty key only
  // makes the transmission known.
  std::optional<Flight> enter(const std::string& key, const Flight& flight) {
    const MutexLock lock(mutex_);
    if (!key.empty()) {
      const auto [it, added] = by_key_.emplace(key, flight);
      if (!added) return it->second;
    }
    transmissions_.emplace(flight.transmission_id, flight);
    return std::nullopt;
  }
  void leave(const std::string& key, const std::string& transmission_id) {
    const MutexLock lock(mutex_);
    if (!key.empty()) by_key_.erase(key);
    transmissions_.erase(transmission_id);
    ++landed_;
  }
  // How many have left: as long as it stays, whatever the store said of them still holds.
  uint64_t landed() const {
    const MutexLock lock(mutex_);
    return landed_;
  }
  bool has(const std::string& transmission_id) const { return find(transmission_id).has_value(); }
  std::optional<Flight> find(const std::string& transmission_id) const {
    const MutexLock lock(mutex_);
    const auto it = transmissions_.find(transmission_id);
    return it == transmissions_.end() ? std::nullopt : std::optional(it->second);
  }

 private:
  mutable Mutex mutex_;
  std::map<std::string, Flight> by_key_ HOLDFAST_GUARDED_BY(mutex_);
  std::map<std::string, Flight> transmissions_ HOLDFAST_GUARDED_BY(mutex_);
  uint64_t landed_ HOLDFAST_GUARDED_BY(mutex_) = 0;
};

}  // namespace holdfast::service::chat
