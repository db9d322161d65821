// What a handler gives back: a body, or a stream of events.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "http/event_stream.h"
#include "wire/dialect.h"
#include "wire/headers.h"

namespace holdfast::http {

struct Reply {
  int status = 200;
  wire::Headers headers = {};  // Content-Length, Connection and Date are the server's
  std::string body = {};
  // An event stream; the body is then unused. Shared by the session that sends and whoever
  // produces.
  std::shared_ptr<EventSource> events = {};
  // The handler already answered through Request::start_stream.
  bool already_streaming = false;
};

Reply reply_of(wire::Answer answer);
Reply text_reply(int status, std::string content_type, std::string body);
Reply event_reply(std::shared_ptr<EventSource> events);

// "Not Found" and the like; an empty text for unknown codes.
std::string_view status_text(int status);

}  // namespace holdfast::http
