// Shapes as JSON Schema.
#include "service/continuity/shape.h"

namespace holdfast::service::continuity {
namespace {

using Type = Shape::Type;

class Publisher {
 public:
  // `depth` 0 is the request itself, 1 its members.
  Value schema(const Shape& shape, int depth) {
    Value out = referred(shape, depth);
    if (!shape.nullable) return out;
    return Value::object(
        {{"anyOf", Value::array({std::move(out), Value::object({{"type", "null"}})})}});
  }
  Value definitions() const { return definitions_; }

 private:
  Value referred(const Shape& shape, int depth) {
    if (shape.title.empty() || depth < 2) return bare(shape, depth);
    if (definitions_.find(shape.title) == nullptr) {
      definitions_.set(shape.title, Value());  // its place, before those it refers to
      definitions_.set(shape.title, bare(shape, depth));
    }
    return Value::object({{"$ref", "#/$defs/" + shape.title}});
  }

  static void bound(Value& schema, const Shape& shape, const char* low, const char* high) {
    const bool counts = shape.type == Type::kText || shape.type == Type::kList;
    if (shape.min != INT64_MIN && !(counts && shape.min == 0)) schema.set(low, shape.min);
    if (shape.max != INT64_MAX) schema.set(high, shape.max);
  }

  Value bare(const Shape& shape, int depth) {
    if (!shape.published.is_null()) return shape.published;
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
        schema.set("items", this->schema(shape.element.front(), depth + 1));
        bound(schema, shape, "minItems", "maxItems");
        break;
      case Type::kMap: schema.set("type", "object"); break;
      case Type::kAny: break;
      case Type::kObject: add_members(schema, shape, depth); break;
    }
    return schema;
  }

  void add_members(Value& schema, const Shape& shape, int depth) {
    Value properties = Value::object();
    Value required = Value::array();
    for (const Member& member : shape.members) {
      Value property = this->schema(member, depth + 1);
      if (member.otherwise) property.set("default", *member.otherwise);
      properties.set(member.name, std::move(property));
      if (member.required) required.push(member.name);
    }
    schema.set("properties", std::move(properties));
    schema.set("required", std::move(required));
    if (!shape.title.empty()) schema.set("title", shape.title);
    schema.set("type", "object");
    if (shape.closed) schema.set("additionalProperties", false);
  }

  Value definitions_ = Value::object();
};

}  // namespace

Value json_schema(const Shape& shape, const std::string& title) {
  Publisher publisher;
  Shape named = shape;
  named.title = title;
  Value schema = publisher.schema(named, 0);
  schema.set("$defs", publisher.definitions());
  return schema;
}

}  // namespace holdfast::service::continuity
