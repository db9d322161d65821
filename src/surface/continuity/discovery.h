// What the continuity API says about itself, made from the operations it serves.
#pragma once

#include <deque>
#include <string>

#include "surface/continuity/operations.h"

namespace holdfast::surface::continuity {

struct Catalogue {
  const std::deque<Operation>& operations;
  std::string version = {};
  std::string contract_version = {};
};

Value tools_document(const Catalogue& catalogue);
Value workflows_document();
Value discovery_document(const Catalogue& catalogue);
Value capabilities_document();
Value features_document();
Value manifest_document(const Catalogue& catalogue);
Value contracts_document(const Catalogue& catalogue);
// A tool as MCP lists it.
Value mcp_tool(const Operation& operation);

}  // namespace holdfast::surface::continuity
