#include "model/value.h"

namespace holdfast {

Value Value::object(std::initializer_list<MemberInit> members) {
  Object object;
  object.reserve(members.size());
  for (const MemberInit& member : members)
    object.push_back({std::string(member.name), std::move(member.value)});
  return Value(std::move(object));
}

double Value::to_double() const {
  if (const auto* i = if_int()) return static_cast<double>(*i);
  if (const auto* u = if_uint()) return static_cast<double>(*u);
  if (const auto* d = if_double()) return *d;
  return 0;
}

const Value* Value::find(std::string_view name) const {
  const Object* object = if_object();
  if (object == nullptr) return nullptr;
  for (const Member& member : *object) {
    if (member.name == name) return &member.value;
  }
  return nullptr;
}

Value* Value::find(std::string_view name) {
  return const_cast<Value*>(std::as_const(*this).find(name));
}

Value& Value::set(std::string_view name, Value value) {
  if (is_null()) data_ = Object{};
  if (Value* existing = find(name)) {
    *existing = std::move(value);
    return *existing;
  }
  auto& members = std::get<Object>(data_);
  members.push_back(Member{std::string(name), std::move(value)});
  return members.back().value;
}

void Value::push(Value element) {
  if (is_null()) data_ = Array{};
  std::get<Array>(data_).push_back(std::move(element));
}

std::string_view Value::type_name() const {
  if (is_null()) return "null";
  if (is_bool()) return "boolean";
  if (is_integer()) return "integer";
  if (is_double()) return "number";
  if (is_string()) return "string";
  if (is_array()) return "array";
  return "object";
}

bool json_equal(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) {
    if (a.is_integer() && b.is_integer()) return a == b;
    return a.to_double() == b.to_double();
  }
  if (const auto* left = a.if_array()) {
    const auto* right = b.if_array();
    if (right == nullptr || left->size() != right->size()) return false;
    for (size_t i = 0; i < left->size(); ++i) {
      if (!json_equal((*left)[i], (*right)[i])) return false;
    }
    return true;
  }
  if (const auto* left = a.if_object()) {
    const auto* right = b.if_object();
    if (right == nullptr || left->size() != right->size()) return false;
    for (const auto& member : *left) {
      const Value* other = b.find(member.name);
      if (other == nullptr || !json_equal(member.value, *other)) return false;
    }
    return true;
  }
  return a == b;
}

}  // namespace holdfast
