// Server-sent events. A handler answers with a source; the session pulls from it whenever the
// reader has taken what was sent before, so a slow reader holds no memory but its own batch, and no
// thread waits for a stream.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "base/mutex.h"

namespace holdfast::http {

struct Event {
  std::string id = {};     // what a client sends back as Last-Event-ID; left out if empty
  std::string event = {};  // the event's name; left out if empty
  std::string data = {};   // may have several lines
  int64_t retry =
      0;  // milliseconds after which a client that lost the stream comes back; 0: its own
};

// Appends the event in the form of text/event-stream. Line breaks in id and event are dropped.
void append_event(std::string& out, const Event& event);

// Thread-safe: pull comes from workers (one at a time), the rest from anywhere.
class EventSource {
 public:
  enum class Pull {
    kMore,  // there is more at once
    kWait,  // nothing more until `wake`
    kEnd,   // these were the last
  };

  virtual ~EventSource() = default;

  // Appends some events that are ready, oldest first; a batch of bounded size. May read from
  // storage, must not wait.
  virtual Pull pull(std::vector<Event>& out) = 0;
  // Called once before the first pull. `wake` is cheap, callable from any thread, also after the
  // stream has ended.
  virtual void set_wake(std::function<void()> wake) = 0;
  // The server shuts down: say good-bye if there is something to say, then answer kEnd.
  virtual void stop() = 0;
  // The stream is over: the reader went, was too slow, or everything was sent. Called once, after
  // the last pull.
  virtual void closed() = 0;
};

// A source that others push into. Thread-safe.
class EventQueue : public EventSource {
 public:
  // A reader that is more than `max_bytes` behind is disconnected.
  explicit EventQueue(size_t max_bytes = size_t{1} << 20U) : max_bytes_(max_bytes) {}

  // False when the event will not be sent because the stream is over or the reader too slow: stop
  // producing.
  bool push(Event event);
  // Ends the stream after what was pushed so far.
  void finish();
  bool is_closed() const;
  // Runs `listener` once when the stream is over; at once if it is already.
  void on_closed(std::function<void()> listener);

  Pull pull(std::vector<Event>& out) override;
  void set_wake(std::function<void()> wake) override;
  void stop() override { finish(); }
  void closed() override;

 private:
  const size_t max_bytes_;
  mutable Mutex mutex_;
  std::deque<Event> events_ HOLDFAST_GUARDED_BY(mutex_);
  size_t bytes_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  bool finished_ HOLDFAST_GUARDED_BY(mutex_) = false;
  bool closed_ HOLDFAST_GUARDED_BY(mutex_) = false;
  std::function<void()> wake_ HOLDFAST_GUARDED_BY(mutex_);
  std::vector<std::function<void()>> listeners_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::http
