// Shapes in few words.
#include "service/continuity/shape.h"

namespace holdfast::service::continuity {
namespace {

using Type = Shape::Type;

}  // namespace

Shape text(int64_t min, int64_t max) { return {.type = Type::kText, .min = min, .max = max}; }
Shape one_of(std::vector<std::string> words) {
  return {.type = Type::kText, .words = std::move(words)};
}
Shape integer(int64_t min, int64_t max) { return {.type = Type::kInteger, .min = min, .max = max}; }
Shape number(int64_t min, int64_t max) { return {.type = Type::kNumber, .min = min, .max = max}; }
Shape boolean() { return {.type = Type::kBoolean}; }
Shape list(Shape element, int64_t max, int64_t min) {
  return {.type = Type::kList, .min = min, .max = max, .element = {std::move(element)}};
}
Shape map() { return {.type = Type::kMap}; }
Shape any() { return {.type = Type::kAny}; }
Shape object(std::vector<Member> members) {
  return {.type = Type::kObject, .members = std::move(members)};
}
Shape closed(std::vector<Member> members) {
  return {.type = Type::kObject, .closed = true, .members = std::move(members)};
}

Member required(std::string name, Shape shape) {
  shape.name = std::move(name);
  shape.required = true;
  return shape;
}
Member optional(std::string name, Shape shape) {
  shape.name = std::move(name);
  return shape;
}
Member optional(std::string name, Shape shape, Value otherwise) {
  shape.otherwise = std::move(otherwise);
  return optional(std::move(name), std::move(shape));
}

}  // namespace holdfast::service::continuity
