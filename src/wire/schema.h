// Schema<T> declares a request struct once; validation, MCP inputSchema and OpenAPI follow from it.
//
//   Schema<RecallRequest>()
//       .required("space", &RecallRequest::space, length(1, 64), "Space to search.")
//       .optional("limit", &RecallRequest::limit, range(1, 100), "How many to return.")
//       .path("id", &RecallRequest::id, "Which one.")
//       .check([](const RecallRequest& request, Checks& checks) { … });
//
// A member's type decides how it is read: std::string and ids, bool, int, int64_t, double,
// Timestamp, enumerations with EnumNames, Value (anything), std::vector and std::map<std::string,
// …> of these, structs (give their Schema as an option), and std::optional of all.
// std::optional<std::optional<M>> tells null (inner empty) from absent (outer empty). A field that
// was not sent keeps the struct's default. Immutable once declared, cheap to copy, thread-safe.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/clock.h"
#include "base/ids.h"
#include "base/result.h"
#include "model/codec.h"
#include "wire/field_option.h"
#include "wire/object_shape.h"

namespace holdfast::wire {

namespace reason {
// The reason of the error that carries a schema's issues.
inline constexpr std::string_view kValidation = "validation";
}  // namespace reason

template <typename M>
std::shared_ptr<Shape> make_shape(const FieldParts& parts);

template <typename T>
class Schema {
 public:
  // In the body. "Sent" means present, and not null where null counts as absent.
  template <typename M, std::convertible_to<FieldOption>... Options>
  Schema&& required(const std::string& name, M T::*member, Options&&... options) && {
    return add(Source::kBody, true, name, member, {FieldOption(std::forward<Options>(options))...});
  }
  template <typename M, std::convertible_to<FieldOption>... Options>
  Schema&& optional(const std::string& name, M T::*member, Options&&... options) && {
    return add(Source::kBody, false, name, member,
               {FieldOption(std::forward<Options>(options))...});
  }
  // In the query string. A repeated parameter is an issue unless the member is a vector.
  template <typename M, std::convertible_to<FieldOption>... Options>
  Schema&& query(const std::string& name, M T::*member, Options&&... options) && {
    return add(Source::kQuery, false, name, member,
               {FieldOption(std::forward<Options>(options))...});
  }
  template <typename M, std::convertible_to<FieldOption>... Options>
  Schema&& required_query(const std::string& name, M T::*member, Options&&... options) && {
    return add(Source::kQuery, true, name, member,
               {FieldOption(std::forward<Options>(options))...});
  }
  // A {name} of the route's path, already percent-decoded.
  template <typename M, std::convertible_to<FieldOption>... Options>
  Schema&& path(const std::string& name, M T::*member, Options&&... options) && {
    return add(Source::kPath, true, name, member, {FieldOption(std::forward<Options>(options))...});
  }
  template <typename M, std::convertible_to<FieldOption>... Options>
  Schema&& header(const std::string& name, M T::*member, Options&&... options) && {
    return add(Source::kHeader, false, name, member,
               {FieldOption(std::forward<Options>(options))...});
  }
  template <typename M, std::convertible_to<FieldOption>... Options>
  Schema&& required_header(const std::string& name, M T::*member, Options&&... options) && {
    return add(Source::kHeader, true, name, member,
               {FieldOption(std::forward<Options>(options))...});
  }

  // The body as a whole is this member: for bodies that are arrays or free-form.
  template <typename M, std::convertible_to<FieldOption>... Options>
  Schema&& whole_body(M T::*member, Options&&... options) && {
    spec_->set_whole_body(field(Source::kBody, true, "body", member,
                                {FieldOption(std::forward<Options>(options))...}));
    return std::move(*this);
  }
  // All parameters as they were sent, for a query language of its own; none is then unknown.
  Schema&& query_all(QueryString T::*member) && {
    spec_->set_query_all(
        [member](void* object) -> QueryString& { return static_cast<T*>(object)->*member; });
    return std::move(*this);
  }
  // A rule about several fields. Runs always, after all fields.
  Schema&& check(std::function<void(const T&, Checks&)> check) && {
    spec_->add_check([check = std::move(check)](const void* object, Checks& checks) {
      check(*static_cast<const T*>(object), checks);
    });
    return std::move(*this);
  }
  // Members that only the server sets: sending one is an issue of its own rule.
  Schema&& read_only(std::initializer_list<const char*> names) && {
    for (const char* name : names) spec_->add_read_only(name);
    return std::move(*this);
  }
  // This object's unknown members, whatever the surface says.
  Schema&& reject_unknown() && { return spec_->set_reject_unknown(true), std::move(*this); }
  Schema&& ignore_unknown() && { return spec_->set_reject_unknown(false), std::move(*this); }

  // Errors: kInvalidArgument with reason `validation` and every issue, in the order of declaration.
  Result<T> read(const RequestParts& parts, const Strictness& strictness) const {
    T out{};
    Reading reading(strictness);
    spec_->read_parts(parts, &out, reading);
    if (reading.count() == 0) return out;
    return validation_error(parts, reading);
  }
  Result<T> read_body(const Value& body, const Strictness& strictness) const {
    return read({.body = &body}, strictness);
  }
  // For custom readers: reads an object at the place where `reading` is. The value must be an
  // object.
  void read_into(const Value& value, T& out, Reading& reading) const {
    spec_->read_object(value, &out, reading);
  }

  // The body, as JSON Schema 2020-12.
  Value json_schema(const Strictness& strictness = {}) const {
    return spec_->body_schema(strictness);
  }
  std::vector<ParameterDescription> parameters(const Strictness& strictness = {}) const {
    return spec_->parameters(strictness);
  }
  bool has_body() const { return spec_->has_body(); }
  bool body_required() const { return spec_->body_required(); }
  const std::shared_ptr<const ObjectSpec> spec() const { return spec_; }

 private:
  template <typename M>
  static ObjectSpec::Field field(Source source, bool required, const std::string& name,
                                 M T::*member, const std::vector<FieldOption>& options) {
    FieldParts parts;
    for (const FieldOption& option : options) option.apply(parts);
    const std::shared_ptr<Shape> shape = make_shape<M>(parts);
    const T defaults{};
    return {
        .name = name,
        .source = source,
        .required = required,
        .parts = std::move(parts),
        .shape = shape,
        .locate = [member](void* object) -> void* { return &(static_cast<T*>(object)->*member); },
        .default_value = shape->show(&(defaults.*member))};
  }
  template <typename M>
  Schema&& add(Source source, bool required, const std::string& name, M T::*member,
               const std::vector<FieldOption>& options) {
    spec_->add(field(source, required, name, member, options));
    return std::move(*this);
  }
  static Error validation_error(const RequestParts& parts, Reading& reading);

  // Shared by copies: declared through one, then only read.
  std::shared_ptr<ObjectSpec> spec_ = std::make_shared<ObjectSpec>();
};

// The error of a reading that found issues.
Error make_validation_error(const RequestParts& parts, Reading& reading);

template <typename T>
Error Schema<T>::validation_error(const RequestParts& parts, Reading& reading) {
  return make_validation_error(parts, reading);
}

template <typename T>
FieldOption::FieldOption(const Schema<T>& schema)
    : apply_([spec = schema.spec()](FieldParts& parts) {
        parts.given_shape = object_shape(spec);
        parts.given_type = typeid(T);
      }) {}

}  // namespace holdfast::wire

#include "wire/make_shape.h"
