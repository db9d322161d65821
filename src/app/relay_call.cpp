#include "app/relay_call.h"

#include <filesystem>
#include <optional>

#include "base/digest.h"
#include "mcp/protocol.h"
#include "mcp/revision.h"
#include "mcp/rpc.h"
#include "model/json_text.h"

namespace holdfast::app {
namespace {

constexpr int kRelayedId = 1;

Value message_of(RelayCall& call) {
  Value meta =
      Value::object({{std::string(mcp::meta::kProtocolVersion), mcp::revision_name(mcp::kModern)},
                     {std::string(mcp::meta::kClientCapabilities), Value::object()}});
  if (call.client != nullptr) meta.set(mcp::meta::kProgressToken, kRelayedId);
  std::error_code unknown;
  const std::string folder = std::filesystem::current_path(unknown).string();
  if (!unknown) meta.set(mcp::meta::kWorkingFolder, folder);
  call.params.set("_meta", std::move(meta));
  return mcp::request_message(kRelayedId, call.method, std::move(call.params));
}

void pass_progress(const Value& params, mcp::Client& client) {
  const Value* done = params.find("progress");
  const Value* total = params.find("total");
  const Value* message = params.find("message");
  if (done == nullptr || !done->is_number()) return;
  client.progress(
      {.done = done->to_double(),
       .total = total != nullptr ? std::optional(total->to_double()) : std::nullopt,
       .message = message != nullptr && message->is_string() ? *message->if_string() : ""});
}

Error error_of(const Value& error) {
  const Value* code = error.find("code");
  const Value* message = error.find("message");
  const Value* data = error.find("data");
  const std::string text =
      message != nullptr && message->is_string() ? *message->if_string() : "no reason was given";
  if (code != nullptr && *code == Value(mcp::code::kInternal)) return internal_error(text);
  const bool resource = data != nullptr && data->find("uri") != nullptr;
  return Error{.code = resource ? ErrorCode::kNotFound : ErrorCode::kInvalidArgument,
               .message = text};
}

}  // namespace

Result<Value> RelayLink::request(RelayCall call) const {
  OutgoingCall http{.method = "POST", .target = "/mcp"};
  http.headers = {
      {"Content-Type", "application/json"},
      {"Accept", "application/json, text/event-stream"},
      {std::string(mcp::header::kProtocolVersion), std::string(mcp::revision_name(mcp::kModern))},
      {std::string(mcp::header::kMethod), call.method}};
  if (!call.item.empty()) {
    http.headers.emplace_back(mcp::header::kName, "=?base64?" + base64_encode(call.item) + "?=");
  }
  if (!space_.empty()) http.headers.emplace_back("X-Holdfast-Space", space_);
  mcp::Client* client = call.client;
  http.body = to_json(message_of(call));
  std::optional<Value> response;
  http.on_event = [&](const std::string& data) {
    auto message = parse_json(data, {.max_depth = mcp::kMaxDepth});
    if (!message) return;
    const Value* params = message->find("params");
    if (message->find("method") == nullptr) {
      response = std::move(*message);
    } else if (client != nullptr && params != nullptr) {
      pass_progress(*params, *client);
    }
  };
  if (client != nullptr) http.is_cancelled = [client] { return client->cancelled(); };
  HOLDFAST_TRY(const IncomingAnswer answer, caller_.call(http));
  if (!response) {
    HOLDFAST_TRY(response, parse_json(answer.body, {.max_depth = mcp::kMaxDepth}));
  }
  if (const Value* error = response->find("error")) return error_of(*error);
  Value* result = response->find("result");
  if (result == nullptr) return internal_error("the owner answered without a result");
  return std::move(*result);
}

}  // namespace holdfast::app
