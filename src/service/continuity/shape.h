// What a document may look like, as a table: types, bounds, which members it has and in which
// order. One declaration reads requests, judges stored documents and is published as JSON Schema.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/value.h"

namespace holdfast::service::continuity {

struct Shape {
  enum class Type : uint8_t { kText, kInteger, kNumber, kBoolean, kList, kObject, kMap, kAny };
  Type type = Type::kAny;
  std::vector<std::string> words = {};  // of an enumeration
  int64_t min = INT64_MIN;              // characters, elements, or the number itself
  int64_t max = INT64_MAX;
  bool nullable = false;
  bool closed = false;              // an unknown member is refused; otherwise it is dropped
  bool keep_extra = false;          // unknown members are kept: their own parser judges them
  std::vector<Shape> element = {};  // of a list: one
  std::vector<Shape> members = {};  // of an object, in order
  std::string title = {};           // of an object that others refer to; it is published once
  Value published = {};  // the schema where the rules are elsewhere; null: made from the above

  // What it is in the object that has it as a member.
  std::string name = {};
  bool required = false;
  std::optional<Value> otherwise = std::nullopt;  // nothing: stays absent

  Shape or_null() const {
    Shape out = *this;
    out.nullable = true;
    return out;
  }
  Shape called(std::string new_title) const {
    Shape out = *this;
    out.title = std::move(new_title);
    return out;
  }
};

using Member = Shape;

Shape text(int64_t min = 0, int64_t max = INT64_MAX);
Shape one_of(std::vector<std::string> words);
Shape integer(int64_t min, int64_t max);
Shape number(int64_t min, int64_t max);
Shape boolean();
Shape list(Shape element, int64_t max = INT64_MAX, int64_t min = 0);
Shape map();
Shape any();
Shape object(std::vector<Member> members);
Shape closed(std::vector<Member> members);

Member required(std::string name, Shape shape);
Member optional(std::string name, Shape shape);
Member optional(std::string name, Shape shape, Value otherwise);

// One violation in the words of the published API.
struct ShapeIssue {
  std::string type = {};
  std::vector<Value> where = {};  // names and indexes
  std::string message = {};
  Value input = {};
  Value context = {};  // null: none
};

// The document with its members in declared order, defaults filled in, unknown members dropped,
// null ones of optional members kept. Violations are added in declared order.
Value take(const Shape& shape, const Value& in, std::vector<ShapeIssue>& issues);
// The list that a refusal sends; `location` is its first step.
Value issue_list(const std::vector<ShapeIssue>& issues, const std::string& location);

// The schema of a whole request: objects of its own members stand in place, deeper ones that have a
// title are under $defs.
Value json_schema(const Shape& shape, const std::string& title);

}  // namespace holdfast::service::continuity
