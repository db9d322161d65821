// The MCP server behind standard input and output: one client, lines instead of requests, no
// headers. What needs no waiting is answered at once; the rest is given back as work for any
// thread, so that cancellations and answers of the client are never stuck behind it (base/turns.h).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "mcp/modern_era.h"
#include "mcp/server.h"
#include "mcp/session_era.h"

namespace holdfast::mcp {

class StdioServer {
 public:
  using Write = std::function<void(const Value& message)>;  // thread-safe
  using Last = std::function<void()>;                       // writes the answer
  using Work = std::function<Last()>;

  // `call` is who the client is; each request gets a deadline, and an id that begins like that of
  // `call`.
  StdioServer(ServerParts parts, CallContext call, Write write);
  ~StdioServer();
  StdioServer(const StdioServer&) = delete;
  StdioServer& operator=(const StdioServer&) = delete;

  // One line of input, one after the other. What is returned, if anything, may take long and is run
  // once, by any thread; what that returns in turn answers the line. Waits when very many requests
  // are under way.
  [[nodiscard]] Work line(std::string_view text);
  // A line that was longer than the limit.
  void line_too_long();

  // The input has ended: lets requests finish for `grace`, cancels the rest, ends subscriptions.
  // Returns when nothing more will be written, or `grace` has passed twice.
  void finish(std::chrono::milliseconds grace);

 private:
  Work message(Message message);
  Work batch(Value::Array elements);
  Work request(Message message);
  void initialize(const Message& message);
  void notification(const Message& message);
  Work modern_request(Message message);
  void listen(const Message& message);
  Answer batch_element(const CallContext& call, const Value& element);

  CallContext next_call();
  void say(const Answer& answer);
  Last say_last(Answer answer);
  // Does the work, or where it may take long, gives it back, counted as under way.
  Work run(const std::string& method, Work work);
  bool wait_idle(Deadline deadline);

  const ServerParts parts_;
  const CallContext call_;
  const Write write_;
  const Methods methods_;
  const ModernEra modern_;
  const SessionEra session_era_;
  const std::shared_ptr<Session> session_;  // shared with the requests that run in it
  int64_t last_call_ = 0;                   // of the lines
  Mutex mutex_;
  CondVar idle_;
  size_t running_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  std::vector<Answer> subscriptions_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::mcp
