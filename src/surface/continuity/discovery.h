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

// A document that everyone may read, made from the whole table of operations.
struct Document {
  const char* tool;  // its name behind "system."; nullptr: it is no tool
  const char* path;
  const char* description;
  Value (*make)(const Catalogue&);
};
const std::vector<Document>& documents();
// A tool as MCP lists it.
Value mcp_tool(const Operation& operation);

}  // namespace holdfast::surface::continuity
