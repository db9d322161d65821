// Replies as the bytes of HTTP/1.1.
#pragma once

#include <string>

#include "http/reply.h"

namespace holdfast::http {

struct HeadOptions {
  bool keep_alive = true;
  int http_minor = 1;
  bool chunked = false;  // an event stream; no Content-Length then
};

// Status line and headers up to the empty line. Control characters in header values become spaces,
// so that no value can begin a header of its own.
void append_head(std::string& out, const Reply& reply, const HeadOptions& options);

// One chunk of a chunked body.
void append_chunk(std::string& out, std::string_view data);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace holdfast::http
