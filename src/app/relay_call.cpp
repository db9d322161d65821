#include "app/relay_call.h"

#include <filesystem>
#include <optional>

#include "app/direct_tool_call.h"
#include "base/digest.h"
#include "mcp/protocol.h"
#include "mcp/revision.h"
#include "mcp/rpc.h"
#include "model/json_text.h"
#include "text/lines.h"

namespace holdfast::app {
namespace {

constexpr int kRelayedId = 1;

// As text, because it travels in a message: a name that is none cannot be found by it, and nothing
// else is found in its stead.
std::string this_folder() {
  std::error_code unknown;
  const std::string folder = std::filesystem::current_path(unknown).string();
  return unknown ? std::string() : text::decode_utf8(folder, text::BadBytes::kReplace);
}

// The headers that repeat what the message says.
void add_headers(OutgoingCall& http, const RelayCall& call, const std::string& space) {
  http.headers = {
      {"Content-Type", "application/json"},
      {"Accept", "application/json, text/event-stream"},
      {std::string(mcp::header::kProtocolVersion), std::string(mcp::revision_name(mcp::kModern))},
      {std::string(mcp::header::kMethod), call.method}};
  if (!call.item.empty()) {
    http.headers.emplace_back(mcp::header::kName, "=?base64?" + base64_encode(call.item) + "?=");
  }
  if (!space.empty()) http.headers.emplace_back("X-Holdfast-Space", space);
}

Value message_of(RelayCall& call, const std::string& folder) {
  Value meta =
      Value::object({{std::string(mcp::meta::kProtocolVersion), mcp::revision_name(mcp::kModern)},
                     {std::string(mcp::meta::kClientCapabilities), Value::object()}});
  if (call.client != nullptr) meta.set(mcp::meta::kProgressToken, kRelayedId);
  if (!folder.empty()) meta.set(mcp::meta::kWorkingFolder, folder);
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

// What comes of one request sent as HTTP.
class Sent {
 public:
  // Is not moved while the call lasts.
  OutgoingCall http(RelayCall call, const std::string& space, const std::string& folder) {
    OutgoingCall http{.method = "POST", .target = "/mcp"};
    add_headers(http, call, space);
    mcp::Client* const client = call.client;
    http.body = to_json(message_of(call, folder));
    http.on_event = [this, client](const std::string& data) { take(data, client); };
    if (client != nullptr) http.is_cancelled = [client] { return client->cancelled(); };
    return http;
  }

  Result<Value> result(const IncomingAnswer& answer) {
    if (!response_) {
      HOLDFAST_TRY(response_, parse_json(answer.body, {.max_depth = mcp::kMaxDepth}));
    }
    if (const Value* error = response_->find("error")) return error_of(*error);
    Value* result = response_->find("result");
    if (result == nullptr) return internal_error("the owner answered without a result");
    return std::move(*result);
  }

 private:
  void take(const std::string& data, mcp::Client* client) {
    auto message = parse_json(data, {.max_depth = mcp::kMaxDepth});
    if (!message) return;
    const Value* params = message->find("params");
    if (message->find("method") == nullptr) {
      response_ = std::move(*message);
    } else if (client != nullptr && params != nullptr) {
      pass_progress(*params, *client);
    }
  }

  std::optional<Value> response_;
};

mcp::ToolResult tool_result(Value result) {
  const auto take = [&](std::string_view name) {
    Value* member = result.find(name);
    return member != nullptr ? std::move(*member) : Value();
  };
  return {.content = take("content"),
          .structured = take("structuredContent"),
          .is_error = take("isError") == Value(true)};
}

}  // namespace

RelayLink::RelayLink(Caller& caller, std::string space)
    : caller_(caller), space_(std::move(space)), folder_(this_folder()) {}

Result<Value> RelayLink::request(RelayCall call) const {
  Sent sent;
  HOLDFAST_TRY(const IncomingAnswer answer,
               caller_.call(sent.http(std::move(call), space_, folder_)));
  return sent.result(answer);
}

Result<mcp::ToolResult> RelayLink::call_tool(const std::string& name,
                                             const mcp::ToolCall& call) const {
  std::optional<Result<mcp::ToolResult>> here;
  Sent sent;
  HOLDFAST_TRY(
      const auto answer,
      caller_.call(
          {.here =
               [&](Engine& engine, const std::string& key) {
                 here = direct_tool_call(
                     engine, name,
                     {.call = call, .working_folder = folder_, .idempotency_key = key});
               },
           .there =
               [&] {
                 Value params = Value::object({{"name", name}, {"arguments", call.arguments}});
                 return sent.http({.method = "tools/call",
                                   .params = std::move(params),
                                   .item = name,
                                   .client = &call.client},
                                  space_, folder_);
               }}));
  if (here) return std::move(*here);
  HOLDFAST_TRY(Value result, sent.result(*answer));
  return tool_result(std::move(result));
}

}  // namespace holdfast::app
