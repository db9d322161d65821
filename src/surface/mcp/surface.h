// The MCP endpoint over HTTP: POST, GET and DELETE on /mcp. It knows HTTP and the MCP server, and
// carries messages between them; what the tools do is the registry's.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "http/router.h"
#include "mcp/server.h"

namespace holdfast::surface::mcp {

// An OAuth authorization server whose tokens are accepted beside the server's own.
struct OAuthFace {
  std::string issuer;
  std::string public_url;                            // of this server, without a slash at the end
  const access::Authenticator* authenticator = nullptr;  // takes both kinds of tokens
};
// The canonical URL of the endpoint: what tokens must be made for.
std::string resource_url(const std::string& public_url);

// Mounted once; keep the result as long as the router.
class Surface {
 public:
  virtual ~Surface() = default;
};
std::unique_ptr<Surface> mount(http::Router& router, holdfast::mcp::Server& server,
                               const std::optional<OAuthFace>& oauth = std::nullopt);

}  // namespace holdfast::surface::mcp
