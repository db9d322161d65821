#include <fmt/format.h>

#include "http/steps.h"
#include "wire/transport.h"

namespace holdfast::http::step {

std::optional<Reply> check_body_size(Exchange& exchange) {
  const size_t limit = exchange.route->options.body_limit.value_or(exchange.mount.body_limit);
  if (!exchange.request.body_too_large && exchange.request.body.size() <= limit)
    return std::nullopt;
  return exchange.refuse(
      wire::transport_error(ErrorCode::kTooLarge, wire::reason::kBodyTooLarge,
                            fmt::format("A body may have at most {} bytes here.", limit)));
}

}  // namespace holdfast::http::step
