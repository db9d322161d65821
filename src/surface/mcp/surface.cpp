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
#include "surface/mcp/steps.h"

namespace holdfast::surface::mcp {
namespace {

using holdfast::mcp::Answer;
using http::Exchange;
using http::Reply;

constexpr const char* kPath = "/mcp";
constexpr const char* kAllow = "POST, GET, DELETE";
constexpr const char* kMetadataPath = "/.well-known/oauth-protected-resource";

std::string metadata_url(const std::optional<OAuthFace>& oauth) {
  return oauth ? oauth->public_url + kMetadataPath + kPath : std::string();
}

// RFC 9728: where clients of this endpoint get their tokens.
Value resource_metadata(const OAuthFace& oauth) {
  return Value::object({{"resource", resource_url(oauth.public_url)},
                        {"authorization_servers", Value::array({oauth.issuer})},
                        {"scopes_supported", Value::array({"read", "write", "admin"})},
                        {"bearer_methods_supported", Value::array({"header"})},
                        {"resource_name", "Holdfast"}});
}

class McpSurface : public Surface {
 public:
  McpSurface(http::Router& router, holdfast::mcp::Server& server,
             const std::optional<OAuthFace>& oauth)
      : server_(server), dialect_(metadata_url(oauth)) {
    mount_.name = "mcp";
    mount_.prefixes = {kPath};
    if (oauth) mount_.authenticator = oauth->authenticator;
    mount_.dialect = &dialect_;
    mount_.body_limit = holdfast::mcp::kMaxBodyBytes;
    mount_.time_limit = holdfast::mcp::kCallLimit;
    // The order of the contract's section 3; JSON is read by the server itself.
    mount_.steps = {step::check_origin,         step::check_method,
                    http::step::authenticate,   step::check_query_token,
                    step::keep_idempotency_key, http::step::check_body_size,
                    http::step::set_deadline,   http::step::require_media_type,
                    step::check_accept};
    http::RouteTable routes(router, mount_);
    add_endpoint(routes);
    if (oauth) add_metadata(router, *oauth);
  }

 private:
  void add_endpoint(http::RouteTable& routes) {
    routes.exchange("POST", kPath, {.json_body = true},
                    [this](Exchange& exchange) { return post(exchange); },
                    {.name = "message",
                     .summary = "One message of the Model Context Protocol.",
                     .body_schema = Value::object({{"type", "object"}}),
                     .body_required = true,
                     .further_statuses = {202}});
    routes.exchange("GET", kPath, {.json_body = false},
                    [this](Exchange& exchange) {
                      return reply_of(server_.get(exchange.call, exchange.request.headers));
                    },
                    {.name = "listen",
                     .summary = "What the server says to a session, as server-sent events.",
                     .response_schema = Value::object({{"type", "string"}}),
                     .response_type = "text/event-stream"});
    routes.exchange("DELETE", kPath, {.json_body = false},
                    [this](Exchange& exchange) {
                      return reply_of(server_.remove(exchange.call, exchange.request.headers));
                    },
                    {.name = "end_session", .summary = "Ends a session.", .success_status = 204});
    routes.exchange("OPTIONS", kPath, {.json_body = false, .auth = http::AuthNeed::kNone},
                    preflight);
  }

  // Public, and none of the endpoint's checks apply.
  void add_metadata(http::Router& router, const OAuthFace& oauth) {
    metadata_mount_.name = "mcp";
    metadata_mount_.dialect = &dialect_;
    metadata_mount_.auth = http::AuthNeed::kNone;
    http::RouteTable routes(router, metadata_mount_);
    const std::string body = to_json(resource_metadata(oauth));
    for (const std::string& path :
         {std::string(kMetadataPath), std::string(kMetadataPath) + kPath}) {
      routes.raw("GET", path, {.always_served = true, .quick = true},
                 [body](const CallContext&, const http::Request&) {
                   return http::text_reply(200, "application/json", body);
                 });
    }
  }

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
    outlet.send_last(answer.body);
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
      return step::method_not_allowed(exchange);
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
  http::SurfaceMount metadata_mount_;
};

}  // namespace

std::string resource_url(const std::string& public_url) { return public_url + kPath; }

std::unique_ptr<Surface> mount(http::Router& router, holdfast::mcp::Server& server,
                               const std::optional<OAuthFace>& oauth) {
  return std::make_unique<McpSurface>(router, server, oauth);
}

}  // namespace holdfast::surface::mcp
