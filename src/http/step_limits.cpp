#include "http/steps.h"

namespace holdfast::http::step {

std::optional<Reply> check_rate(Exchange& exchange) {
  if (!exchange.mount.rate_limit) return std::nullopt;
  const auto error = exchange.mount.rate_limit(exchange);
  if (!error) return std::nullopt;
  return exchange.refuse(*error);
}

std::optional<Reply> set_deadline(Exchange& exchange) {
  exchange.call.deadline = std::chrono::steady_clock::now() + exchange.mount.time_limit;
  return std::nullopt;
}

std::optional<Reply> run_route_checks(Exchange& exchange) {
  for (const Step& check : exchange.route->options.checks) {
    if (auto reply = check(exchange)) return reply;
  }
  return std::nullopt;
}

}  // namespace holdfast::http::step
