#include "app/in_process_call.h"

#include <memory>
#include <vector>

#include "base/mutex.h"

namespace holdfast::app {
namespace {

// Passes on what a stream says, as soon as it is said. Thread-safe: wakes come from any thread.
// Shared with the stream, which may outlive the call.
class StreamListener {
 public:
  explicit StreamListener(std::function<void(const std::string&)> on_event)
      : on_event_(std::move(on_event)) {}

  void drain(http::EventSource& source) {
    MutexLock lock(mutex_);
    if (over_) return;
    http::EventSource::Pull more = http::EventSource::Pull::kMore;
    while (more == http::EventSource::Pull::kMore) {
      std::vector<http::Event> events;
      more = source.pull(events);
      for (const http::Event& event : events) on_event_(event.data);
    }
  }

  void stop() {
    MutexLock lock(mutex_);
    over_ = true;
  }

 private:
  const std::function<void(const std::string&)> on_event_;
  Mutex mutex_;
  bool over_ HOLDFAST_GUARDED_BY(mutex_) = false;
};

}  // namespace

Result<IncomingAnswer> in_process_call(const http::Pipeline& pipeline, const OutgoingCall& call) {
  wire::Headers headers;
  for (const auto& [name, value] : call.headers) headers.add(name, value);
  http::Request request = http::make_request(call.method, call.target, call.body, headers);
  request.is_connection_lost = call.is_cancelled;
  std::shared_ptr<http::EventSource> source;
  std::shared_ptr<StreamListener> listener;
  if (call.on_event) {
    listener = std::make_shared<StreamListener>(call.on_event);
    request.start_stream = [&source, listener](const http::Reply& reply) {
      source = reply.events;
      source->set_wake([listener, weak = std::weak_ptr(source)] {
        if (const auto held = weak.lock()) listener->drain(*held);
      });
      return true;
    };
  }
  http::Reply reply = pipeline.handle(std::move(request));
  if (source) {
    listener->drain(*source);
    listener->stop();
    source->closed();
  }
  return IncomingAnswer{.status = reply.status, .body = std::move(reply.body)};
}

}  // namespace holdfast::app
