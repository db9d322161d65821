// The checks that only /mcp makes; surface.cpp lists them in their order.
#pragma once

#include <optional>

#include "http/exchange.h"

namespace holdfast::surface::mcp::step {

// Stricter than the server as a whole: an Origin must be listed, or a loopback name on a loopback
// listener. That it is the server's own is not enough.
std::optional<http::Reply> check_origin(http::Exchange& exchange);
// POST, or GET and DELETE of a session.
std::optional<http::Reply> check_method(http::Exchange& exchange);
// Refuses tokens in the query: what is in a URL ends up in logs.
std::optional<http::Reply> check_query_token(http::Exchange& exchange);
// An Idempotency-Key is 1 to 255 visible characters; anything else is none.
std::optional<http::Reply> keep_idempotency_key(http::Exchange& exchange);
std::optional<http::Reply> check_accept(http::Exchange& exchange);

// 405
http::Reply method_not_allowed(const http::Exchange& exchange);

}  // namespace holdfast::surface::mcp::step
