// How a command reaches the memory: over HTTP's own words, whoever owns the data folder. If a
// server (or another command) owns it, the call goes through the folder's socket; otherwise this
// process becomes the owner for as long as the command takes. Calls that are made very often do
// without those words where this process is the owner.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/value.h"

namespace holdfast::app {

class Engine;

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

  // One call in two shapes. Where this process owns the folder, `here` is run with its engine;
  // `key` is the call's Idempotency-Key if another process may have carried it out before it went,
  // else empty. Otherwise what `there` makes goes through the socket.
  struct TwoShapes {
    std::function<void(Engine& engine, const std::string& key)> here;
    std::function<OutgoingCall()> there;  // asked at most once
  };
  // The answer of the other process; nothing if `here` was run.
  virtual Result<std::optional<IncomingAnswer>> call(const TwoShapes& call) = 0;
};

// The body of a 2xx answer as a Value; otherwise an Error with the server's own message.
Result<Value> call_json(Caller& caller, const OutgoingCall& call);

// Percent-encodes everything but letters, digits and -._~
std::string encode_component(std::string_view text);

}  // namespace holdfast::app
