// MCP clients for whole-program tests: over HTTP, as an event stream, and on stdio.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "http/test_client.h"
#include "support/json.h"
#include "support/process.h"

namespace holdfast::testing {

using HeaderMap = std::map<std::string, std::string>;

inline constexpr const char* kModernVersion = "2026-07-28";
inline constexpr const char* kBothTypes = "application/json, text/event-stream";

inline std::string rpc(const std::string& method, const Value& params, const Value& id = 1) {
  Value message = Value::object({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}});
  if (!params.is_null()) message.set("params", params);
  return to_json(message);
}

inline std::string rpc_notification(const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","method":")" + method + R"(","params":)" + params + "}";
}

// JSON params with the metadata of a modern request; `more` are members of _meta.
inline Value modern(const std::string& params = "{}", const std::string& more = "{}") {
  Value value = parsed(params);
  Value meta = parsed(more);
  meta.set("io.modelcontextprotocol/protocolVersion", kModernVersion);
  if (meta.find("io.modelcontextprotocol/clientCapabilities") == nullptr)
    meta.set("io.modelcontextprotocol/clientCapabilities", Value::object());
  value.set("_meta", std::move(meta));
  return value;
}

inline HeaderMap modern_headers(const std::string& method, const Value& params) {
  HeaderMap headers = {
      {"Accept", kBothTypes}, {"MCP-Protocol-Version", kModernVersion}, {"Mcp-Method", method}};
  const bool named = method == "tools/call" || method == "prompts/get";
  const Value* item = params.find(named ? "name" : "uri");
  if (item != nullptr && (named || method == "resources/read"))
    headers["Mcp-Name"] = *item->if_string();
  return headers;
}

// The JSON-RPC messages of an answer, whether it came as JSON or as events.
inline std::vector<Value> messages_of(const HttpAnswer& answer) {
  if (!answer.headers.at("content-type").starts_with("text/event-stream"))
    return {parsed(answer.body)};
  std::vector<Value> found;
  for (size_t at = 0; (at = answer.body.find("data: ", at)) != std::string::npos;) {
    const size_t end = answer.body.find('\n', at);
    found.push_back(parsed(answer.body.substr(at + 6, end - at - 6)));
    at = end;
  }
  return found;
}

// One connection to /mcp.
class McpHttp {
 public:
  explicit McpHttp(int port) : client_(port) {}

  HttpAnswer post(const std::string& body, HeaderMap headers = {{"Accept", kBothTypes}}) {
    for (const auto& [name, value] : always) headers[name] = value;
    return client_.request("POST", "/mcp", body, headers);
  }
  HttpAnswer send(const std::string& method, const Value& params, const HeaderMap& spoiled = {},
                  const Value& id = 1) {
    HeaderMap headers = modern_headers(method, params);
    for (const auto& [name, value] : spoiled) headers[name] = value;
    return post(rpc(method, params, id), headers);
  }
  HttpAnswer other(const std::string& method, HeaderMap headers) {
    for (const auto& [name, value] : always) headers[name] = value;
    return client_.request(method, "/mcp", "", headers);
  }
  // The headers of a session's further requests.
  HeaderMap begin(const std::string& version = "2025-11-25",
                  const std::string& capabilities = "{}") {
    Value params = Value::object({{"protocolVersion", version}});
    params.set("capabilities", parsed(capabilities));
    params.set("clientInfo", parsed(R"({"name":"test","version":"1"})"));
    const HttpAnswer answer = post(rpc("initialize", params));
    EXPECT_EQ(answer.status, 200) << answer.body;
    HeaderMap headers = {{"Accept", kBothTypes},
                         {"Mcp-Session-Id", answer.headers.at("mcp-session-id")}};
    EXPECT_EQ(post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", headers).status,
              202);
    return headers;
  }

  HeaderMap always = {};

 private:
  HttpClient client_;
};

// A request whose answer is read event by event.
class McpStream {
 public:
  McpStream(int port, const std::string& method, const std::string& body, const HeaderMap& headers)
      : client_(static_cast<uint16_t>(port)) {
    std::string text = method + " /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    if (!body.empty()) text += "Content-Type: application/json\r\n";
    text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    for (const auto& [name, value] : headers) text += name + ": " + value + "\r\n";
    client_.send(text + "\r\n" + body);
    head = client_.read_until("\r\n\r\n");
  }

  // The next message; null when the stream has ended. Keep-alive comments are passed over.
  Value next() {
    while (true) {
      const std::string event = client_.read_until("\n\n");
      if (event.empty() || !event.ends_with("\n\n")) return {};
      const size_t data = event.find("data: ");
      if (data != std::string::npos) return parsed(event.substr(data + 6, event.size() - data - 8));
    }
  }
  bool ok() const { return head.starts_with("HTTP/1.1 200"); }
  void close() { client_.close(); }

  std::string head;

 private:
  http::TestClient client_;
};

// `holdfast mcp`, line by line.
class McpStdio {
 public:
  explicit McpStdio(const std::string& data, std::vector<std::string> more = {})
      : process_(with(data, std::move(more))) {}

  void send(const std::string& line) { process_.write(line + "\n"); }
  // The next message; null at the end of the output.
  Value next() {
    const auto line = process_.read_line();
    return line ? parsed(*line) : Value();
  }
  // The answer with that id; what comes before is passed over.
  Value answer(const Value& id) {
    while (true) {
      Value message = next();
      if (message.is_null()) return {};
      const Value* found = message.find("id");
      if (found != nullptr && *found == id && message.find("method") == nullptr) return message;
    }
  }
  Value ask(const std::string& method, const Value& params, const Value& id = 1) {
    send(rpc(method, params, id));
    return answer(id);
  }
  Value begin(const std::string& version = "2025-11-25", const std::string& capabilities = "{}") {
    Value params = Value::object({{"protocolVersion", version}});
    params.set("capabilities", parsed(capabilities));
    Value answered = ask("initialize", params, "init");
    send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    return answered;
  }
  int finish() {
    process_.close_input();
    return process_.wait();
  }
  Process& process() { return process_; }

 private:
  static std::vector<std::string> with(const std::string& data, std::vector<std::string> more) {
    std::vector<std::string> arguments = {"mcp", "--data", data};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  Process process_;
};

}  // namespace holdfast::testing
