#include "mcp/rpc.h"

#include <utility>

#include <fmt/format.h>

#include "mcp/protocol.h"
#include "model/json_text.h"

namespace holdfast::mcp {
namespace {

Refusal wrong_shape(std::string message, const Value* id) {
  return {.error = invalid_request(std::move(message)),
          .id = id != nullptr && is_id(*id) ? *id : Value()};
}

Value take(Value& json, std::string_view name) {
  Value* member = json.find(name);
  return member != nullptr ? std::move(*member) : Value();
}

}  // namespace

RpcError invalid_request(std::string message, int status) {
  return {.code = code::kInvalidRequest, .message = std::move(message), .status = status};
}

RpcError invalid_params(std::string message) {
  return {.code = code::kInvalidParams, .message = std::move(message)};
}

RpcError unknown_method(std::string_view method) {
  return {.code = code::kUnknownMethod, .message = fmt::format("There is no method '{}'.", method)};
}

const Value* Message::meta(std::string_view name) const {
  const Value* all = params.find("_meta");
  return all != nullptr ? all->find(name) : nullptr;
}

Outcome<Value> read_json_text(std::string_view text) {
  auto value = parse_json(text, {.max_depth = kMaxDepth, .allow_duplicates = true});
  if (value) return std::move(*value);
  return fail({.code = code::kParse,
               .message = "The message is not readable JSON: " + value.error().message,
               .status = 400});
}

tl::expected<Message, Refusal> read_message(Value json) {
  const auto refuse = [](Refusal refusal) { return tl::unexpected<Refusal>(std::move(refusal)); };
  if (!json.is_object()) return refuse(wrong_shape("A message must be a JSON object.", nullptr));
  const Value* id = json.find("id");
  const Value* version = json.find("jsonrpc");
  if (version == nullptr || *version != Value("2.0")) {
    return refuse(wrong_shape("A message needs \"jsonrpc\": \"2.0\".", id));
  }
  if (id != nullptr && !is_id(*id)) {
    return refuse(wrong_shape("An id must be a string or an integer.", nullptr));
  }
  const Value* method = json.find("method");
  if (method != nullptr && !method->is_string()) {
    return refuse(wrong_shape("The method must be a string.", id));
  }
  const bool answers = json.find("result") != nullptr || json.find("error") != nullptr;
  if (method == nullptr && (id == nullptr || !answers)) {
    return refuse(wrong_shape("A message needs a method, or an id with a result or error.", id));
  }
  Message message;
  message.kind = method == nullptr ? Message::Kind::kResponse
                 : id == nullptr   ? Message::Kind::kNotification
                                   : Message::Kind::kRequest;
  if (method != nullptr) message.method = *method->if_string();
  message.id = take(json, "id");
  message.params = take(json, "params");
  message.result = take(json, "result");
  message.error = take(json, "error");
  return message;
}

bool is_id(const Value& value) { return value.is_string() || value.is_integer(); }

std::string id_key(const Value& id) { return to_json(id); }

Value request_message(Value id, std::string_view method, Value params) {
  return Value::object({{"jsonrpc", "2.0"},
                        {"id", std::move(id)},
                        {"method", method},
                        {"params", std::move(params)}});
}

Value response_message(Value id, Value result) {
  Value message = Value::object({{"jsonrpc", "2.0"}});
  message.set("id", std::move(id));
  message.set("result", std::move(result));
  return message;
}

Value error_message(const Value& id, const RpcError& error) {
  Value body = Value::object({{"code", error.code}, {"message", error.message}});
  if (!error.data.is_null()) body.set("data", error.data);
  Value message = Value::object({{"jsonrpc", "2.0"}});
  if (!id.is_null()) message.set("id", id);
  message.set("error", std::move(body));
  return message;
}

Value notification_message(std::string_view method, Value params) {
  Value message = Value::object({{"jsonrpc", "2.0"}, {"method", method}});
  if (!params.is_null()) message.set("params", std::move(params));
  return message;
}

}  // namespace holdfast::mcp
