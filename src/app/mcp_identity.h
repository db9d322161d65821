// How the program presents itself to MCP clients, over HTTP and on stdio alike.
#pragma once

#include "app/version.h"
#include "mcp/encode.h"

namespace holdfast::app {

inline mcp::Identity mcp_identity() {
  return {.name = "memory-substrate", .version = std::string(kVersion), .title = "Holdfast"};
}

}  // namespace holdfast::app
