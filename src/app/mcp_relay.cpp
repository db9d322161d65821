#include "app/mcp_relay.h"

#include <memory>

#include "app/relay_call.h"
#include "base/digest.h"

namespace holdfast::app {
namespace {

using LinkPtr = std::shared_ptr<RelayLink>;  // shared by all the items of the group

std::string text_of(const Value& object, std::string_view name) {
  const Value* member = object.find(name);
  return member != nullptr && member->is_string() ? *member->if_string() : std::string();
}

Value value_of(const Value& object, std::string_view name) {
  const Value* member = object.find(name);
  return member != nullptr ? *member : Value();
}

std::optional<bool> flag_of(const Value& object, std::string_view name) {
  const Value* member = object.find(name);
  if (member == nullptr || !member->is_bool()) return std::nullopt;
  return *member->if_bool();
}

mcp::Tool relayed_tool(const Value& entry, const LinkPtr& link) {
  const Value hints = value_of(entry, "annotations");
  mcp::Tool tool{.name = text_of(entry, "name"),
                 .title = text_of(entry, "title"),
                 .description = text_of(entry, "description"),
                 .input_schema = value_of(entry, "inputSchema"),
                 .output_schema = value_of(entry, "outputSchema"),
                 .hints = {.read_only = flag_of(hints, "readOnlyHint"),
                           .destructive = flag_of(hints, "destructiveHint"),
                           .idempotent = flag_of(hints, "idempotentHint"),
                           .open_world = flag_of(hints, "openWorldHint")},
                 .run = {}};
  tool.run = [link, name = tool.name](const mcp::ToolCall& call) {
    return link->call_tool(name, call);
  };
  return tool;
}

Result<mcp::ResourceContent> read_resource(const RelayLink& link, const mcp::ItemCall& call) {
  HOLDFAST_TRY(const Value result, link.request({.method = "resources/read",
                                                 .params = Value::object({{"uri", call.item}}),
                                                 .item = call.item,
                                                 .client = &call.client}));
  const Value contents = value_of(result, "contents");
  if (!contents.is_array() || contents.if_array()->empty())
    return internal_error("the owner answered without contents");
  const Value& content = contents.if_array()->front();
  return mcp::ResourceContent{.text = text_of(content, "text"),
                              .blob = base64_decode(text_of(content, "blob")).value_or(""),
                              .mime_type = text_of(content, "mimeType")};
}

mcp::Resource relayed_resource(const Value& entry, const LinkPtr& link) {
  // The documents of the program are the same wherever they are read.
  return {.uri = text_of(entry, "uri"),
          .name = text_of(entry, "name"),
          .title = text_of(entry, "title"),
          .description = text_of(entry, "description"),
          .mime_type = text_of(entry, "mimeType"),
          .fixed = true,
          .read = [link](const mcp::ItemCall& call) { return read_resource(*link, call); }};
}

mcp::ResourceTemplate relayed_template(const Value& entry, const LinkPtr& link) {
  return {.uri_template = text_of(entry, "uriTemplate"),
          .name = text_of(entry, "name"),
          .title = text_of(entry, "title"),
          .description = text_of(entry, "description"),
          .mime_type = text_of(entry, "mimeType"),
          .read = [link](const mcp::ItemCall& call) { return read_resource(*link, call); }};
}

Result<mcp::PromptResult> get(const RelayLink& link, const mcp::ItemCall& call) {
  Value arguments = Value::object();
  for (const auto& [name, value] : call.arguments) arguments.set(name, value);
  HOLDFAST_TRY(const Value result,
               link.request({.method = "prompts/get",
                             .params = Value::object(
                                 {{"name", call.item}, {"arguments", std::move(arguments)}}),
                             .item = call.item,
                             .client = &call.client}));
  return mcp::PromptResult{.description = text_of(result, "description"),
                           .messages = value_of(result, "messages")};
}

mcp::Prompt relayed_prompt(const Value& entry, const LinkPtr& link) {
  mcp::Prompt prompt{.name = text_of(entry, "name"),
                     .title = text_of(entry, "title"),
                     .description = text_of(entry, "description"),
                     .get = [link](const mcp::ItemCall& call) { return get(*link, call); }};
  const Value arguments = value_of(entry, "arguments");
  if (!arguments.is_array()) return prompt;
  for (const Value& argument : *arguments.if_array()) {
    prompt.arguments.push_back({.name = text_of(argument, "name"),
                                .description = text_of(argument, "description"),
                                .required = flag_of(argument, "required").value_or(false)});
  }
  return prompt;
}

// Each entry of a list, as `add` takes it.
template <typename Add>
Status each(const RelayLink& link, const char* method, const char* member, Add add) {
  HOLDFAST_TRY(const Value result, link.request({.method = method}));
  const Value entries = value_of(result, member);
  if (!entries.is_array()) return internal_error("the owner answered without a list");
  for (const Value& entry : *entries.if_array()) add(entry);
  return {};
}

}  // namespace

Result<mcp::Group> make_relay(Caller& caller, const std::string& space, const mcp::Registry& own) {
  const auto link = std::make_shared<RelayLink>(caller, space);
  mcp::Group group{.name = "relay"};
  HOLDFAST_TRY(const Value discovered, link->request({.method = "server/discover"}));
  group.instructions = text_of(discovered, "instructions");
  HOLDFAST_CHECK_OK(each(*link, "tools/list", "tools", [&](const Value& entry) {
    if (own.tool(text_of(entry, "name")) == nullptr)
      group.tools.push_back(relayed_tool(entry, link));
  }));
  HOLDFAST_CHECK_OK(each(*link, "resources/list", "resources", [&](const Value& entry) {
    if (own.resource(text_of(entry, "uri")) == nullptr)
      group.resources.push_back(relayed_resource(entry, link));
  }));
  HOLDFAST_CHECK_OK(
      each(*link, "resources/templates/list", "resourceTemplates", [&](const Value& entry) {
        if (own.resource_template(text_of(entry, "uriTemplate")) == nullptr)
          group.templates.push_back(relayed_template(entry, link));
      }));
  HOLDFAST_CHECK_OK(each(*link, "prompts/list", "prompts", [&](const Value& entry) {
    if (own.prompt(text_of(entry, "name")) == nullptr)
      group.prompts.push_back(relayed_prompt(entry, link));
  }));
  return group;
}

}  // namespace holdfast::app
