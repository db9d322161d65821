// The recall surface for MCP clients: five tools, offered only where the settings ask for them.
#pragma once

#include "mcp/registry.h"
#include "surface/recall/surface.h"

namespace holdfast::surface::recall {

// The services outlive the group.
mcp::Group make_group(const Services& services);

}  // namespace holdfast::surface::recall
