// What a carrier is to send for a message.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mcp/changes.h"
#include "mcp/rpc.h"
#include "model/value.h"

namespace holdfast::mcp {

struct Answer {
  int status = 200;              // of HTTP
  Value body = {};               // a message, or an array of them; null: nothing is said
  std::string session_id = {};   // of a new session
  std::string needed_scope = {};  // with 403

  // Instead of a body: a stream that stays open, and what is said on it when the server shuts down.
  std::shared_ptr<Subscription> stream = {};
  std::vector<Value> farewell = {};

  // Nothing to say: notifications, responses, cancelled requests.
  static Answer accepted() { return {.status = 202}; }
  static Answer result(const Value& id, Value value) {
    return {.body = response_message(id, std::move(value))};
  }
  // A null id is left out.
  static Answer failure(const Value& id, const RpcError& error) {
    return {.status = error.status,
            .body = error_message(id, error),
            .needed_scope = error.needed_scope};
  }
};

}  // namespace holdfast::mcp
