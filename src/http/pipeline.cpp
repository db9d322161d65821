#include "http/pipeline.h"

#include <algorithm>
#include <exception>

#include "access/gatekeeper.h"
#include "http/access_log.h"
#include "http/exchange.h"
#include "http/steps.h"
#include "wire/transport.h"

namespace holdfast::http {
namespace {

constexpr std::string_view kRequestIdHeader = "X-Request-ID";
constexpr size_t kMaxRequestId = 128;

bool is_request_id(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '_' || c == ':' || c == '-';
  };
  return !text.empty() && text.size() <= kMaxRequestId && std::ranges::all_of(text, allowed);
}

// Where nobody was authenticated, the space that was asked for.
std::string space_of(const Exchange& exchange) {
  if (!exchange.context.space.empty()) return exchange.context.space;
  const std::string_view asked = exchange.request.headers.get(kSpaceHeader);
  return std::string(access::is_space_name(asked) ? asked : kDefaultSpace.value);
}

// Counts a request as under way for as long as it lives.
class InFlight {
 public:
  explicit InFlight(Metrics& metrics) : metrics_(metrics) { metrics_.request_began(); }
  ~InFlight() { metrics_.request_ended(); }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

 private:
  Metrics& metrics_;
};

Reply options_reply(const Exchange& exchange, const std::string& allow) {
  Reply reply = exchange.answer(204, Value());
  reply.headers.set("Allow", allow);
  // A preflight of an origin that may read answers; the origin itself is named in finish().
  if (exchange.request.headers.has("Access-Control-Request-Method")) {
    reply.headers.add("Access-Control-Allow-Methods", allow);
    const std::string wanted(exchange.request.headers.get("Access-Control-Request-Headers"));
    if (!wanted.empty()) reply.headers.add("Access-Control-Allow-Headers", wanted);
  }
  return reply;
}

Reply no_route(const Exchange& exchange, const std::string& allow) {
  if (allow.empty()) {
    return exchange.refuse(wire::transport_error(ErrorCode::kNotFound, wire::reason::kUnknownPath,
                                                 "There is nothing at this path."));
  }
  Reply reply = exchange.refuse(
      wire::transport_error(ErrorCode::kInvalidArgument, wire::reason::kMethodNotAllowed,
                            "This path does not know that method; see Allow."));
  if (!reply.headers.has("Allow")) reply.headers.add("Allow", allow);
  return reply;
}

Reply not_ready(const Exchange& exchange) {
  Error error = wire::transport_error(ErrorCode::kUnavailable, wire::reason::kNotReady,
                                      "The memory is still being opened; try again in a moment.");
  error.retry_after_seconds = 1;
  return exchange.refuse(error);
}

}  // namespace

std::vector<Step> default_steps() {
  return {step::check_body_size,  step::authenticate,     step::check_rate, step::set_deadline,
          step::run_route_checks, step::check_media_type, step::read_json};
}

Pipeline::Pipeline(PipelineSettings settings)
    : settings_(std::move(settings)),
      hosts_(settings_.hosts),
      ids_(settings_.clock),
      unmatched_(settings_.metrics.route("none", "none", "none")) {
  for (const Route& route : settings_.router.routes()) {
    route_metrics_[&route] = &settings_.metrics.route(route.mount->name, route.path, route.method);
  }
}

Reply Pipeline::handle(Request request) const {
  RouteMatch match = this->match(request);
  return handle(request, std::move(match));
}

RouteMatch Pipeline::match(const Request& request) const {
  return settings_.router.match(request.method, request.path);
}

Exchange Pipeline::begin(Request& request, const RouteMatch& match) const {
  return {.request = request,
          .settings = settings_,
          .mount = *match.mount,
          .route = match.route,
          .context = {.request_id = request_id(request),
                      .now = settings_.clock.now(),
                      .method = request.method,
                      .path = request.path,
                      .route = match.route != nullptr ? match.route->path : std::string(),
                      .headers = &request.headers}};
}

// The order of everything: request id → metrics → access log → exception barrier → (run) → headers
// of every answer.
Reply Pipeline::handle(Request& request, RouteMatch match) const {
  const auto began = std::chrono::steady_clock::now();
  const InFlight in_flight(settings_.metrics);
  request.path_parameters = std::move(match.parameters);
  Exchange exchange = begin(request, match);
  if (request.start_stream) {
    request.start_stream = [this, &exchange, start = std::move(request.start_stream)](Reply reply) {
      finish(exchange, reply);
      return start(std::move(reply));
    };
  }
  Reply reply = barrier(exchange, match);
  request.start_stream = nullptr;
  request.is_connection_lost = nullptr;
  finish(exchange, reply);
  const auto elapsed = std::chrono::steady_clock::now() - began;
  count(exchange, reply.status, elapsed);
  log_access(exchange, reply.status, elapsed);
  return reply;
}

Reply Pipeline::barrier(Exchange& exchange, const RouteMatch& match) const {
  try {
    return run(exchange, match);
  } catch (const std::exception& defect) {
    return exchange.refuse(internal_error(defect.what()));
  } catch (...) {
    return exchange.refuse(internal_error("an exception of unknown type"));
  }
}

// Host and Origin → path and method → readiness → the steps of the mount → the handler.
Reply Pipeline::run(Exchange& exchange, const RouteMatch& match) const {
  Error why;
  const Request& request = exchange.request;
  if (!request.local_process && !hosts_.allows(request.headers, request.http_minor, why)) {
    return exchange.refuse(why);
  }
  if (match.route == nullptr && request.method == "OPTIONS" && !match.allow.empty()) {
    return options_reply(exchange, match.allow);
  }
  if (match.route == nullptr) return no_route(exchange, match.allow);
  if (!match.route->options.always_served && settings_.ready && !settings_.ready())
    return not_ready(exchange);
  for (const Step& step : exchange.mount.steps) {
    if (auto reply = step(exchange)) return std::move(*reply);
  }
  return match.route->handler(exchange);
}

Reply Pipeline::refuse(Request& request, const Error& error) const {
  const RouteMatch match = this->match(request);
  const Exchange exchange = begin(request, match);
  Reply reply;
  try {
    reply = exchange.refuse(error);
  } catch (const std::exception&) {
    reply = Reply{.status = 500};
  }
  finish(exchange, reply);
  count(exchange, reply.status, {});
  log_access(exchange, reply.status, {});
  return reply;
}

void Pipeline::finish(const Exchange& exchange, Reply& reply) const {
  reply.headers.set(kRequestIdHeader, exchange.context.request_id);
  reply.headers.set(kSpaceHeader, space_of(exchange));
  for (const wire::Header& header : exchange.reply_headers.list())
    reply.headers.add(header.name, header.value);
  const std::string* origin = exchange.request.headers.find("Origin");
  if (origin != nullptr && hosts_.is_listed_origin(*origin)) {
    reply.headers.add("Access-Control-Allow-Origin", *origin);
    reply.headers.add("Access-Control-Expose-Headers",
                      "Mcp-Session-Id, WWW-Authenticate, X-Request-ID");
    reply.headers.add("Vary", "Origin");
  }
}

void Pipeline::count(const Exchange& exchange, int status, std::chrono::nanoseconds elapsed) const {
  const auto known = route_metrics_.find(exchange.route);
  (known != route_metrics_.end() ? *known->second : unmatched_).count(status, elapsed);
}

std::string Pipeline::request_id(const Request& request) const {
  const std::string_view sent = request.headers.get(kRequestIdHeader);
  return is_request_id(sent) ? std::string(sent) : "req_" + ids_.next();
}

}  // namespace holdfast::http
