#include "surface/chat/identity.h"

#include "base/utf8.h"

namespace holdfast::surface::chat {
namespace {

std::string header_user(const wire::Headers& headers) {
  for (const char* name : {"x-sol-user-id", "x-user-id"}) {
    std::string value(trim_space(headers.get(name)));
    if (!value.empty()) return value;
  }
  return {};
}

// A token of a principal stands for that principal where it names no user.
std::string bound_user(const CallContext& call) {
  if (!call.user_id.empty() || call.local_owner || call.principal.value == kKeyPrincipal)
    return call.user_id;
  return call.principal.value;
}

}  // namespace

Result<std::string> named_user(const CallContext& call, const wire::Headers& headers) {
  const std::string bound = bound_user(call);
  const std::string named = header_user(headers);
  if (!bound.empty() && !named.empty() && named != bound) {
    return Error{.code = ErrorCode::kPermissionDenied,
                 .message = "The credential belongs to another user than the header names."};
  }
  return bound.empty() ? named : bound;
}

http::Step need_user(std::string default_user) {
  return
      [fallback = std::move(default_user)](http::Exchange& exchange) -> std::optional<http::Reply> {
        auto user = named_user(exchange.call, exchange.request.headers);
        if (!user) return exchange.refuse(user.error());
        exchange.call.user_id = user->empty() ? fallback : *user;
        if (!exchange.call.user_id.empty()) return std::nullopt;
        return exchange.refuse(Error{.code = ErrorCode::kUnauthenticated,
                                     .message = "Name the user in the header x-sol-user-id."});
      };
}

}  // namespace holdfast::surface::chat
