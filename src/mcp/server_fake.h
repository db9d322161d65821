// A registry with one item of each kind, and ways to send messages to a server over it; for tests.
#pragma once

#include <string>
#include <vector>

#include "mcp/protocol.h"
#include "mcp/server.h"
#include "model/json_text.h"

namespace holdfast::mcp {

// Keeps what was sent before the answer.
class RecordingOutlet : public Outlet {
 public:
  bool send(const Value& message) override {
    sent.push_back(message);
    return takes;
  }
  bool is_lost() const override { return lost; }

  std::vector<Value> sent = {};
  bool takes = true;
  bool lost = false;
};

inline Group fake_group() {
  Group group{.name = "fake",
              .instructions = "how to use it",
              .features = {.subscribe = true, .completions = true, .logging = true}};
  group.tools.push_back({.name = "echo",
                         .title = "Echo",
                         .description = "Says the arguments.",
                         .output_schema = Value::object({{"type", "object"}}),
                         .hints = {.read_only = true},
                         .run = [](const ToolCall& call) -> Result<ToolResult> {
                           return ToolResult{.structured = call.arguments};
                         }});
  group.tools.push_back({.name = "write",
                         .description = "Needs a scope.",
                         .scope = "write",
                         .run = [](const ToolCall& call) -> Result<ToolResult> {
                           return ToolResult{.text = call.call.idempotency_key};
                         }});
  group.tools.push_back({.name = "broken",
                         .description = "Throws.",
                         .run = [](const ToolCall&) -> Result<ToolResult> {
                           throw std::runtime_error("secret cause");
                         }});
  group.tools.push_back({.name = "refusing",
                         .description = "Fails.",
                         .run = [](const ToolCall&) -> Result<ToolResult> {
                           return invalid_argument("That cannot be.");
                         }});
  group.tools.push_back({.name = "reporting",
                         .description = "Reports progress and logs.",
                         .run = [](const ToolCall& call) -> Result<ToolResult> {
                           call.client.progress({.done = 1, .total = 2, .message = "half"});
                           call.client.log(LogLevel::kInfo, "said");
                           return ToolResult{.text = "done"};
                         }});
  group.resources.push_back({.uri = "fake://doc",
                             .name = "doc",
                             .title = "A document",
                             .fixed = true,
                             .read = [](const ItemCall&) -> Result<ResourceContent> {
                               return ResourceContent{.text = "text"};
                             }});
  group.resources.push_back({.uri = "fake://data",
                             .name = "data",
                             .read = [](const ItemCall&) -> Result<ResourceContent> {
                               return ResourceContent{.blob = "\xff"};
                             }});
  group.prompts.push_back(
      {.name = "ask",
       .description = "Asks.",
       .arguments = {{.name = "what", .required = true}},
       .get =
           [](const ItemCall& call) -> Result<PromptResult> {
         return PromptResult{.messages = Value::array({call.arguments.at("what")})};
       },
       .complete =
           [](const std::string&, const std::string& value,
              const std::map<std::string, std::string>&) {
             return std::vector<std::string>(150, value + "!");
           }});
  return group;
}

inline CallContext fake_call(const std::string& principal = "anna") {
  return {.principal = PrincipalId{principal}, .scopes = {"read"}};
}

// params with the metadata of a modern request.
inline Value modern_params(std::string_view params = "{}", std::string_view more_meta = "{}") {
  Value value = *parse_json(params);
  Value meta = *parse_json(more_meta);
  meta.set(meta::kProtocolVersion, "2026-07-28");
  if (meta.find(meta::kClientCapabilities) == nullptr)
    meta.set(meta::kClientCapabilities, Value::object());
  value.set("_meta", std::move(meta));
  return value;
}

inline std::string request_text(std::string_view method, const Value& params, const Value& id = 1) {
  return to_json(request_message(id, method, params));
}

// The member at a path like "error.code", or null.
inline Value member(const Value& root, std::string_view path) {
  const Value* here = &root;
  while (!path.empty() && here != nullptr) {
    const size_t dot = path.find('.');
    here = here->find(path.substr(0, dot));
    path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  }
  return here != nullptr ? *here : Value();
}

}  // namespace holdfast::mcp
