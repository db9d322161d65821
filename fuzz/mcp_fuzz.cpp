// Bytes as lines of stdio and as bodies of /mcp, through both eras, without a carrier. The first
// byte decides where they go and how they are cut.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "base/log.h"
#include "mcp/lines.h"
#include "mcp/protocol.h"
#include "mcp/server.h"
#include "mcp/stdio_server.h"
#include "model/json_text.h"

using namespace holdfast;

namespace {

mcp::Registry make_registry() {
  mcp::Group group{
      .name = "fuzz",
      .features = {.list_changed = true, .subscribe = true, .completions = true, .logging = true}};
  group.tools.push_back(
      {.name = "t",
       .description = "Echoes.",
       .input_schema = *parse_json(
           R"({"type":"object","properties":{
                                 "r":{"type":"string","x-mcp-header":"R"}}})"),
       .run = [](const mcp::ToolCall& call) -> Result<mcp::ToolResult> {
         if (call.client.input("k") == nullptr && call.client.can("roots")) {
           return mcp::ToolResult{
               .input = mcp::InputRound{.requests = *parse_json(R"({"k":{"method":"roots/list"}})"),
                                        .state = 1}};
         }
         call.client.progress({.done = 1});
         call.client.log(mcp::LogLevel::kError, "x");
         return mcp::ToolResult{.structured = call.arguments};
       }});
  group.templates.push_back({.uri_template = "u://{a}/{b}",
                             .name = "u",
                             .read = [](const mcp::ItemCall& call) -> Result<mcp::ResourceContent> {
                               return mcp::ResourceContent{.text = call.arguments.at("a")};
                             }});
  group.prompts.push_back({.name = "p",
                           .description = "Asks.",
                           .get = [](const mcp::ItemCall&) -> Result<mcp::PromptResult> {
                             return mcp::PromptResult{};
                           }});
  mcp::Registry registry;
  HOLDFAST_ASSERT(registry.add(std::move(group)).has_value());
  return registry;
}

struct Target {
  mcp::Registry registry = make_registry();
  mcp::Changes changes;
  SystemClock clock;
  mcp::Server server{{registry, changes, {"f", "1", "F"}, clock}};
};

// Everything that is said must be JSON-RPC, on one line, without a null id.
void check(const Value& message) {
  const std::string text = to_json(message);
  HOLDFAST_ASSERT(text.find('\n') == std::string::npos);
  HOLDFAST_ASSERT(parse_json(text, {.max_depth = 2 * mcp::kMaxDepth}).has_value());
  if (const auto* list = message.if_array()) {
    for (const Value& part : *list) check(part);
    return;
  }
  HOLDFAST_ASSERT(*message.find("jsonrpc") == Value("2.0"));
  HOLDFAST_ASSERT(message.find("id") == nullptr || mcp::is_id(*message.find("id")));
}

class CheckingOutlet : public mcp::Outlet {
 public:
  bool send(const Value& message) override {
    check(message);
    return true;
  }
};

void post(Target& target, std::string_view text) {
  // Lines before an empty one are headers.
  wire::Headers headers;
  while (true) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) break;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (line.empty()) break;
    const size_t colon = line.find(':');
    if (colon != std::string_view::npos)
      headers.add(std::string(line.substr(0, colon)), std::string(line.substr(colon + 1)));
  }
  const CallContext call{.principal = PrincipalId{"p"}, .local_owner = true};
  CheckingOutlet outlet;
  const mcp::Answer answer =
      target.server.post({.call = call, .body = text, .headers = headers, .outlet = outlet});
  if (!answer.body.is_null()) check(answer.body);
  if (answer.stream) answer.stream->close();
}

void converse(Target& target, std::string_view text, size_t step) {
  mcp::StdioServer stdio({target.registry, target.changes, {"f", "1", "F"}, target.clock},
                         {.principal = PrincipalId{"p"}, .local_owner = true}, check);
  const auto take = [&](std::string_view line) {
    if (const mcp::StdioServer::Work work = stdio.line(line)) work()();
  };
  mcp::LineReader lines(1000, {.line = take, .too_long = [&] { stdio.line_too_long(); }});
  while (!text.empty()) {
    lines.feed(text.substr(0, step));
    text.remove_prefix(std::min(step, text.size()));
  }
  lines.finish();
  stdio.finish(std::chrono::milliseconds(1000));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Target target;
  static const bool quiet = (log::configure(log::Format::kText, log::Level::kOff), true);
  if (!quiet || size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 0) {
    post(target, text);
  } else {
    converse(target, text, 1 + data[0] / 2);
  }
  return 0;
}
