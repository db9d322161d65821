// Shapes as JSON Schema.
#include "service/continuity/shape.h"

namespace holdfast::service::continuity {
namespace {

using Type = Shape::Type;

void bound(Value& schema, const Shape& shape, const char* low, const char* high) {
  if (shape.min != INT64_MIN && (shape.min != 0 || shape.type == Type::kNumber))
    schema.set(low, shape.min);
  if (shape.max != INT64_MAX) schema.set(high, shape.max);
}

Value bare(const Shape& shape) {
  Value schema = Value::object();
  switch (shape.type) {
    case Type::kText:
      schema.set("type", "string");
      if (!shape.words.empty()) {
        schema.set("enum", Value::array_of(shape.words));
      } else {
        bound(schema, shape, "minLength", "maxLength");
      }
      break;
    case Type::kInteger:
      schema.set("type", "integer");
      bound(schema, shape, "minimum", "maximum");
      break;
    case Type::kNumber:
      schema.set("type", "number");
      bound(schema, shape, "minimum", "maximum");
      break;
    case Type::kBoolean: schema.set("type", "boolean"); break;
    case Type::kList:
      schema.set("type", "array");
      schema.set("items", json_schema(shape.element.front()));
      bound(schema, shape, "minItems", "maxItems");
      break;
    case Type::kMap: schema.set("type", "object"); break;
    case Type::kAny: break;
    case Type::kObject: {
      schema.set("type", "object");
      Value properties = Value::object();
      Value required = Value::array();
      for (const Member& member : shape.members) {
        Value property = json_schema(member.shape);
        if (member.otherwise) property.set("default", *member.otherwise);
        properties.set(member.name, std::move(property));
        if (member.required) required.push(member.name);
      }
      schema.set("properties", std::move(properties));
      schema.set("required", std::move(required));
      if (shape.closed) schema.set("additionalProperties", false);
      break;
    }
  }
  return schema;
}

}  // namespace

Value json_schema(const Shape& shape) {
  if (!shape.nullable) return bare(shape);
  return Value::object({{"anyOf", Value::array({bare(shape), Value::object({{"type", "null"}})})}});
}

}  // namespace holdfast::service::continuity
