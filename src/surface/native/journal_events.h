// The journal as server-sent events: what is there after Last-Event-ID, then what comes.
#pragma once

#include <functional>
#include <memory>

#include "http/event_stream.h"
#include "model/call_context.h"
#include "service/native/event_hub.h"
#include "service/native/object_service.h"

namespace holdfast::surface::native {

// Each event: id = journal position, event = the action, data = the journal entry as JSON. A stream
// outlives the call that began it: it has no deadline, and asks before every batch whether its
// caller may still be served.
class JournalEvents : public http::EventSource {
 public:
  using StillAllowed = std::function<bool()>;

  JournalEvents(CallContext call, JournalPosition after, StillAllowed still_allowed,
                service::ObjectService& objects, service::EventHub& hub);

  Pull pull(std::vector<http::Event>& out) override;
  void set_wake(std::function<void()> wake) override;
  void stop() override;
  void closed() override;

 private:
  CallContext call_;  // only pull() changes it, one at a time
  const StillAllowed still_allowed_;
  service::ObjectService& objects_;
  service::EventHub& hub_;
  JournalPosition after_;  // only pull() touches it, one at a time
  std::atomic<bool> stopped_ = false;
  Mutex mutex_;
  std::function<void()> wake_ HOLDFAST_GUARDED_BY(mutex_);
  int64_t subscription_ HOLDFAST_GUARDED_BY(mutex_) = 0;
};

}  // namespace holdfast::surface::native
