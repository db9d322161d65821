// Whose memories a request is about.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "http/exchange.h"

namespace holdfast::surface::chat {

// The principal of callers with an API key of this surface; they name their users themselves.
inline constexpr std::string_view kKeyPrincipal = "chat-api-key";

// The user that the request's credential and header name: the credential's own wins, and a header
// that differs from it is kPermissionDenied. Empty if neither names one.
Result<std::string> named_user(const CallContext& call, const wire::Headers& headers);

// For memories, usage and transmissions: a user must be named, or there is a default one. Sets
// CallContext::user_id.
http::Step need_user(std::string default_user);

}  // namespace holdfast::surface::chat
