#include "surface/substrate/mode_tool.h"

#include <fmt/format.h>

#include "surface/substrate/validation_text.h"

namespace holdfast::surface::substrate {
namespace {

const Mode* find_mode(const ModeTool& tool, std::string_view name) {
  for (const Mode& mode : tool.modes) {
    if (mode.name == name) return &mode;
  }
  return nullptr;
}

std::vector<std::string> mode_names(const ModeTool& tool) {
  std::vector<std::string> names;
  for (const Mode& mode : tool.modes) names.push_back(mode.name);
  return names;
}

Value input_schema(const ModeTool& tool) {
  Value definitions = Value::object();
  Value choices = Value::array();
  Value mapping = Value::object();
  for (const Mode& mode : tool.modes) {
    const std::string reference = "#/$defs/" + mode.name;
    definitions.set(mode.name, mode.schema);
    choices.push(Value::object({{"$ref", reference}}));
    mapping.set(mode.name, reference);
  }
  const Value args = Value::object(
      {{"description", "What to do: mode, input_data and, where the mode has some, options."},
       {"oneOf", std::move(choices)},
       {"discriminator",
        Value::object({{"propertyName", "mode"}, {"mapping", std::move(mapping)}})}});
  return Value::object({{"type", "object"},
                        {"properties", Value::object({{"args", args}})},
                        {"required", Value::array({"args"})},
                        {"$defs", std::move(definitions)}});
}

// Finds the mode; problems with the way to it are worded like those inside it.
Result<std::string> run(const ModeTool& tool, const mcp::ToolCall& call) {
  const Value* args = call.arguments.find("args");
  if (args == nullptr) return args_issue(tool.name, missing_args());
  if (!args->is_object()) return args_issue(tool.name, args_of_wrong_type(*args));
  const Value* name = args->find("mode");
  const auto* text = name != nullptr ? name->if_string() : nullptr;
  if (text == nullptr) return args_issue(tool.name, missing_tag(*args));
  const Mode* mode = find_mode(tool, *text);
  if (mode == nullptr) return args_issue(tool.name, unknown_tag(*text, mode_names(tool)));
  auto answer = mode->run(
      {.call = call.call, .client = call.client, .working_folder = call.working_folder}, *args);
  if (answer || answer.error().reason != wire::reason::kValidation) return answer;
  Error error = std::move(answer).error();
  error.message = validation_text(tool.name, mode->name, error.issues);
  return error;
}

bool is_ours_to_word(const Error& error) {
  return error.code != ErrorCode::kInternal && error.code != ErrorCode::kCorrupted;
}

}  // namespace

const wire::Strictness& strictness() {
  static const wire::Strictness value{.coerce_scalars = true};
  return value;
}

std::string from_caller(const ModeCall& call, const std::string& path) {
  const bool relative = !path.empty() && !path.starts_with('/') && !path.starts_with('~');
  return relative && !call.working_folder.empty() ? call.working_folder + "/" + path : path;
}

wire::FieldOption free_form() {
  return wire::rule_of(
      [](const Value& value, wire::Reading& reading) {
        if (!value.is_object()) reading.add_type("object", value);
      },
      [](Value& schema) { schema.set("type", "object"); });
}

mcp::Tool make_tool(const ModeTool& declared) {
  const auto answer = [declared](const mcp::ToolCall& call) -> Result<mcp::ToolResult> {
    auto result = run(declared, call);
    if (result) return mcp::ToolResult{.text = std::move(*result)};
    if (!is_ours_to_word(result.error())) return std::move(result).error();
    return mcp::ToolResult{
        .text = fmt::format("Error executing tool {}: {}", declared.name, result.error().message),
        .is_error = true};
  };
  return {.name = declared.name,
          .title = declared.title,
          .description = declared.description,
          .input_schema = input_schema(declared),
          .hints = declared.hints,
          .scope = declared.scope,
          .run = answer};
}

}  // namespace holdfast::surface::substrate
