// The checks that mounts are made of. Each is one file; default_steps() is their usual order, a
// surface may list another.
#pragma once

#include <functional>

#include "access/authenticator.h"
#include "http/exchange.h"
#include "http/surface_mount.h"

namespace holdfast::http::step {

// kTooLarge if the session refused the body, or an in-process one is over the limit.
std::optional<Reply> check_body_size(Exchange& exchange);
// What a request says about its sender.
access::Credentials credentials_of(const Request& request);
// Fills Exchange::call. Errors of the Authenticator, as the mount's or the route's AuthNeed says.
std::optional<Reply> authenticate(Exchange& exchange);
// For streams, which outlive their request: whether its credentials are still good. Callable as
// long as the server lives.
std::function<bool()> still_authenticated(const Exchange& exchange);
// The mount's rate limit, if it has one.
std::optional<Reply> check_rate(Exchange& exchange);
// The call's deadline, from the mount's time limit.
std::optional<Reply> set_deadline(Exchange& exchange);
// The route's own checks, in order.
std::optional<Reply> run_route_checks(Exchange& exchange);
// For routes that take JSON: a body that is there must be application/json (parameters allowed;
// charset only UTF-8).
std::optional<Reply> check_media_type(Exchange& exchange);
// The same, and POST, PUT and PATCH must say so even without a body.
std::optional<Reply> require_media_type(Exchange& exchange);
// For routes that take JSON: parses the body into Request::json. An empty body leaves it empty.
std::optional<Reply> read_json(Exchange& exchange);

}  // namespace holdfast::http::step
