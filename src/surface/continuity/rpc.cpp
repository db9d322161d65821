#include "surface/continuity/rpc.h"

#include <algorithm>

#include "base/digest.h"
#include "base/time_text.h"
#include "model/json_text.h"
#include "service/continuity/document.h"
#include "surface/continuity/dialect.h"
#include "surface/continuity/discovery.h"

namespace holdfast::surface::continuity {
namespace {

using service::continuity::present;
using service::continuity::text_of;

Value error_of(int code, const char* message, Value data) {
  Value error = Value::object({{"code", code}, {"message", message}});
  if (!data.is_null()) error.set("data", std::move(data));
  return Value::object({{"error", std::move(error)}});
}

Value result_of(Value result) { return Value::object({{"result", std::move(result)}}); }

// `outcome` has the member error or result.
Value message_of(const Value& id, const Value& outcome) {
  Value body = Value::object({{"jsonrpc", "2.0"}, {"id", id}});
  for (const auto& member : *outcome.if_object()) body.set(member.name, member.value);
  return body;
}

http::Reply reply(int status, const Value& id, const Value& outcome) {
  return http::text_reply(status, "application/json", to_json(message_of(id, outcome)));
}

http::Reply invalid(const char* reason) {
  return reply(400, Value(),
               error_of(-32600, "Invalid Request", Value::object({{"reason", reason}})));
}

bool is_local_origin(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!origin.starts_with(scheme)) continue;
    std::string_view host = origin.substr(scheme.size());
    host = host.substr(0, host.find(':', host.starts_with('[') ? host.find(']') : 0));
    return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
  }
  return false;
}

Value bad_params(Value data) { return error_of(-32602, "Invalid params", std::move(data)); }

Value bad_because(const std::string& reason) {
  return bad_params(Value::object({{"reason", reason}}));
}

// Nothing, or which member is not one of these.
std::optional<Value> unknown_member(const Value& params,
                                    std::initializer_list<std::string_view> known) {
  if (!params.is_object()) return bad_because("params must be an object");
  for (const auto& member : *params.if_object()) {
    if (std::ranges::find(known, member.name) == known.end())
      return bad_because("unknown member of params: " + member.name);
  }
  return std::nullopt;
}

// The published schema is closed where the path has parameters.
Value unknown_arguments(const Operation& operation, const Value& raw) {
  Value issues = Value::array();
  if (operation.own_payload || operation.path.find('{') == std::string::npos || !raw.is_object())
    return issues;
  for (const auto& member : *raw.if_object()) {
    if (member.name == operation.alias.name || has_member(operation, member.name)) continue;
    issues.push(extra_member(member.name, member.value));
  }
  return issues;
}

Value schema_failure(const Value& issues) {
  Value details = Value::array();
  if (const auto* list = issues.if_array()) {
    for (const Value& issue : *list) {
      std::string path;
      for (const Value& step : service::continuity::list_of(issue, "loc")) {
        if (step == Value("body")) continue;
        path += (path.empty() ? "" : ".") + (step.is_string() ? *step.if_string() : to_json(step));
      }
      details.push(Value::object({{"path", path},
                                  {"keyword", text_of(issue, "type")},
                                  {"message", text_of(issue, "msg")}}));
    }
  }
  return error_of(-32602, "Invalid params",
                  Value::object({{"reason", "schema validation failed"},
                                 {"details", std::move(details)},
                                 {"status", 422},
                                 {"detail", issues}}));
}

Value failure_of(const Operation& operation, const Error& error) {
  const int status = status_of(error);
  const Value detail = detail_of(error);
  if (status == 422 && !operation.own_payload) return schema_failure(detail);
  Value data = Value::object({{"status", status}, {"detail", detail}});
  if (status == 422) return error_of(-32602, "Invalid params", std::move(data));
  if (status == 401) return error_of(-32001, "Unauthorized", std::move(data));
  if (status == 403) return error_of(-32002, "Forbidden", std::move(data));
  if (status == 404) return error_of(-32004, "Not Found", std::move(data));
  return error_of(-32003, "Tool execution failed", std::move(data));
}

}  // namespace

Value origin_refusal(std::string_view origin) {
  return message_of(
      Value(), error_of(-32002, "Forbidden",
                        Value::object({{"reason", "origin not allowed"}, {"origin", origin}})));
}

bool RpcEndpoint::is_ready(const std::string& caller) const {
  const MutexLock lock(mutex_);
  return ready_.contains(caller);
}

std::string RpcEndpoint::name_of_caller(const http::Exchange& exchange) const {
  if (const auto call = caller_(exchange)) return "peer " + service::continuity::peer_of(*call);
  return "header " + sha256(exchange.request.headers.get("Authorization"));
}

