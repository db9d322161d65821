// JSON-RPC 2.0 messages as MCP uses them: ids are strings or integers, params objects.
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "model/value.h"

namespace holdfast::mcp {

// An error as the client sees it. `status` is what HTTP says beside it; stdio has no use for it.
struct RpcError {
  int code = 0;
  std::string message = {};  // one sentence
  Value data = {};           // null: left out
  int status = 200;
  std::string needed_scope = {};  // with 403: what the caller lacks
};

template <typename T>
using Outcome = tl::expected<T, RpcError>;
inline tl::unexpected<RpcError> fail(RpcError error) {
  return tl::unexpected<RpcError>(std::move(error));
}

RpcError invalid_request(std::string message, int status = 400);
RpcError invalid_params(std::string message);
RpcError unknown_method(std::string_view method);

struct Message {
  enum class Kind { kRequest, kNotification, kResponse };

  Kind kind = Kind::kRequest;
  Value id = {};            // null for notifications
  std::string method = {};  // empty for responses
  Value params = {};        // as sent; null if absent
  Value result = {};        // of a response
  Value error = {};         // of a response

  // A member of params, or nullptr.
  const Value* param(std::string_view name) const { return params.find(name); }
  // A member of params._meta, or nullptr.
  const Value* meta(std::string_view name) const;
};

// A message that cannot be taken, with its id if that much can be read.
struct Refusal {
  RpcError error;
  Value id = {};
};

// JSON text to a Value: code -32700 for what is no JSON, no UTF-8, too deep, or more than one
// value.
Outcome<Value> read_json_text(std::string_view text);
// A Value to a message: code -32600 for a wrong shape.
tl::expected<Message, Refusal> read_message(Value json);

bool is_id(const Value& value);
// The id as text, different for 1 and "1".
std::string id_key(const Value& id);

Value request_message(Value id, std::string_view method, Value params);
Value response_message(Value id, Value result);
// A null id is left out.
Value error_message(const Value& id, const RpcError& error);
// Null params are left out.
Value notification_message(std::string_view method, Value params);

}  // namespace holdfast::mcp
