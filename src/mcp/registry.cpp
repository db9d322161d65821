#include "mcp/registry.h"

#include <algorithm>

#include <fmt/format.h>

namespace holdfast::mcp {
namespace {

bool is_tool_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '-';
  });
}

Status check_tool(const Tool& tool) {
  const auto wrong = [&](std::string_view what) {
    return invalid_argument(fmt::format("The tool '{}' {}.", tool.name, what));
  };
  if (!is_tool_name(tool.name)) return wrong("has a name that is not [A-Za-z0-9_.-]{1,64}");
  if (tool.description.empty() || !tool.run) return wrong("needs a description and a function");
  for (const Value* schema : {&tool.input_schema, &tool.output_schema}) {
    if (schema->is_null()) continue;
    const Value* type = schema->find("type");
    if (type == nullptr || *type != Value("object"))
      return wrong("has a schema whose root is no object");
  }
  if (const auto mirrored = mirrored_parameters(tool.input_schema); !mirrored)
    return wrong("has a wrong schema: " + mirrored.error().message);
  return {};
}

Status taken(std::string_view what, const std::string& name) {
  return invalid_argument(fmt::format("There are two {} '{}'.", what, name));
}

// One or more characters other than a slash for each {variable}; the rest literally.
std::optional<std::map<std::string, std::string>> match(std::string_view pattern,
                                                        std::string_view uri) {
  std::map<std::string, std::string> variables;
  while (!pattern.empty()) {
    const size_t open = pattern.find('{');
    const std::string_view literal = pattern.substr(0, open);
    if (!uri.starts_with(literal)) return std::nullopt;
    uri.remove_prefix(literal.size());
    if (open == std::string_view::npos) break;
    const size_t close = pattern.find('}', open);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string name(pattern.substr(open + 1, close - open - 1));
    pattern.remove_prefix(close + 1);
    const std::string_view next = pattern.substr(0, pattern.find('{'));
    size_t end = next.empty() ? uri.size() : uri.find(next);
    end = std::min({end, uri.find('/'), uri.size()});
    if (end == 0) return std::nullopt;
    variables[name] = uri.substr(0, end);
    uri.remove_prefix(end);
  }
  if (!uri.empty()) return std::nullopt;
  return variables;
}

// The item of that key, or nullptr.
template <typename Items>
const typename Items::mapped_type* find(const Items& items, std::string_view key) {
  const auto it = items.find(key);
  return it != items.end() ? &it->second : nullptr;
}

// The first item of `added` whose key is in `items` or given twice.
template <typename Items, typename Added, typename Key>
const std::string* first_taken(const Items& items, const Added& added, Key key) {
  std::vector<std::string_view> seen;
  for (const auto& item : added) {
    const std::string& name = item.*key;
    if (items.contains(name) || std::ranges::find(seen, name) != seen.end()) return &name;
    seen.emplace_back(name);
  }
  return nullptr;
}

}  // namespace

Status Registry::check(const Group& group) const {
  for (const Tool& tool : group.tools) HOLDFAST_CHECK_OK(check_tool(tool));
  for (const Prompt& prompt : group.prompts) {
    if (prompt.name.empty() || prompt.description.empty() || !prompt.get) {
      return invalid_argument(fmt::format(
          "The prompt '{}' needs a name, a description and a function.", prompt.name));
    }
  }
  for (const Resource& resource : group.resources) {
    if (resource.uri.empty() || resource.name.empty() || !resource.read) {
      return invalid_argument(
          fmt::format("The resource '{}' needs a URI, a name and a function.", resource.uri));
    }
  }
  if (const auto* name = first_taken(tools_, group.tools, &Tool::name))
    return taken("tools", *name);
  if (const auto* uri = first_taken(resources_, group.resources, &Resource::uri))
    return taken("resources", *uri);
  if (const auto* uri = first_taken(templates_, group.templates, &ResourceTemplate::uri_template))
    return taken("resource templates", *uri);
  if (const auto* name = first_taken(prompts_, group.prompts, &Prompt::name))
    return taken("prompts", *name);
  return {};
}

Status Registry::add(Group group) {
  HOLDFAST_CHECK_OK(check(group));
  for (Tool& tool : group.tools) {
    if (tool.input_schema.is_null()) {
      tool.input_schema = Value::object({{"type", "object"}, {"additionalProperties", false}});
    }
    const std::string name = tool.name;
    mirrored_[name] = *mirrored_parameters(tool.input_schema);  // check() has seen that it is right
    tools_.emplace(name, std::move(tool));
  }
  for (Resource& resource : group.resources) {
    const std::string uri = resource.uri;
    resources_.emplace(uri, std::move(resource));
  }
  for (ResourceTemplate& item : group.templates) {
    const std::string uri = item.uri_template;
    templates_.emplace(uri, std::move(item));
  }
  for (Prompt& prompt : group.prompts) {
    const std::string name = prompt.name;
    prompts_.emplace(name, std::move(prompt));
  }
  if (!group.instructions.empty()) {
    if (!instructions_.empty()) instructions_ += "\n\n";
    instructions_ += group.instructions;
  }
  features_.list_changed = features_.list_changed || group.features.list_changed;
  features_.subscribe = features_.subscribe || group.features.subscribe;
  features_.completions = features_.completions || group.features.completions;
  features_.logging = features_.logging || group.features.logging;
  return {};
}

const Tool* Registry::tool(std::string_view name) const { return find(tools_, name); }
const Resource* Registry::resource(std::string_view uri) const { return find(resources_, uri); }
const Prompt* Registry::prompt(std::string_view name) const { return find(prompts_, name); }
const ResourceTemplate* Registry::resource_template(std::string_view uri_template) const {
  return find(templates_, uri_template);
}

Registry::TemplateMatch Registry::match_template(std::string_view uri) const {
  for (const auto& [pattern, item] : templates_) {
    if (auto variables = match(pattern, uri)) return {&item, std::move(*variables)};
  }
  return {};
}

const std::vector<MirroredParameter>& Registry::mirrored(const Tool& tool) const {
  return mirrored_.at(tool.name);
}

bool Registry::has_resource(std::string_view uri) const {
  return resource(uri) != nullptr || match_template(uri).item != nullptr;
}

}  // namespace holdfast::mcp
