// The MCP endpoint over HTTP: POST, GET and DELETE on /mcp. It knows HTTP and the MCP server, and
// carries messages between them; what the tools do is the registry's.
#pragma once

#include <memory>

#include "http/router.h"
#include "mcp/server.h"

namespace holdfast::surface::mcp {

// Mounted once; keep the result as long as the router.
class Surface {
 public:
  virtual ~Surface() = default;
};
std::unique_ptr<Surface> mount(http::Router& router, holdfast::mcp::Server& server);

}  // namespace holdfast::surface::mcp
