// Calling tools, reading resources, getting prompts.
#include <exception>

#include <fmt/format.h>

#include "base/log.h"
#include "mcp/methods.h"
#include "mcp/protocol.h"

namespace holdfast::mcp {
namespace {

bool is_defect(const Error& error) {
  return error.code == ErrorCode::kInternal || error.code == ErrorCode::kCorrupted;
}

// Writing is also allowed to whoever may write a part.
bool may(const CallContext& call, const std::string& scope) {
  if (scope.empty() || call.has_scope(scope)) return true;
  if (scope != "write") return false;
  for (const std::string& have : call.scopes) {
    if (have.starts_with("write:")) return true;
  }
  return false;
}

// A function of a surface, with the one barrier for what it throws.
template <typename T, typename Function>
Outcome<T> guarded(const CallContext& call, std::string_view where, const Function& function,
                   std::optional<Error>& failure) {
  try {
    Result<T> result = function();
    if (result) return std::move(*result);
    if (is_defect(result.error()))
      return fail(internal_failure(call, where, result.error().detail));
    failure = std::move(result.error());
    return T{};
  } catch (const std::exception& defect) {
    return fail(internal_failure(call, where, defect.what()));
  }
}

// `arguments` of a prompt: an object of strings with the required ones.
Outcome<std::map<std::string, std::string>> prompt_arguments(const Prompt& prompt,
                                                             const Message& request) {
  std::map<std::string, std::string> out;
  if (const Value* given = request.param("arguments")) {
    if (!given->is_object()) return fail(invalid_params("The arguments must be an object."));
    for (const Value::Member& member : *given->if_object()) {
      const std::string* text = member.value.if_string();
      if (text == nullptr) {
        return fail(
            invalid_params(fmt::format("The argument '{}' must be a string.", member.name)));
      }
      out[member.name] = *text;
    }
  }
  for (const PromptArgument& argument : prompt.arguments) {
    if (argument.required && !out.contains(argument.name))
      return fail(invalid_params(fmt::format("The argument '{}' is missing.", argument.name)));
  }
  return out;
}

std::string working_folder(const Turn& turn) {
  const Value* folder = turn.request.meta(meta::kWorkingFolder);
  const bool told = turn.call.local_process && folder != nullptr && folder->is_string();
  return told ? *folder->if_string() : std::string();
}

ToolResult tool_error(std::string text) { return {.text = std::move(text), .is_error = true}; }

const Value kNoValue;

}  // namespace

RpcError internal_failure(const CallContext& call, std::string_view where,
                          std::string_view detail) {
  log::error("mcp_request_failed",
             {{"request_id", call.request_id}, {"method", where}, {"detail", detail}});
  return {.code = code::kInternal, .message = "The server failed to answer this request."};
}

RpcError resource_not_found(const std::string& uri, Revision revision) {
  return {.code = revision >= kModern ? code::kInvalidParams : code::kResourceNotFound,
          .message = "There is no such resource.",
          .data = Value::object({{"uri", uri}})};
}

Outcome<std::string> string_param(const Message& request, std::string_view name) {
  const Value* value = request.param(name);
  if (value != nullptr && value->is_string()) return *value->if_string();
  return fail(invalid_params(fmt::format("The parameter '{}' must be a string.", name)));
}

Outcome<MethodResult> Methods::call_tool(Turn& turn) const {
  const auto name = string_param(turn.request, "name");
  if (!name) return fail(name.error());
  const Tool* tool = registry_.tool(*name);
  if (tool == nullptr) return fail(invalid_params("Unknown tool: " + *name));
  if (!may(turn.call, tool->scope)) {
    RpcError error = invalid_request(
        fmt::format("Calling {} needs the scope '{}'.", tool->name, tool->scope), 403);
    error.needed_scope = tool->scope;
    return fail(std::move(error));
  }
  static const Value kNoArguments = Value::object();
  const Value* given = turn.request.param("arguments");
  const Value& arguments = given != nullptr ? *given : kNoArguments;
  if (auto error = missing_capabilities(tool->needs, turn.client)) {
    if (turn.client.is_modern()) return fail(std::move(*error));
    return MethodResult{encode_tool_result(tool_error(error->message), turn.client.revision())};
  }
  if (!arguments.is_object()) return fail(invalid_params("The arguments must be an object."));
  const StateScope scope{.method = turn.request.method,
                         .item = *name,
                         .arguments = arguments,
                         .principal = turn.call.principal};
  if (auto error = take_round(scope, turn)) return fail(std::move(*error));
  auto result = run_tool(*tool, arguments, turn);
  if (!result) return fail(result.error());
  if (result->input) return ask_round(scope, *result->input, turn);
  return MethodResult{encode_tool_result(std::move(*result), turn.client.revision())};
}

Outcome<ToolResult> Methods::run_tool(const Tool& tool, const Value& arguments, Turn& turn) const {
  std::optional<Error> failure;
  auto result = guarded<ToolResult>(
      turn.call, tool.name,
      [&] {
        return tool.run({.call = turn.call,
                         .arguments = arguments,
                         .client = turn.client,
                         .working_folder = working_folder(turn)});
      },
      failure);
  if (failure) return tool_error(failure->message);
  if (result && result->input && !turn.client.is_modern())
    return tool_error(std::string(kNeedsModern));
  return result;
}

Outcome<MethodResult> Methods::read_resource(Turn& turn) const {
  const auto uri = string_param(turn.request, "uri");
  if (!uri) return fail(uri.error());
  const StateScope scope{.method = turn.request.method,
                         .item = *uri,
                         .arguments = kNoValue,
                         .principal = turn.call.principal};
  if (auto error = take_round(scope, turn)) return fail(std::move(*error));
  const Resource* resource = registry_.resource(*uri);
  auto matched = resource == nullptr ? registry_.match_template(*uri) : Registry::TemplateMatch();
  if (resource == nullptr && matched.item == nullptr)
    return fail(resource_not_found(*uri, turn.client.revision()));
  const auto& read = resource != nullptr ? resource->read : matched.item->read;
  const std::string& mime = resource != nullptr ? resource->mime_type : matched.item->mime_type;
  std::optional<Error> failure;
  const auto content = guarded<ResourceContent>(
      turn.call, *uri,
      [&] {
        return read({.call = turn.call,
                     .client = turn.client,
                     .item = *uri,
                     .arguments = std::move(matched.variables)});
      },
      failure);
  if (!content) return fail(content.error());
  if (failure && failure->code == ErrorCode::kNotFound)
    return fail(resource_not_found(*uri, turn.client.revision()));
  if (failure) return fail(internal_failure(turn.call, *uri, failure->message));
  if (content->input) return ask_round(scope, *content->input, turn);
  Value result = Value::object();
  result.set("contents", Value::array({encode_content(*uri, mime, *content)}));
  const bool fixed = resource != nullptr && resource->fixed;
  return MethodResult{std::move(result), fixed ? Cache::kPublic : Cache::kPrivate};
}

Outcome<MethodResult> Methods::get_prompt(Turn& turn) const {
  const auto name = string_param(turn.request, "name");
  if (!name) return fail(name.error());
  const Prompt* prompt = registry_.prompt(*name);
  if (prompt == nullptr) return fail(invalid_params("Unknown prompt: " + *name));
  auto arguments = prompt_arguments(*prompt, turn.request);
  if (!arguments) return fail(arguments.error());
  const Value* given = turn.request.param("arguments");
  const StateScope scope{.method = turn.request.method,
                         .item = *name,
                         .arguments = given != nullptr ? *given : kNoValue,
                         .principal = turn.call.principal};
  if (auto error = take_round(scope, turn)) return fail(std::move(*error));
  std::optional<Error> failure;
  const auto found = guarded<PromptResult>(
      turn.call, *name,
      [&] {
        return prompt->get({.call = turn.call,
                            .client = turn.client,
                            .item = *name,
                            .arguments = std::move(*arguments)});
      },
      failure);
  if (!found) return fail(found.error());
  if (failure) return fail(invalid_params(failure->message));
  if (found->input) return ask_round(scope, *found->input, turn);
  Value result = Value::object();
  if (!found->description.empty()) result.set("description", found->description);
  result.set("messages", found->messages.is_null() ? Value::array() : found->messages);
  return MethodResult{std::move(result)};
}

}  // namespace holdfast::mcp
