// A call in the eyes of one user of the chat surface: their own objects and nobody else's, whoever
// holds the key.
#pragma once

#include <string>

#include "model/call_context.h"

namespace holdfast::service::chat {

inline CallContext as_user(const CallContext& call, const std::string& user) {
  CallContext out = call;
  out.viewer.actor = user;
  out.viewer.every_owner = false;
  return out;
}

}  // namespace holdfast::service::chat
