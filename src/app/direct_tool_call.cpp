#include "app/direct_tool_call.h"

#include <chrono>

namespace holdfast::app {
namespace {

// A request that HTTP did not see, in the same numbers.
class Counted {
 public:
  explicit Counted(Engine& engine) : engine_(engine) { engine_.metrics().request_began(); }
  ~Counted() {
    engine_.mcp_metrics().count(200, std::chrono::steady_clock::now() - began_);
    engine_.metrics().request_ended();
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  Engine& engine_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace

Result<mcp::ToolResult> direct_tool_call(Engine& engine, const std::string& name,
                                         const DirectToolCall& wanted) {
  const Counted counted(engine);
  const mcp::Tool* tool = engine.registry().tool(name);
  if (tool == nullptr) return invalid_argument("Unknown tool: " + name);
  const auto run = [&](const CallContext& call) {
    return tool->run({.call = call,
                      .arguments = wanted.call.arguments,
                      .client = wanted.call.client,
                      .working_folder = wanted.working_folder});
  };
  if (wanted.idempotency_key.empty()) return run(wanted.call.call);
  CallContext again = wanted.call.call;
  again.idempotency_key = wanted.idempotency_key;
  return run(again);
}

}  // namespace holdfast::app
