#include "mcp/encode.h"

#include "base/digest.h"
#include "model/json_text.h"

namespace holdfast::mcp {
namespace {

void set_if(Value& object, std::string_view name, const std::string& text) {
  if (!text.empty()) object.set(name, text);
}

void set_if(Value& object, std::string_view name, const std::optional<bool>& flag) {
  if (flag) object.set(name, *flag);
}

void set_title(Value& object, const std::string& title, Revision revision) {
  if (has_titles(revision)) set_if(object, "title", title);
}

Value encode_hints(const ToolHints& hints) {
  Value out = Value::object();
  set_if(out, "readOnlyHint", hints.read_only);
  set_if(out, "destructiveHint", hints.destructive);
  set_if(out, "idempotentHint", hints.idempotent);
  set_if(out, "openWorldHint", hints.open_world);
  return out;
}

}  // namespace

Value encode_identity(const Identity& identity, Revision revision) {
  Value out = Value::object({{"name", identity.name}, {"version", identity.version}});
  set_title(out, identity.title, revision);
  return out;
}

Value encode_capabilities(const Features& features, Revision revision) {
  const bool changed = features.list_changed;
  Value out = Value::object(
      {{"tools", Value::object({{"listChanged", changed}})},
       {"resources", Value::object({{"subscribe", features.subscribe}, {"listChanged", changed}})},
       {"prompts", Value::object({{"listChanged", changed}})}});
  if (features.completions && has_completions_capability(revision))
    out.set("completions", Value::object());
  if (features.logging) out.set("logging", Value::object());
  return out;
}

Value encode_tool(const Tool& tool, Revision revision) {
  Value out = Value::object({{"name", tool.name}});
  set_title(out, tool.title, revision);
  out.set("description", tool.description);
  out.set("inputSchema", tool.input_schema);
  if (!tool.output_schema.is_null() && has_structured_content(revision))
    out.set("outputSchema", tool.output_schema);
  Value hints = encode_hints(tool.hints);
  if (has_annotations(revision) && !hints.if_object()->empty())
    out.set("annotations", std::move(hints));
  return out;
}

Value encode_resource(const Resource& resource, Revision revision) {
  Value out = Value::object({{"uri", resource.uri}, {"name", resource.name}});
  set_title(out, resource.title, revision);
  set_if(out, "description", resource.description);
  set_if(out, "mimeType", resource.mime_type);
  return out;
}

Value encode_template(const ResourceTemplate& item, Revision revision) {
  Value out = Value::object({{"uriTemplate", item.uri_template}, {"name", item.name}});
  set_title(out, item.title, revision);
  set_if(out, "description", item.description);
  set_if(out, "mimeType", item.mime_type);
  return out;
}

Value encode_prompt(const Prompt& prompt, Revision revision) {
  Value out = Value::object({{"name", prompt.name}});
  set_title(out, prompt.title, revision);
  out.set("description", prompt.description);
  Value arguments = Value::array();
  for (const PromptArgument& argument : prompt.arguments) {
    Value entry = Value::object({{"name", argument.name}});
    set_if(entry, "description", argument.description);
    entry.set("required", argument.required);
    arguments.push(std::move(entry));
  }
  out.set("arguments", std::move(arguments));
  return out;
}

Value encode_tool_result(ToolResult result, Revision revision) {
  Value out = Value::object();
  if (result.content.is_null()) {
    const bool as_text = result.text.empty() && !result.structured.is_null();
    result.content.push(text_block(as_text ? to_json(result.structured) : std::move(result.text)));
  }
  out.set("content", std::move(result.content));
  // Before the modern era only an object could be structured content.
  const bool fits = result.structured.is_object() || revision >= kModern;
  if (!result.structured.is_null() && has_structured_content(revision) && fits)
    out.set("structuredContent", std::move(result.structured));
  out.set("isError", result.is_error);
  return out;
}

Value encode_content(const std::string& uri, const std::string& mime_type,
                     const ResourceContent& content) {
  Value out = Value::object({{"uri", uri}});
  set_if(out, "mimeType", content.mime_type.empty() ? mime_type : content.mime_type);
  if (content.blob.empty()) {
    out.set("text", content.text);
  } else {
    out.set("blob", base64_encode(content.blob));
  }
  return out;
}

Value text_block(std::string text) {
  Value block = Value::object({{"type", "text"}});
  block.set("text", std::move(text));
  return block;
}

}  // namespace holdfast::mcp
