#include "surface/continuity/description.h"

#include <algorithm>

#include "service/continuity/document.h"

namespace holdfast::surface::continuity {
namespace {

constexpr const char* kTag = "continuity";

bool is_required(const Value& schema, const std::string& name) {
  const Value* names = schema.find("required");
  return names != nullptr &&
         std::ranges::find(*names->if_array(), Value(name)) != names->if_array()->end();
}

// A schema inside a larger document cannot refer to definitions of its own: they stand in place.
Value in_place(const Value& schema, const Value* definitions) {
  if (const auto* elements = schema.if_array()) {
    Value out = Value::array();
    for (const Value& element : *elements) out.push(in_place(element, definitions));
    return out;
  }
  const auto* members = schema.if_object();
  if (members == nullptr) return schema;
  const Value* reference = schema.find("$ref");
  if (reference != nullptr && reference->is_string() && definitions != nullptr) {
    const std::string& name = *reference->if_string();
    const Value* meant = definitions->find(name.substr(name.rfind('/') + 1));
    if (meant != nullptr) return in_place(*meant, definitions);
  }
  Value out = Value::object();
  for (const auto& member : *members) {
    if (member.name != "$defs") out.set(member.name, in_place(member.value, definitions));
  }
  return out;
}

// Takes the member out of the schema of the body.
void take_out(Value& schema, const std::string& name) {
  service::continuity::remove_member(*schema.find("properties"), name);
  if (Value* names = schema.find("required")) std::erase(*names->if_array(), Value(name));
}

}  // namespace

wire::RouteDescription describe(const Operation& operation) {
  wire::RouteDescription out{
      .name = operation.name, .summary = operation.description, .tags = {kTag}};
  const Value published = input_schema(operation);
  Value schema = in_place(published, published.find("$defs"));
  const Value* properties = schema.find("properties");
  const Value::Object members =
      properties != nullptr && properties->is_object() ? *properties->if_object() : Value::Object();
  for (const auto& member : members) {
    const bool in_path = operation.path.find('{' + member.name + '}') != std::string::npos;
    if (!in_path && !is_reading(operation)) continue;
    out.parameters.push_back({.source = in_path ? wire::Source::kPath : wire::Source::kQuery,
                              .name = member.name,
                              .required = in_path || is_required(schema, member.name),
                              .schema = member.value});
    take_out(schema, member.name);
  }
  if (!is_reading(operation)) {
    out.body_schema = std::move(schema);
    out.body_required = true;
  }
  if (operation.status) out.further_statuses = {201};
  return out;
}

wire::RouteDescription describe_page(const std::string& name, const std::string& summary) {
  return {.name = name, .summary = summary, .tags = {kTag}};
}

wire::RouteDescription describe_rpc() {
  return {.name = "rpc",
          .summary = "One JSON-RPC message: the operations of this API as tools.",
          .tags = {kTag},
          .body_schema = Value::object({{"type", "object"}}),
          .body_required = true,
          .further_statuses = {204}};
}

}  // namespace holdfast::surface::continuity
