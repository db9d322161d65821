// The four tools.
#pragma once

#include "surface/substrate/mode_tool.h"
#include "surface/substrate/services.h"

namespace holdfast::surface::substrate {

ModeTool ingest_tool(const Services& services);
ModeTool query_tool(const Services& services);
ModeTool remember_tool(const Services& services);
ModeTool maintain_tool(const Services& services);

}  // namespace holdfast::surface::substrate
