#include "http/pipeline.h"
#include "http/steps.h"

namespace holdfast::http::step {
namespace {

// What the pipeline knows, onto what the authenticator found.
void complete(Exchange& exchange, CallContext call) {
  call.request_id = exchange.context.request_id;
  call.surface = exchange.mount.name;
  call.peer_address = exchange.request.peer_address;
  call.idempotency_key = exchange.request.headers.get("Idempotency-Key");
  call.deadline = exchange.call.deadline;
  exchange.call = std::move(call);
}

const access::Authenticator& authenticator_of(const Exchange& exchange) {
  return exchange.mount.authenticator != nullptr ? *exchange.mount.authenticator
                                                 : exchange.settings.authenticator;
}

}  // namespace

access::Credentials credentials_of(const Request& request) {
  return {.authorization = request.headers.all("Authorization"),
          .space = std::string(request.headers.get(kSpaceHeader)),
          .local_process = request.local_process};
}

std::optional<Reply> authenticate(Exchange& exchange) {
  const AuthNeed need = exchange.route->options.auth.value_or(exchange.mount.auth);
  if (need == AuthNeed::kNone) {
    complete(exchange, {});
    return std::nullopt;
  }
  auto call = authenticator_of(exchange).authenticate(credentials_of(exchange.request));
  if (!call) {
    const bool nobody =
        need == AuthNeed::kOptional && call.error().reason == access::reason::kTokenMissing;
    if (!nobody) return exchange.refuse(call.error());
    call = CallContext{};
  }
  complete(exchange, std::move(*call));
  exchange.context.space = exchange.call.viewer.space.value;
  return std::nullopt;
}

std::function<bool()> still_authenticated(const Exchange& exchange) {
  return [&authenticator = authenticator_of(exchange),
          credentials = credentials_of(exchange.request)] {
    return authenticator.authenticate(credentials).has_value();
  };
}

}  // namespace holdfast::http::step
