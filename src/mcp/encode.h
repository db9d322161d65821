// How the items of a registry look on the wire, in each revision.
#pragma once

#include "mcp/registry.h"
#include "mcp/revision.h"

namespace holdfast::mcp {

struct Identity {
  std::string name;
  std::string version;
  std::string title;
};

Value encode_identity(const Identity& identity, Revision revision);
Value encode_capabilities(const Features& features, Revision revision);

// The members of one entry in a list.
Value encode_tool(const Tool& tool, Revision revision);
Value encode_resource(const Resource& resource, Revision revision);
Value encode_template(const ResourceTemplate& item, Revision revision);
Value encode_prompt(const Prompt& prompt, Revision revision);

// {content, structuredContent, isError}; not for results that ask for input.
Value encode_tool_result(ToolResult result, Revision revision);
// {uri, mimeType, text or blob}
Value encode_content(const std::string& uri, const std::string& mime_type,
                     const ResourceContent& content);
Value text_block(std::string text);

}  // namespace holdfast::mcp
