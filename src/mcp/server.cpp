#include "mcp/server.h"

#include <utility>

#include <fmt/format.h>

#include "mcp/mirrored.h"
#include "mcp/protocol.h"

namespace holdfast::mcp {
namespace {

std::string version_header(const wire::Headers& headers) {
  return single_header(headers, header::kProtocolVersion).value_or("");
}

std::optional<std::string> session_header(const wire::Headers& headers) {
  return single_header(headers, header::kSessionId);
}

RpcError no_batches() {
  return invalid_request("Several messages at once are only taken in a session of 2025-03-26.");
}

}  // namespace

Server::Server(ServerParts parts)
    : parts_(std::move(parts)),
      methods_(parts_.registry, parts_.clock),
      modern_(parts_.registry, methods_, parts_.changes, parts_.identity),
      session_era_(parts_.registry, methods_, parts_.changes, parts_.identity),
      sessions_(parts_.clock, kMaxSessions) {}

// JSON → batch → shape → era.
Answer Server::post(const PostRequest& request) {
  auto json = read_json_text(request.body);
  if (!json) return Answer::failure({}, json.error());
  if (const auto* elements = json->if_array()) return batch(request, *elements);
  const auto message = read_message(std::move(*json));
  if (!message) return Answer::failure(message.error().id, message.error().error);
  return one(request, *message);
}

Answer Server::one(const PostRequest& request, const Message& message) {
  if (is_modern_message(message, version_header(request.headers))) {
    if (message.kind == Message::Kind::kNotification) return Answer::accepted();
    if (message.kind == Message::Kind::kResponse) {
      return Answer::failure({}, invalid_request("Modern clients are never asked by messages."));
    }
    return modern_.answer({.call = request.call,
                           .message = message,
                           .headers = &request.headers,
                           .outlet = request.outlet,
                           .cancellation = std::make_shared<Cancellation>(),
                           .takes_stream = request.takes_stream});
  }
  const bool is_request = message.kind == Message::Kind::kRequest;
  if (is_request && message.method == "initialize") return initialize(request, message);
  const auto session = session_of(request.call, request.headers);
  if (!session) return Answer::failure(is_request ? message.id : Value(), session.error());
  return in_session(request, message, *session);
}

Answer Server::initialize(const PostRequest& request, const Message& message) {
  const auto given = session_header(request.headers);
  if (given && sessions_.find(*given, request.call.principal)) {
    return Answer::failure(message.id, invalid_request("This session has begun already."));
  }
  if (const auto error = session_era_.check_initialize(message))
    return Answer::failure(message.id, *error);
  const auto session = sessions_.create(request.call.principal);
  Answer answer = session_era_.begin(message, *session);
  answer.session_id = session->id();
  return answer;
}

Answer Server::in_session(const PostRequest& request, const Message& message,
                          const std::shared_ptr<Session>& session) {
  switch (message.kind) {
    case Message::Kind::kRequest:
      return session_era_.request({.call = request.call,
                                   .message = message,
                                   .session = session,
                                   .outlet = request.outlet,
                                   .cancellation = session->in_flight().begin(id_key(message.id))});
    case Message::Kind::kNotification:
      session_era_.notification(message, *session);
      return Answer::accepted();
    case Message::Kind::kResponse: session->deliver(message); return Answer::accepted();
  }
  return Answer::accepted();
}

Outcome<std::shared_ptr<Session>> Server::session_of(const CallContext& call,
                                                     const wire::Headers& headers) {
  const auto id = session_header(headers);
  if (!id) {
    return fail(invalid_request(
        "Begin with 'initialize' and send its Mcp-Session-Id, or send modern request metadata."));
  }
  auto session = sessions_.find(*id, call.principal);
  if (!session) return fail(invalid_request("There is no such session; begin a new one.", 404));
  const std::string version = version_header(headers);
  if (headers.has(header::kProtocolVersion) && !session_revision(version)) {
    return fail(invalid_request("The header MCP-Protocol-Version names no revision served here."));
  }
  return session;
}

Answer Server::batch(const PostRequest& request, const Value::Array& elements) {
  const bool modern = names_modern_era(version_header(request.headers));
  const auto session = modern ? fail(no_batches()) : session_of(request.call, request.headers);
  const auto revision = session ? (*session)->revision() : std::nullopt;
  if (!revision || !has_batches(*revision)) return Answer::failure({}, no_batches());
  if (elements.empty())
    return Answer::failure({}, invalid_request("A batch needs at least one message."));
  Value responses = Value::array();
  for (size_t i = 0; i < elements.size(); ++i) {
    // Each call of a batch is a call of its own to whoever remembers keys.
    CallContext call = request.call;
    if (!call.idempotency_key.empty()) call.idempotency_key += fmt::format("#{}", i);
    ClosedOutlet nowhere;
    const PostRequest part{
        .call = call, .body = {}, .headers = request.headers, .outlet = nowhere};
    Answer answer = batch_element(part, elements[i], *session);
    if (!answer.body.is_null()) responses.push(std::move(answer.body));
  }
  if (responses.if_array()->empty()) return Answer::accepted();
  return {.body = std::move(responses)};
}

Answer Server::batch_element(const PostRequest& request, const Value& element,
                             const std::shared_ptr<Session>& session) {
  const auto message = read_message(element);
  if (!message) return Answer::failure(message.error().id, message.error().error);
  const bool is_request = message->kind == Message::Kind::kRequest;
  if (is_request && (message->method == "initialize" || is_modern_message(*message, {}))) {
    return Answer::failure(message->id,
                           invalid_request("This message cannot be part of a batch."));
  }
  return in_session(request, *message, session);
}

Answer Server::get(const CallContext& call, const wire::Headers& headers) {
  const auto session = session_of(call, headers);
  if (!session) return Answer::failure({}, session.error());
  return {.stream = session_era_.open_stream(*session)};
}

Answer Server::remove(const CallContext& call, const wire::Headers& headers) {
  const auto session = session_of(call, headers);
  if (!session) return Answer::failure({}, session.error());
  sessions_.remove((*session)->id(), call.principal);
  return {.status = 204};
}

}  // namespace holdfast::mcp
