// The MCP server behind standard input and output: one client, lines instead of requests, no
// headers. Requests run side by side; what needs no waiting is answered by the thread that read it,
// so cancellations and answers of the client are never stuck behind work.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/worker_pool.h"
#include "mcp/modern_era.h"
#include "mcp/server.h"
#include "mcp/session_era.h"

namespace holdfast::mcp {

class StdioServer {
 public:
  using Write = std::function<void(const Value& message)>;  // thread-safe

  // `call` is who the client is; each request gets a deadline and an id of its own.
  StdioServer(ServerParts parts, CallContext call, Write write);
  ~StdioServer();
  StdioServer(const StdioServer&) = delete;
  StdioServer& operator=(const StdioServer&) = delete;

  // One line of input; from one thread. Waits when very many requests are under way.
  void line(std::string_view text);
  // A line that was longer than the limit.
  void line_too_long();

  // The input has ended: lets requests finish for `grace`, cancels the rest, ends subscriptions.
  // Returns when nothing more will be written, or `grace` has passed twice.
  void finish(std::chrono::milliseconds grace);

 private:
  void message(const Message& message);
  void batch(const Value::Array& elements);
  void request(const Message& message);
  void initialize(const Message& message);
  void notification(const Message& message);
  void modern_request(const Message& message);
  void listen(const Message& message);
  Answer batch_element(const CallContext& call, const Value& element);

  CallContext next_call();
  void say(const Answer& answer);
  // On the thread that read it, or on a worker where it may take long.
  void run(const std::string& method, std::function<void()> work);
  bool wait_idle(Deadline deadline);

  const ServerParts parts_;
  const CallContext call_;
  const Write write_;
  const Methods methods_;
  const ModernEra modern_;
  const SessionEra session_era_;
  const std::shared_ptr<Session> session_;  // shared with the requests that run in it
  int64_t last_call_ = 0;                   // of the reading thread
  Mutex mutex_;
  CondVar idle_;
  size_t running_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  std::vector<Answer> subscriptions_ HOLDFAST_GUARDED_BY(mutex_);
  WorkerPool workers_;  // last: its threads use everything above
};

}  // namespace holdfast::mcp
