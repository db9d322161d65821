// The erased part of Schema<T>: its fields, and reading them from the parts of a request. Surfaces
// use schema.h.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/field_option.h"
#include "wire/headers.h"
#include "wire/query_string.h"
#include "wire/shape.h"

namespace holdfast::wire {

enum class Source { kBody, kQuery, kPath, kHeader };
// body, query, path, header
std::string_view source_name(Source source);

struct PathParameter {
  std::string name;
  std::string value;
  bool operator==(const PathParameter&) const = default;
};

// What a request consists of. Everything is optional; nothing is owned.
struct RequestParts {
  const Value* body = nullptr;
  const QueryString* query = nullptr;
  const std::vector<PathParameter>* path = nullptr;
  const Headers* headers = nullptr;
};

// A query, path or header parameter, for documentation.
struct ParameterDescription {
  Source source = Source::kQuery;
  std::string name = {};
  bool required = false;
  std::string description = {};
  Value schema = {};
};

// What a cross-field check may ask and say. Checks always run, also after other issues, so they ask
// ok() first.
class Checks {
 public:
  // True if every one of these fields was sent (or defaulted) without an issue.
  bool ok(std::initializer_list<std::string_view> names) const;
  // True if the field was sent at all.
  bool given(std::string_view name) const;
  // An issue of that field, or of the object itself where `name` is empty.
  void add(std::string_view name, std::string_view rule, std::vector<Issue::Param> params = {});

 private:
  friend class ObjectSpec;
  struct FieldState {
    std::string_view name;  // owned by the spec
    Source source = Source::kBody;
    bool given = false;
    bool failed = false;
  };
  explicit Checks(Reading& reading) : reading_(reading) {}

  Reading& reading_;
  std::vector<FieldState> states_;
};

class ObjectSpec {
 public:
  struct Field {
    std::string name;
    Source source = Source::kBody;
    bool required = false;
    FieldParts parts;
    ShapePtr shape;
    std::function<void*(void*)> locate;  // the member in the object
    Value default_value = {};
  };

  void add(Field field);  // no two of one source have the same name
  void set_whole_body(Field field) { whole_body_ = std::move(field); }
  void set_query_all(std::function<QueryString&(void*)> locate) { query_all_ = std::move(locate); }
  void set_reject_unknown(bool reject) { reject_unknown_ = reject; }
  void add_read_only(std::string name) { read_only_.push_back(std::move(name)); }
  void add_check(std::function<void(const void*, Checks&)> check) {
    checks_.push_back(std::move(check));
  }

  void read_parts(const RequestParts& parts, void* out, Reading& reading) const;
  void read_object(const Value& body, void* out, Reading& reading) const;

  bool has_body() const;
  bool body_required() const;
  Value body_schema(const Strictness& strictness) const;
  std::vector<ParameterDescription> parameters(const Strictness& strictness) const;

 private:
  void read_fields(const RequestParts& parts, void* out, Reading& reading) const;
  void read_whole_body(const RequestParts& parts, void* out, Reading& reading) const;
  // The members before `from` are known.
  void report_unknown_members(const Value& body, size_t from, Reading& reading) const;
  void report_unknown_parameters(const QueryString& query, Reading& reading) const;

  std::vector<Field> fields_;
  std::optional<Field> whole_body_;
  std::function<QueryString&(void*)> query_all_;
  std::optional<bool> reject_unknown_;
  std::vector<std::string> read_only_;
  std::vector<std::function<void(const void*, Checks&)>> checks_;
};

// Reads nested objects of that spec.
std::shared_ptr<Shape> object_shape(std::shared_ptr<const ObjectSpec> spec);

}  // namespace holdfast::wire
