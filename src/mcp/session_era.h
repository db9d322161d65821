// Requests of the revisions that begin with a handshake: 2024-11-05 to 2025-11-25.
#pragma once

#include <memory>

#include "mcp/answer.h"
#include "mcp/encode.h"
#include "mcp/methods.h"
#include "mcp/outlet.h"
#include "mcp/session.h"

namespace holdfast::mcp {

struct SessionRequest {
  const CallContext& call;
  const Message& message;
  const std::shared_ptr<Session>& session;
  Outlet& outlet;
  // Begun in the session's in_flight() by whoever read the message, before anything that the client
  // sent later is looked at: so a cancellation always finds its request.
  std::shared_ptr<Cancellation> cancellation;
};

// Thread-safe. Everything outlives it.
class SessionEra {
 public:
  SessionEra(const Registry& registry, const Methods& methods, Changes& changes,
             const Identity& identity)
      : registry_(registry), methods_(methods), changes_(changes), identity_(identity) {}

  // The handshake: nothing if the params are right (begin() then opens the session).
  std::optional<RpcError> check_initialize(const Message& message) const;
  Answer begin(const Message& message, Session& session) const;

  // A request inside an open session; it is then no longer in flight.
  Answer request(const SessionRequest& request) const;
  void notification(const Message& message, Session& session) const;

  // The standing stream of a session, which replaces an older one.
  std::shared_ptr<Subscription> open_stream(const std::shared_ptr<Session>& session) const;

 private:
  using Function = Outcome<Value> (SessionEra::*)(const SessionRequest&) const;

  Function find(const std::string& method) const;
  Outcome<Value> dispatch(const SessionRequest& request) const;
  Outcome<Value> ping(const SessionRequest& request) const;
  Outcome<Value> subscribe(const SessionRequest& request) const;
  Outcome<Value> unsubscribe(const SessionRequest& request) const;
  Outcome<Value> set_level(const SessionRequest& request) const;

  const Registry& registry_;
  const Methods& methods_;
  Changes& changes_;
  const Identity& identity_;
};

}  // namespace holdfast::mcp
