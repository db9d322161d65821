#include "surface/mcp/steps.h"

#include "http/host_policy.h"
#include "http/pipeline.h"
#include "mcp/protocol.h"
#include "surface/mcp/media.h"
#include "wire/transport.h"

namespace holdfast::surface::mcp::step {

using http::Exchange;
using http::Reply;

std::optional<Reply> check_origin(Exchange& exchange) {
  const std::string* origin = exchange.request.headers.find("Origin");
  if (origin == nullptr || exchange.request.local_process) return std::nullopt;
  const http::HostPolicySettings& hosts = exchange.settings.hosts;
  if (http::HostPolicy(hosts).is_listed_origin(*origin)) return std::nullopt;
  // The pipeline has seen that it reads scheme://host[:port].
  const std::string name = http::host_name(std::string_view(*origin).substr(origin->find("://") + 3));
  if (http::is_loopback_name(name) && http::is_loopback_name(hosts.listen_host))
    return std::nullopt;
  return exchange.refuse(wire::transport_error(
      ErrorCode::kPermissionDenied, wire::reason::kOriginNotAllowed,
      "Pages of that Origin may not call this endpoint; --allow-origin lists those that may."));
}

std::optional<Reply> check_method(Exchange& exchange) {
  const std::string& method = exchange.request.method;
  const bool of_session = method == "GET" || method == "DELETE";
  const bool has_session = exchange.request.headers.has(holdfast::mcp::header::kSessionId);
  if (method == "POST" || method == "OPTIONS" || (of_session && has_session)) return std::nullopt;
  return method_not_allowed(exchange);
}

std::optional<Reply> check_query_token(Exchange& exchange) {
  if (exchange.call.local_owner || exchange.request.query.find("access_token") == nullptr)
    return std::nullopt;
  return exchange.refuse(Error{.code = ErrorCode::kUnauthenticated,
                               .reason = std::string(access::reason::kTokenMalformed),
                               .message = "Send the token as 'Authorization: Bearer <token>', not "
                                          "in the query."});
}

std::optional<Reply> keep_idempotency_key(Exchange& exchange) {
  std::string& key = exchange.call.idempotency_key;
  bool good = key.size() <= 255;
  for (const char c : key) good = good && c > 0x20 && c < 0x7f;
  if (!good) key.clear();
  return std::nullopt;
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

Reply method_not_allowed(const Exchange& exchange) {
  return exchange.refuse(wire::transport_error(
      ErrorCode::kInvalidArgument, wire::reason::kMethodNotAllowed,
      "Send messages by POST; GET and DELETE need the header Mcp-Session-Id."));
}

}  // namespace holdfast::surface::mcp::step