Value RpcEndpoint::initialize(const Value& params, const std::string& caller) {
  if (auto wrong =
          unknown_member(params, {"protocolVersion", "capabilities", "clientInfo", "_meta"}))
    return *wrong;
  const Value* wanted = params.find("protocolVersion");
  if (wanted == nullptr || !wanted->is_string())
    return bad_because("protocolVersion must be a string");
  const std::string version = text_of(params, "protocolVersion");
  if (version != "2025-06-18" && version != "2025-11-25")
    return error_of(-32602, "Unsupported protocol version",
                    Value::object({{"supported", Value::array({"2025-06-18", "2025-11-25"})},
                                   {"requested", version}}));
  {
    const MutexLock lock(mutex_);
    // Strangers come first in the set, so that they make room and peers stay.
    if (ready_.size() >= kMostCallers) ready_.erase(ready_.begin());
    ready_.insert(caller);
  }
  return result_of(Value::object(
      {{"protocolVersion", version},
       {"capabilities", Value::object({{"tools", Value::object({{"listChanged", false}})}})},
       {"serverInfo", Value::object({{"name", "cognirelay"}, {"version", version_}})}}));
}

Value RpcEndpoint::call_tool(const Value& params, const http::Exchange& exchange) const {
  if (auto wrong = unknown_member(params, {"name", "arguments", "_meta"})) return *wrong;
  const std::string name = text_of(params, "name");
  const auto operation = std::ranges::find(operations_, name, &Operation::name);
  if (operation == operations_.end())
    return bad_params(Value::object({{"reason", "unknown tool"}, {"name", name}}));
  Result<CallContext> call = caller_(exchange);
  if (!call && operation->open) call = CallContext();
  if (!call) return failure_of(*operation, call.error());
  if (!operation->open) {
    if (const auto refused = limits_(*operation, exchange, *call))
      return failure_of(*operation, *refused);
  }
  const Value* arguments = present(params, "arguments");
  const Value raw = arguments != nullptr ? *arguments : Value::object();
  const Value unknown = unknown_arguments(*operation, raw);
  if (!unknown.if_array()->empty()) return schema_failure(unknown);
  const Result<Value> answer = run(*operation, *call, raw, "body");
  if (!answer) return failure_of(*operation, answer.error());
  return result_of(Value::object(
      {{"content", Value::array({Value::object({{"type", "text"}, {"text", "Executed " + name}})})},
       {"structuredContent", *answer}}));
}

Value RpcEndpoint::list_tools(const Value& params) const {
  if (auto wrong = unknown_member(params, {"cursor", "_meta"})) return *wrong;
  const Value* cursor = present(params, "cursor");
  if (cursor != nullptr && *cursor != Value(""))
    return bad_because("there is one page; cursor must be null or empty");
  Value tools = Value::array();
  for (const Operation& operation : operations_) tools.push(mcp_tool(operation));
  return result_of(Value::object({{"tools", std::move(tools)}}));
}

Value RpcEndpoint::show_help(const Help::Page& page, const Value& params) const {
  // The one text among the parameters says what about.
  std::string name;
  if (const auto* members = params.if_object()) {
    for (const auto& member : *members) {
      if (member.value.is_string() && name.empty()) name = *member.value.if_string();
    }
  }
  auto answer = (help_.*page.make)(name);
  if (answer) return result_of(std::move(*answer));
  if (name.empty()) return bad_because("this help needs to know about what");
  return bad_params(Value::object({{"reason", "unknown help page"}, {"name", name}}));
}

http::Reply RpcEndpoint::serve(http::Exchange& exchange) {
  const std::string origin(exchange.request.headers.get("Origin"));
  if (!origin.empty() && !is_local_origin(origin))
    return http::text_reply(403, "application/json", to_json(origin_refusal(origin)));
  const auto message = parse_json(exchange.request.body, exchange.mount.json_limits);
  if (!message) return reply(400, Value(), error_of(-32700, "Parse error", Value()));
  if (message->is_array()) return invalid("batches are not supported");
  if (!message->is_object()) return invalid("the request is no object");
  if (text_of(*message, "jsonrpc") != "2.0") return invalid("jsonrpc must be 2.0");
  const std::string method = text_of(*message, "method");
  if (method.empty()) return invalid("method must be a string");
  const Value* id = message->find("id");
  if (method == "notifications/initialized") {
    if (id != nullptr) return invalid("a notification has no id");
    return http::Reply{.status = 204};
  }
  if (id == nullptr || (!id->is_string() && !id->is_integer()))
    return invalid("id must be a string or an integer");
  const Value* given = present(*message, "params");
  const Value params = given != nullptr ? *given : Value::object();
  const std::string caller = name_of_caller(exchange);
  if (method == "initialize") return reply(200, *id, initialize(params, caller));
  if (method == "ping")
    return reply(200, *id,
                 result_of(Value::object({{"ok", true}, {"ts", format_seconds(now_())}})));
  const auto page = std::ranges::find(Help::pages(), method, &Help::Page::method);
  const bool help = page != Help::pages().end();
  if (!help && method != "tools/list" && method != "tools/call")
    return reply(200, *id,
                 error_of(-32601, "Method not found", Value::object({{"method", method}})));
  if (!is_ready(caller))
    return reply(200, *id,
                 error_of(-32000, "Server not initialized",
                          Value::object({{"required_step", "initialize"}})));
  if (help) return reply(200, *id, show_help(*page, params));
  return reply(200, *id, method == "tools/call" ? call_tool(params, exchange) : list_tools(params));
}

}  // namespace holdfast::surface::continuity
