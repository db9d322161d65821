// Snapshots as server-sent events: one at once, then one a beat. No thread waits for a reader.
#pragma once

#include <atomic>
#include <functional>

#include "base/mutex.h"
#include "base/result.h"
#include "http/event_stream.h"
#include "model/value.h"
#include "surface/continuity/ui/pulse.h"

namespace holdfast::surface::continuity::ui {

class SnapshotEvents : public http::EventSource {
 public:
  // `make` and `pulse` outlive the stream. A snapshot that cannot be made ends it; the reader comes
  // back by itself.
  SnapshotEvents(std::function<Result<Value>()> make, Pulse& pulse)
      : make_(std::move(make)), pulse_(pulse) {}

  Pull pull(std::vector<http::Event>& out) override;
  void set_wake(std::function<void()> wake) override;
  void stop() override;
  void closed() override;

 private:
  const std::function<Result<Value>()> make_;
  Pulse& pulse_;
  std::atomic<bool> due_ = true;
  std::atomic<bool> stopped_ = false;
  Mutex mutex_;
  std::function<void()> wake_ HOLDFAST_GUARDED_BY(mutex_);
  int64_t subscription_ HOLDFAST_GUARDED_BY(mutex_) = 0;
};

}  // namespace holdfast::surface::continuity::ui
