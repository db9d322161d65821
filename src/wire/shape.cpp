#include "wire/shape.h"

#include <algorithm>

namespace holdfast::wire {

bool Shape::read(const Value& value, void* out, Reading& reading) const {
  const size_t before = reading.count();
  Value scratch;
  const Value* accepted = accept(value, scratch, reading);
  if (accepted == nullptr) return false;
  for (const Adjustment& adjust : adjustments_) {
    auto adjusted = adjust(*accepted);
    if (!adjusted) continue;
    scratch = std::move(*adjusted);
    accepted = &scratch;
  }
  for (const Rule& rule : rules_) rule.check(*accepted, reading);
  if (reading.count() == before || has_inside()) store(*accepted, out, reading);
  return reading.count() == before;
}

Value Shape::json_schema(const Strictness& strictness) const {
  Value schema = describe(strictness);
  for (const Rule& rule : rules_) {
    if (rule.describe) rule.describe(schema);
  }
  return schema;
}

void allow_null(Value& schema) {
  if (Value* type = schema.find("type"); type != nullptr && type->is_string()) {
    *type = Value::array({*type, "null"});
    if (Value* allowed = schema.find("enum")) allowed->push(nullptr);
  } else if (type == nullptr && schema.is_object() && !schema.if_object()->empty()) {
    schema = Value::object({{"anyOf", Value::array({schema, Value::object({{"type", "null"}})})}});
  }
}

namespace {

class ArrayShape : public Shape {
 public:
  ArrayShape(ArrayAccess access, ShapePtr element)
      : access_(access), element_(std::move(element)) {}
  bool takes_many() const override { return true; }

 protected:
  bool has_inside() const override { return true; }
  const Value* accept(const Value& value, Value&, Reading& reading) const override {
    if (value.is_array()) return &value;
    reading.add_type("array", value);
    return nullptr;
  }
  void store(const Value& value, void* out, Reading& reading) const override {
    access_.clear(out);
    access_.reserve(out, std::min(value.if_array()->size(), kMostAhead));
    size_t index = 0;
    for (const Value& element : *value.if_array()) {
      // Memory follows the input, so reading stops once no further issue would be kept.
      if (reading.count() > Reading::kMaxIssues) return;
      const Place place(reading, index++);
      element_->read(element, access_.append(out), reading);
    }
  }
  Value describe(const Strictness& strictness) const override {
    return Value::object({{"type", "array"}, {"items", element_->json_schema(strictness)}});
  }

 private:
  // A list that is too long is refused; until then it must not cost more than the input did.
  static constexpr size_t kMostAhead = 100;

  const ArrayAccess access_;
  const ShapePtr element_;
};

class MapShape : public Shape {
 public:
  MapShape(void* (*insert)(void*, const std::string&), ShapePtr element)
      : insert_(insert), element_(std::move(element)) {}

 protected:
  bool has_inside() const override { return true; }
  const Value* accept(const Value& value, Value&, Reading& reading) const override {
    if (value.is_object()) return &value;
    reading.add_type("object", value);
    return nullptr;
  }
  void store(const Value& value, void* out, Reading& reading) const override {
    for (const auto& [name, element] : *value.if_object()) {
      const Place place(reading, std::string_view(name));
      element_->read(element, insert_(out, name), reading);
    }
  }
  Value describe(const Strictness& strictness) const override {
    return Value::object(
        {{"type", "object"}, {"additionalProperties", element_->json_schema(strictness)}});
  }

 private:
  void* (*const insert_)(void*, const std::string&);
  const ShapePtr element_;
};

class OptionalShape : public Shape {
 public:
  OptionalShape(OptionalAccess access, ShapePtr inner, bool null_allowed)
      : access_(access), inner_(std::move(inner)), null_allowed_(null_allowed) {}
  bool takes_null() const override { return null_allowed_; }
  bool takes_many() const override { return inner_->takes_many(); }

 protected:
  bool has_inside() const override { return true; }
  const Value* accept(const Value& value, Value&, Reading&) const override { return &value; }
  void store(const Value& value, void* out, Reading& reading) const override {
    if (value.is_null() && null_allowed_) {
      // An optional inside an optional tells null (outer holds an empty inner) from absent (outer
      // is empty).
      if (inner_->takes_null()) {
        inner_->read(value, access_.emplace(out), reading);
      } else {
        access_.reset(out);
      }
      return;
    }
    if (!inner_->read(value, access_.emplace(out), reading)) access_.reset(out);
  }
  Value describe(const Strictness& strictness) const override {
    Value schema = inner_->json_schema(strictness);
    if (null_allowed_ && !inner_->takes_null()) allow_null(schema);
    return schema;
  }

 private:
  const OptionalAccess access_;
  const ShapePtr inner_;
  const bool null_allowed_;
};

class CustomShape : public Shape {
 public:
  CustomShape(std::function<void(const Value&, void*, Reading&)> reader, Value schema)
      : reader_(std::move(reader)), schema_(std::move(schema)) {}

 protected:
  bool has_inside() const override { return true; }
  const Value* accept(const Value& value, Value&, Reading&) const override { return &value; }
  void store(const Value& value, void* out, Reading& reading) const override {
    reader_(value, out, reading);
  }
  Value describe(const Strictness&) const override { return schema_; }

 private:
  const std::function<void(const Value&, void*, Reading&)> reader_;
  const Value schema_;
};

}  // namespace

std::shared_ptr<Shape> array_shape(ArrayAccess access, ShapePtr element) {
  return std::make_shared<ArrayShape>(access, std::move(element));
}

std::shared_ptr<Shape> map_shape(void* (*insert)(void*, const std::string&), ShapePtr element) {
  return std::make_shared<MapShape>(insert, std::move(element));
}

std::shared_ptr<Shape> optional_shape(OptionalAccess access, ShapePtr inner, bool takes_null) {
  return std::make_shared<OptionalShape>(access, std::move(inner), takes_null);
}

std::shared_ptr<Shape> custom_shape(std::function<void(const Value&, void*, Reading&)> read,
                                    Value json_schema) {
  return std::make_shared<CustomShape>(std::move(read), std::move(json_schema));
}

}  // namespace holdfast::wire
