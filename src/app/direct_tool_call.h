// A call of a tool by the process that owns the data folder: what POST /mcp would answer, with
// values and nothing of HTTP or JSON between.
#pragma once

#include <string>

#include "app/engine.h"
#include "base/result.h"
#include "mcp/registry.h"

namespace holdfast::app {

struct DirectToolCall {
  const mcp::ToolCall& call;  // made in the name of the folder's owner
  const std::string& working_folder;
  const std::string& idempotency_key;  // empty: this is no repetition
};

// Counted like a request to /mcp. The tool's own errors; kInvalidArgument if there is no such tool.
Result<mcp::ToolResult> direct_tool_call(Engine& engine, const std::string& name,
                                         const DirectToolCall& wanted);

}  // namespace holdfast::app
