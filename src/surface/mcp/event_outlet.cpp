#include "surface/mcp/event_outlet.h"

#include <utility>

#include "model/json_text.h"

namespace holdfast::surface::mcp {
namespace {

// The result of a call is one event, however large; notices before it are few.
constexpr size_t kCallStreamBytes = size_t{64} << 20U;

// A shutting down server lets the call finish, which ends its stream.
class CallEvents : public http::EventQueue {
 public:
  CallEvents() : http::EventQueue(kCallStreamBytes) {}
  void stop() override {}
};

class StandingEvents : public http::EventQueue {
 public:
  explicit StandingEvents(const holdfast::mcp::Answer& answer)
      : stream_(answer.stream), farewell_(answer.farewell) {}

  // The server shuts down.
  void stop() override {
    if (stream_->is_open()) {
      stream_->close();
      for (const Value& message : farewell_) push(message_event(message));
    }
    finish();
  }

  void closed() override {
    http::EventQueue::closed();
    stream_->close();
  }

 private:
  const std::shared_ptr<holdfast::mcp::Subscription> stream_;
  const std::vector<Value> farewell_;
};

}  // namespace

http::Event message_event(const Value& message) {
  return {.event = "message", .data = to_json(message)};
}

EventOutlet::~EventOutlet() {
  if (queue_) queue_->finish();
}

bool EventOutlet::send(const Value& message) {
  return (queue_ || open()) && queue_->push(message_event(message));
}

bool EventOutlet::open() {
  if (!takes_stream_ || !request_.start_stream) return false;
  takes_stream_ = false;  // one attempt
  auto queue = std::make_shared<CallEvents>();
  if (!request_.start_stream(http::event_reply(queue))) return false;
  queue_ = std::move(queue);
  return true;
}

bool EventOutlet::is_lost() const {
  if (queue_ && queue_->is_closed()) return true;
  return request_.is_connection_lost && request_.is_connection_lost();
}

void EventOutlet::send_last(const Value& body) {
  if (!body.is_null()) queue_->push(message_event(body));
}

std::shared_ptr<http::EventSource> standing_events(const holdfast::mcp::Answer& answer) {
  auto events = std::make_shared<StandingEvents>(answer);
  const std::weak_ptr<StandingEvents> weak = events;
  answer.stream->attach(
      [weak](const Value& message) {
        if (const auto held = weak.lock()) held->push(message_event(message));
      },
      [weak] {
        if (const auto held = weak.lock()) held->finish();
      });
  return events;
}

}  // namespace holdfast::surface::mcp
