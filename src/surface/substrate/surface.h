// The memory tools, resources and prompts as one MCP group.
#pragma once

#include "mcp/registry.h"
#include "surface/substrate/services.h"

namespace holdfast::surface::substrate {

// Everything in `services` outlives the registry the group is added to.
holdfast::mcp::Group group(const Services& services);

}  // namespace holdfast::surface::substrate
