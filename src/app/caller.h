// How a command reaches the memory: over HTTP's own words, whoever owns the data folder. If a
// server (or another command) owns it, the call goes through the folder's socket; otherwise this
// process becomes the owner for as long as the command takes.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/value.h"

namespace holdfast::app {

struct OutgoingCall {
  std::string method = "GET";
  std::string target = {};  // path and query
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  // For answers that are event streams: the data of each event, as it comes. A call that is sent
  // again begins again. Without it such an answer is a body like any other.
  std::function<void(const std::string& data)> on_event = {};
  // Asked now and then; true gives the call up (kUnavailable).
  std::function<bool()> is_cancelled = {};
};

struct IncomingAnswer {
  int status = 0;
  std::string body = {};
};

// Thread-safe.
class Caller {
 public:
  virtual ~Caller() = default;
  // An answer of any status; errors are failures to get one.
  virtual Result<IncomingAnswer> call(const OutgoingCall& call) = 0;
};

// The body of a 2xx answer as a Value; otherwise an Error with the server's own message.
Result<Value> call_json(Caller& caller, const OutgoingCall& call);

// Percent-encodes everything but letters, digits and -._~
std::string encode_component(std::string_view text);

}  // namespace holdfast::app
