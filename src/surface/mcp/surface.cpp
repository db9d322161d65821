#include "surface/mcp/surface.h"

#include "http/host_policy.h"
#include "http/pipeline.h"
#include "http/route_table.h"
#include "http/steps.h"
#include "mcp/protocol.h"
#include "model/json_text.h"
#include "surface/mcp/dialect.h"
#include "surface/mcp/event_outlet.h"
#include "surface/mcp/media.h"
#include "wire/transport.h"

namespace holdfast::surface::mcp {
namespace {

using holdfast::mcp::Answer;
using http::Exchange;
using http::Reply;

constexpr const char* kPath = "/mcp";
constexpr const char* kAllow = "POST, GET, DELETE";

Reply not_allowed(const Exchange& exchange) {
  return exchange.refuse(wire::transport_error(
      ErrorCode::kInvalidArgument, wire::reason::kMethodNotAllowed,
      "Send messages by POST; GET and DELETE need the header Mcp-Session-Id."));
}

// POST, or GET and DELETE of a session.
std::optional<Reply> check_method(Exchange& exchange) {
  const std::string& method = exchange.request.method;
  const bool of_session = method == "GET" || method == "DELETE";
  const bool has_session = exchange.request.headers.has(holdfast::mcp::header::kSessionId);
  if (method == "POST" || method == "OPTIONS" || (of_session && has_session)) return std::nullopt;
  return not_allowed(exchange);
}

// Tokens belong into the header: what is in a URL ends up in logs.
std::optional<Reply> check_query_token(Exchange& exchange) {
  if (exchange.call.local_owner || exchange.request.query.find("access_token") == nullptr)
    return std::nullopt;
  return exchange.refuse(Error{.code = ErrorCode::kUnauthenticated,
                               .reason = std::string(access::reason::kTokenMalformed),
                               .message = "Send the token as 'Authorization: Bearer <token>', not "
                                          "in the query."});
}

std::optional<Reply> check_accept(Exchange& exchange) {
  const Accepted accepted = accepted_types(exchange.request.headers);
  const std::string& method = exchange.request.method;
  const bool good = method == "GET"    ? accepted.names_stream
                    : method == "POST" ? accepted.json || accepted.stream
                                       : true;
  if (good) return std::nullopt;
  return exchange.refuse(wire::transport_error(
      ErrorCode::kInvalidArgument, wire::reason::kNotAcceptable,
      "Accept application/json and text/event-stream; a standing stream needs the latter."));
}

// 1 to 255 visible characters; anything else is no key.
std::optional<Reply> keep_idempotency_key(Exchange& exchange) {
  std::string& key = exchange.call.idempotency_key;
  bool good = key.size() <= 255;
  for (const char c : key) good = good && c > 0x20 && c < 0x7f;
  if (!good) key.clear();
  return std::nullopt;
}

class McpSurface : public Surface {
 public:
  McpSurface(http::Router& router, holdfast::mcp::Server& server) : server_(server) {
    mount_.name = "mcp";
    mount_.prefixes = {kPath};
    mount_.dialect = &dialect_;
    mount_.body_limit = holdfast::mcp::kMaxMessageBytes;
    mount_.time_limit = holdfast::mcp::kCallLimit;
    // The order of the contract's section 3; JSON is read by the server itself.
    mount_.steps = {check_method,          http::step::authenticate,       check_query_token,
                    keep_idempotency_key,  http::step::check_body_size,    http::step::set_deadline,
                    http::step::require_media_type, check_accept};
    http::RouteTable routes(router, mount_);
    routes.exchange("POST", kPath, {.json_body = true},
                    [this](Exchange& exchange) { return post(exchange); },
                    {.name = "message",
                     .summary = "One message of the Model Context Protocol.",
                     .body_schema = Value::object({{"type", "object"}}),
                     .body_required = true,
                     .needs_token = true});
    routes.exchange("GET", kPath, {.json_body = false}, [this](Exchange& exchange) {
      return reply_of(server_.get(exchange.call, exchange.request.headers));
    });
    routes.exchange("DELETE", kPath, {.json_body = false}, [this](Exchange& exchange) {
      return reply_of(server_.remove(exchange.call, exchange.request.headers));
    });
    routes.exchange("OPTIONS", kPath, {.json_body = false, .auth = http::AuthNeed::kNone},
                    preflight);
  }

 private:
  Reply post(Exchange& exchange) {
    const Accepted accepted = accepted_types(exchange.request.headers);
    EventOutlet outlet(exchange.request, accepted.stream);
    Answer answer = server_.post({.call = exchange.call,
                                  .body = exchange.request.body,
                                  .headers = exchange.request.headers,
                                  .outlet = outlet,
                                  .takes_stream = accepted.names_stream});
    // A client that takes nothing but streams gets even a lone answer as one.
    if (!accepted.json && !outlet.is_streaming() && answer.status == 200 && !answer.stream &&
        outlet.send(answer.body)) {
      answer.body = Value();
    }
    if (!outlet.is_streaming()) return reply_of(answer);
    outlet.finish(answer.body);
    return Reply{.already_streaming = true};
  }

  Reply reply_of(const Answer& answer) const {
    if (answer.stream) return http::event_reply(standing_events(answer));
    Reply reply{.status = answer.status};
    if (!answer.body.is_null()) {
      reply.headers.add("Content-Type", "application/json");
      reply.body = to_json(answer.body);
    }
    if (!answer.session_id.empty())
      reply.headers.add(std::string(holdfast::mcp::header::kSessionId), answer.session_id);
    if (!answer.needed_scope.empty())
      reply.headers.add("WWW-Authenticate", dialect_.scope_challenge(answer.needed_scope));
    return reply;
  }

  // Scripts of listed origins may ask; the pipeline names the origin in the answer.
  static Reply preflight(Exchange& exchange) {
    const http::HostPolicy hosts(exchange.settings.hosts);
    const wire::Headers& headers = exchange.request.headers;
    if (!headers.has("Access-Control-Request-Method") ||
        !hosts.is_listed_origin(headers.get("Origin")))
      return not_allowed(exchange);
    Reply reply{.status = 204};
    reply.headers.add("Allow", kAllow);
    reply.headers.add("Access-Control-Allow-Methods", kAllow);
    const std::string wanted(headers.get("Access-Control-Request-Headers"));
    if (!wanted.empty()) reply.headers.add("Access-Control-Allow-Headers", wanted);
    return reply;
  }

  holdfast::mcp::Server& server_;
  const McpDialect dialect_;
  http::SurfaceMount mount_;
};

}  // namespace

std::unique_ptr<Surface> mount(http::Router& router, holdfast::mcp::Server& server) {
  return std::make_unique<McpSurface>(router, server);
}

}  // namespace holdfast::surface::mcp
