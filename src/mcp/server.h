// The MCP server behind HTTP's /mcp: eras, sessions and methods, without a socket. What only HTTP
// knows (Host, authorization, media types, event streams) is the carrier's; stdio has its own front
// in stdio_server.h.
#pragma once

#include <string_view>

#include "base/clock.h"
#include "mcp/answer.h"
#include "mcp/modern_era.h"
#include "mcp/session_era.h"
#include "mcp/session_table.h"
#include "model/call_context.h"
#include "wire/headers.h"

namespace holdfast::mcp {

// What both fronts are made of; everything outlives them.
struct ServerParts {
  const Registry& registry;
  Changes& changes;
  Identity identity;
  const Clock& clock;
};

struct PostRequest {
  const CallContext& call;
  std::string_view body;
  const wire::Headers& headers;
  Outlet& outlet;
  bool takes_stream = true;  // the client accepts text/event-stream
};

// Thread-safe.
class Server {
 public:
  explicit Server(ServerParts parts);

  Answer post(const PostRequest& request);
  // The standing stream of a session; the answer has `stream`.
  Answer get(const CallContext& call, const wire::Headers& headers);
  Answer remove(const CallContext& call, const wire::Headers& headers);

  // The program is about to stop: requests that wait for their client end now.
  void stop_waiting() { sessions_.stop_asking(); }
  size_t sessions() const { return sessions_.size(); }

 private:
  Answer one(const PostRequest& request, const Message& message);
  Answer batch(const PostRequest& request, const Value::Array& elements);
  Answer batch_element(const PostRequest& request, const Value& element,
                       const std::shared_ptr<Session>& session);
  Answer initialize(const PostRequest& request, const Message& message);
  Answer in_session(const PostRequest& request, const Message& message,
                    const std::shared_ptr<Session>& session);
  // The session that the headers name, or the refusal.
  Outcome<std::shared_ptr<Session>> session_of(const CallContext& call,
                                               const wire::Headers& headers);

  const ServerParts parts_;
  const Methods methods_;
  const ModernEra modern_;
  const SessionEra session_era_;
  SessionTable sessions_;
};

}  // namespace holdfast::mcp
