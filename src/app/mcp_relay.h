// What the owner of a data folder offers to MCP clients, offered again by this process: every call
// goes to whoever owns the folder at that moment, as a stateless request (relay_call.h). So the
// protocol's state is with the process that the client talks to, and the owner may change between,
// or in the middle of, two calls.
#pragma once

#include <string>

#include "app/caller.h"
#include "mcp/registry.h"

namespace holdfast::app {

// Asks the owner for its lists. `caller` outlives the group; calls are made in `space` (empty: the
// default). Items that `own` has already are left out.
Result<mcp::Group> make_relay(Caller& caller, const std::string& space, const mcp::Registry& own);

}  // namespace holdfast::app
