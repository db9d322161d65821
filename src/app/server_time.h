// Time after a start. The store may know later times than the system: from a test clock that was
// moved, or from before the system's was set back.
#pragma once

#include <algorithm>

#include "base/clock.h"
#include "model/call_context.h"
#include "storage/store.h"

namespace holdfast::app {

// Where a clock that is behind the newest write goes on: a moment later, since ids are made while a
// write is under way. A test clock is moved there. 1970 if the clock is not behind, or if the store
// takes no writes (it may still be read).
Timestamp resume_time(storage::Store& store, const CallContext& call, Clock& clock);

// Another clock, but never before a time. That clock outlives it.
class LaterClock : public Clock {
 public:
  LaterClock(const Clock& clock, Timestamp earliest) : clock_(clock), earliest_(earliest) {}
  Timestamp now() const override { return std::max(clock_.now(), earliest_); }

 private:
  const Clock& clock_;
  const Timestamp earliest_;
};

}  // namespace holdfast::app
