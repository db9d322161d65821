// The client of one request, as the tool, resource or prompt that answers it sees it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/value.h"

namespace holdfast::mcp {

// In order of growing weight.
enum class LogLevel : uint8_t {
  kDebug,
  kInfo,
  kNotice,
  kWarning,
  kError,
  kCritical,
  kAlert,
  kEmergency,
};

struct Progress {
  double done = 0;  // must grow from one report to the next; a report that does not is dropped
  std::optional<double> total = {};
  std::string message = {};
};

// Lives as long as its request. Used by the thread that runs the request, cancelled() by any.
class Client {
 public:
  virtual ~Client() = default;

  // True once nobody waits for the answer any more. Long work asks between its steps, undoes what
  // is not committed and returns anything: no answer is sent.
  virtual bool cancelled() const = 0;
  // Waits; false at once when the request is cancelled meanwhile.
  virtual bool pause(std::chrono::milliseconds time) = 0;

  // Reaches the client only if it asked for progress; sent at most ten times a second, the last
  // report always. Cheap: call it as often as there is something to say.
  virtual void progress(const Progress& report) = 0;
  // Reaches the client only if logging is offered and the level is one it asked for.
  virtual void log(LogLevel level, Value data) = 0;

  // Whether the client declared a capability: "elicitation", "sampling", "roots".
  virtual bool can(std::string_view capability) const = 0;
  // 2026-07-28 and later: input comes in rounds (registry.h, InputRound), ask() has no use.
  virtual bool is_modern() const = 0;

  // Session era only: a request to the client ("elicitation/create"), on the stream of this call.
  // Its result, or an error whose message can be shown: no such capability, refused by the client,
  // no answer within a minute, cancelled.
  virtual Result<Value> ask(std::string_view method, Value params) = 0;

  // Modern era: what the client answered to an input request of an earlier round; nullptr if it did
  // not.
  virtual const Value* input(std::string_view key) const = 0;
  // Modern era: the state that the earlier round gave (its signature and origin are checked); null
  // in a first round.
  virtual const Value& state() const = 0;
};

}  // namespace holdfast::mcp
