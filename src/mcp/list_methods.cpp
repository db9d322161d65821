// Lists and completion: what there is.
#include <algorithm>
#include <array>

#include "mcp/methods.h"
#include "mcp/protocol.h"

namespace holdfast::mcp {
namespace {

// Every list fits one page, so no cursor was ever issued.
std::optional<RpcError> check_cursor(const Message& request) {
  if (request.param("cursor") == nullptr) return std::nullopt;
  return invalid_params("This cursor was not issued here.");
}

template <typename Items, typename Encode>
Outcome<MethodResult> list(const Turn& turn, std::string_view member, const Items& items,
                           Encode encode) {
  if (auto error = check_cursor(turn.request)) return fail(std::move(*error));
  Value entries = Value::array();
  for (const auto& [key, item] : items) entries.push(encode(item, turn.client.revision()));
  Value result = Value::object();
  result.set(member, std::move(entries));
  return MethodResult{.result = std::move(result), .cache = Cache::kPublic};
}

const std::string* string_at(const Value* object, std::string_view name) {
  const Value* member = object != nullptr ? object->find(name) : nullptr;
  return member != nullptr ? member->if_string() : nullptr;
}

std::map<std::string, std::string> other_arguments(const Message& request) {
  std::map<std::string, std::string> others;
  const Value* context = request.param("context");
  const Value* given = context != nullptr ? context->find("arguments") : nullptr;
  if (given == nullptr || !given->is_object()) return others;
  for (const Value::Member& member : *given->if_object()) {
    if (const std::string* text = member.value.if_string()) others[member.name] = *text;
  }
  return others;
}

// Who completes what `ref` names; nothing if that does not exist.
std::optional<Complete> completer(const Registry& registry, const Value* ref) {
  const std::string* type = string_at(ref, "type");
  if (type != nullptr && *type == "ref/prompt") {
    const std::string* name = string_at(ref, "name");
    const Prompt* prompt = name != nullptr ? registry.prompt(*name) : nullptr;
    if (prompt != nullptr) return prompt->complete;
  }
  if (type != nullptr && *type == "ref/resource") {
    const std::string* uri = string_at(ref, "uri");
    const ResourceTemplate* item = uri != nullptr ? registry.resource_template(*uri) : nullptr;
    if (item != nullptr) return item->complete;
  }
  return std::nullopt;
}

}  // namespace

Methods::Function Methods::find(std::string_view method) const {
  struct Entry {
    std::string_view name;
    Function function;
  };
  static constexpr std::array<Entry, 8> kMethods = {{
      {"tools/list", &Methods::list_tools},
      {"tools/call", &Methods::call_tool},
      {"resources/list", &Methods::list_resources},
      {"resources/templates/list", &Methods::list_templates},
      {"resources/read", &Methods::read_resource},
      {"prompts/list", &Methods::list_prompts},
      {"prompts/get", &Methods::get_prompt},
      {"completion/complete", &Methods::complete},
  }};
  for (const Entry& entry : kMethods) {
    if (entry.name != method) continue;
    const bool offered = method != "completion/complete" || registry_.features().completions;
    return offered ? entry.function : nullptr;
  }
  return nullptr;
}

Outcome<MethodResult> Methods::list_tools(Turn& turn) const {
  return list(turn, "tools", registry_.tools(), encode_tool);
}

Outcome<MethodResult> Methods::list_resources(Turn& turn) const {
  return list(turn, "resources", registry_.resources(), encode_resource);
}

Outcome<MethodResult> Methods::list_templates(Turn& turn) const {
  return list(turn, "resourceTemplates", registry_.templates(), encode_template);
}

Outcome<MethodResult> Methods::list_prompts(Turn& turn) const {
  return list(turn, "prompts", registry_.prompts(), encode_prompt);
}

Outcome<MethodResult> Methods::complete(Turn& turn) const {
  const auto completes = completer(registry_, turn.request.param("ref"));
  if (!completes) return fail(invalid_params("There is no such prompt or resource template."));
  const Value* argument = turn.request.param("argument");
  const std::string* name = string_at(argument, "name");
  const std::string* value = string_at(argument, "value");
  if (name == nullptr || value == nullptr)
    return fail(invalid_params("The argument needs a name and a value, both strings."));
  const auto offers = *completes ? (*completes)(*name, *value, other_arguments(turn.request))
                                 : std::vector<std::string>();
  const size_t shown = std::min(offers.size(), kMaxCompletions);
  Value values = Value::array();
  for (size_t i = 0; i < shown; ++i) values.push(offers[i]);
  return MethodResult{.result = Value::object(
                          {{"completion", Value::object({{"values", std::move(values)},
                                                         {"total", offers.size()},
                                                         {"hasMore", offers.size() > shown}})}})};
}

}  // namespace holdfast::mcp
