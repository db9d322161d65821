// Messages of /mcp as server-sent events.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "http/event_stream.h"
#include "http/request.h"
#include "mcp/answer.h"
#include "mcp/outlet.h"

namespace holdfast::surface::mcp {

http::Event message_event(const Value& message);

// The answer to one POST: JSON, unless something must be said before, which makes it a stream.
class EventOutlet : public holdfast::mcp::Outlet {
 public:
  EventOutlet(http::Request& request, bool takes_stream)
      : request_(request), takes_stream_(takes_stream) {}
  // Ends a stream that was begun, whatever happened since.
  ~EventOutlet() override;
  EventOutlet(const EventOutlet&) = delete;
  EventOutlet& operator=(const EventOutlet&) = delete;

  bool send(const Value& message) override;
  bool is_lost() const override;

  bool is_streaming() const { return queue_ != nullptr; }
  // Sends the answer as the last event; a null body is none.
  void send_last(const Value& body);

 private:
  bool open();

  http::Request& request_;
  bool takes_stream_;
  std::shared_ptr<http::EventQueue> queue_;  // shared with the session that sends
};

// A stream that stays open: a subscription or a session's.
std::shared_ptr<http::EventSource> standing_events(const holdfast::mcp::Answer& answer);

}  // namespace holdfast::surface::mcp
