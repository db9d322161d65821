// One request as handlers see it. Owned by one thread at a time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/reply.h"
#include "model/value.h"
#include "wire/headers.h"
#include "wire/object_shape.h"
#include "wire/query_string.h"

namespace holdfast::http {

struct Request {
  std::string method = {};  // GET, HEAD, POST, ... as sent
  std::string target = {};  // as sent
  std::string path = {};    // as sent, without the query: still percent-encoded
  wire::QueryString query = {};
  std::vector<wire::PathParameter> path_parameters = {};  // decoded; set by the router
  wire::Headers headers = {};
  std::string body = {};
  std::optional<Value> json = {};  // the body, where the route takes JSON and one was sent
  std::string peer_address = {};   // 127.0.0.1, ::1, unix, in-process
  bool local_process = false;      // through the data folder's own socket, or inside this process
  bool body_too_large = false;     // the session stopped reading; `body` is empty
  int http_minor = 1;

  // Begins the answer as an event stream while the handler still runs: for answers that become a
  // stream by the first thing to say before the result. The handler goes on pushing into the
  // reply's source, finishes it, and returns a Reply with already_streaming. False if no stream can
  // be had (too many; or the caller is in-process): answer without. Call at most once.
  std::function<bool(Reply)> start_stream = {};
  // Whether the client has closed the connection; for handlers that work long. Costs a system call.
  // Only while the handler runs; empty without a connection.
  std::function<bool()> is_connection_lost = {};

  // A path parameter's value; an empty text if there is none of that name. Points into this object.
  std::string_view path_parameter(std::string_view name) const;
};

// Sets target, path and query. Accepts `/path?query`, also behind `http://host`.
void set_target(Request& request, std::string target);

// A request that no socket carried, as the command line makes it: trusted like a local process.
Request make_request(std::string method, std::string target, std::string body = {},
                     wire::Headers headers = {});

}  // namespace holdfast::http
