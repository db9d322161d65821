#include "wire/openapi.h"

#include <algorithm>
#include <set>

namespace holdfast::wire {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  return text;
}

// {name...} is our own notation for the rest of a path.
std::string openapi_path(std::string path) {
  if (const size_t dots = path.find("...}"); dots != std::string::npos) path.erase(dots, 3);
  return path;
}

Value parameter_value(const ParameterDescription& parameter) {
  Value value = Value::object({{"name", parameter.name},
                               {"in", source_name(parameter.source)},
                               {"required", parameter.required},
                               {"schema", parameter.schema}});
  if (!parameter.description.empty()) value.set("description", parameter.description);
  return value;
}

// Path parameters that the request schema does not declare are described all the same: OpenAPI
// demands it.
void add_undeclared_path_parameters(const RouteDescription& route, Value& parameters) {
  const std::string path = openapi_path(route.path);
  for (size_t open = path.find('{'); open != std::string::npos; open = path.find('{', open + 1)) {
    const size_t close = path.find('}', open);
    if (close == std::string::npos) return;
    const std::string name = path.substr(open + 1, close - open - 1);
    const bool declared =
        std::ranges::any_of(route.parameters, [&name](const ParameterDescription& parameter) {
          return parameter.source == Source::kPath && parameter.name == name;
        });
    if (!declared) {
      parameters.push(parameter_value({.source = Source::kPath,
                                       .name = name,
                                       .required = true,
                                       .schema = Value::object({{"type", "string"}})}));
    }
  }
}

Value content_of(const std::string& type, const Value& schema) {
  return Value::object({{type, Value::object({{"schema", schema}})}});
}

Value operation_value(const RouteDescription& route) {
  Value operation = Value::object();
  if (!route.name.empty()) operation.set("operationId", route.surface + "_" + route.name);
  if (!route.summary.empty()) operation.set("summary", route.summary);
  if (!route.description.empty()) operation.set("description", route.description);
  Value tags = Value::array({route.surface});
  for (const std::string& tag : route.tags) tags.push(tag);
  operation.set("tags", std::move(tags));
  Value parameters = Value::array();
  for (const ParameterDescription& parameter : route.parameters)
    parameters.push(parameter_value(parameter));
  add_undeclared_path_parameters(route, parameters);
  if (!parameters.if_array()->empty()) operation.set("parameters", std::move(parameters));
  if (!route.body_schema.is_null()) {
    operation.set("requestBody",
                  Value::object({{"required", route.body_required},
                                 {"content", content_of(route.body_type, route.body_schema)}}));
  }
  Value answer = Value::object({{"description", "Success."}});
  if (!route.response_schema.is_null()) {
    answer.set("content", content_of(route.response_type, route.response_schema));
  }
  Value responses = Value::object({{std::to_string(route.success_status), answer}});
  for (const int status : route.further_statuses) responses.set(std::to_string(status), answer);
  responses.set("default", Value::object({{"description", "Failure."}}));
  operation.set("responses", std::move(responses));
  if (route.needs_token) {
    operation.set("security", Value::array({Value::object({{"bearer", Value::array()}})}));
  }
  return operation;
}

}  // namespace

Value openapi_document(const OpenApiInfo& info, const std::vector<RouteDescription>& routes) {
  Value paths = Value::object();
  std::set<std::string> surfaces;
  for (const RouteDescription& route : routes) {
    const std::string path = openapi_path(route.path);
    if (paths.find(path) == nullptr) paths.set(path, Value::object());
    paths.find(path)->set(lower(route.method), operation_value(route));
    surfaces.insert(route.surface);
  }
  Value tags = Value::array();
  for (const std::string& surface : surfaces) tags.push(Value::object({{"name", surface}}));
  Value about = Value::object({{"title", info.title}, {"version", info.version}});
  if (!info.description.empty()) about.set("description", info.description);
  Value document = Value::object({{"openapi", "3.1.0"}, {"info", std::move(about)}});
  if (!info.server_url.empty()) {
    document.set("servers", Value::array({Value::object({{"url", info.server_url}})}));
  }
  document.set("tags", std::move(tags));
  document.set("paths", std::move(paths));
  document.set("components",
               Value::object(
                   {{"securitySchemes",
                     Value::object(
                         {{"bearer", Value::object({{"type", "http"}, {"scheme", "bearer"}})}})}}));
  return document;
}

}  // namespace holdfast::wire
