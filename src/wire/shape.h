// A shape reads one kind of value into one type of C++ object and describes itself as JSON Schema.
// Schema<T> is made of shapes; the types are erased here so that the reading code is compiled once.
// Immutable after its declaration, hence thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/value.h"
#include "wire/reading.h"

namespace holdfast::wire {

// Judges a value of the right type and adds issues; says so in the JSON Schema.
struct Rule {
  std::function<void(const Value&, Reading&)> check;
  std::function<void(Value& schema)> describe = {};
};

// What the rules see in place of a value of the right type: trimmed, clamped. Nothing if it is good
// as it is, which most are.
using Adjustment = std::function<std::optional<Value>(const Value&)>;

class Shape {
 public:
  virtual ~Shape() = default;

  // Reads `value` into the object at `out`, which must be of the shape's type. False if an issue
  // was added; `out` is then unspecified but valid.
  bool read(const Value& value, void* out, Reading& reading) const;

  // 2020-12, with what the rules say.
  Value json_schema(const Strictness& strictness) const;

  // Whether null is a value of its own here.
  virtual bool takes_null() const { return false; }
  // Whether a repeated query parameter is a list of values.
  virtual bool takes_many() const { return false; }
  // The value of a default, for documentation; null where there is nothing to say.
  virtual Value show(const void*) const { return {}; }

  void add(Rule rule) { rules_.push_back(std::move(rule)); }
  void add(Adjustment adjustment) { adjustments_.push_back(std::move(adjustment)); }

 protected:
  // The value itself if it has the right type, or what it stands for, placed in `scratch`. nullptr
  // after adding an issue.
  virtual const Value* accept(const Value& value, Value& scratch, Reading& reading) const = 0;
  // Stores a value that accept() passed. May add issues of what is inside.
  virtual void store(const Value& value, void* out, Reading& reading) const = 0;
  virtual Value describe(const Strictness& strictness) const = 0;
  // Whether what is inside is read, and judged, even when a rule refused the whole.
  virtual bool has_inside() const { return false; }

 private:
  std::vector<Rule> rules_;
  std::vector<Adjustment> adjustments_;
};

// Schemas copied from each other share their shapes, which never change.
using ShapePtr = std::shared_ptr<const Shape>;

// The shapes of everything that needs no template. `text` and the like find the place to write in
// the object.
std::shared_ptr<Shape> string_shape(std::string& (*text)(void*));
std::shared_ptr<Shape> bool_shape();       // bool
std::shared_ptr<Shape> int64_shape();      // int64_t
std::shared_ptr<Shape> int_shape();        // int
std::shared_ptr<Shape> double_shape();     // double
std::shared_ptr<Shape> timestamp_shape();  // Timestamp
std::shared_ptr<Shape> any_shape();        // Value

struct EnumEntry {
  std::string name;
  int64_t number = 0;
};
std::shared_ptr<Shape> enum_shape(std::vector<EnumEntry> entries, void (*assign)(void*, int64_t),
                                  int64_t (*number)(const void*));

struct ArrayAccess {
  void (*clear)(void*);
  void (*reserve)(void*, size_t count);
  void* (*append)(void*);  // where the new element is
};
std::shared_ptr<Shape> array_shape(ArrayAccess access, ShapePtr element);

// Members of any name, all of one shape, in a std::map or the like.
std::shared_ptr<Shape> map_shape(void* (*insert)(void*, const std::string&), ShapePtr element);

// `emplace` makes the optional hold a default value and says where; `reset` empties it.
struct OptionalAccess {
  void* (*emplace)(void*);
  void (*reset)(void*);
};
std::shared_ptr<Shape> optional_shape(OptionalAccess access, ShapePtr inner, bool takes_null);

// Reads with a function. It adds its own issues.
std::shared_ptr<Shape> custom_shape(std::function<void(const Value&, void*, Reading&)> read,
                                    Value json_schema);

// Makes a JSON Schema accept null too.
void allow_null(Value& schema);

}  // namespace holdfast::wire
