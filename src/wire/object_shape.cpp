#include "wire/object_shape.h"

#include <algorithm>

#include "base/assert.h"

namespace holdfast::wire {
namespace {

using Field = ObjectSpec::Field;

void split_at_commas(std::string_view text, Value& list) {
  while (true) {
    const size_t comma = text.find(',');
    list.push(text.substr(0, comma));
    if (comma == std::string_view::npos) return;
    text.remove_prefix(comma + 1);
  }
}

// The text or texts sent under a name, as a Value; nothing if none were.
std::optional<Value> value_of_texts(const Field& field, const std::vector<std::string>& texts,
                                    Reading& reading) {
  if (texts.empty()) return std::nullopt;
  if (field.parts.empty_is_absent && texts.size() == 1 && texts.front().empty())
    return std::nullopt;
  if (field.shape->takes_many()) {
    Value list = Value::array();
    for (const std::string& text : texts) {
      if (field.parts.comma_list) {
        split_at_commas(text, list);
      } else {
        list.push(text);
      }
    }
    return list;
  }
  if (texts.size() > 1) {
    const Place place(reading, std::string_view(field.name));
    reading.add(rule::kDuplicate);
  }
  return Value(texts.front());
}

std::vector<std::string> texts_of(const Field& field, std::string_view name,
                                  const RequestParts& parts) {
  switch (field.source) {
    case Source::kQuery:
      return parts.query != nullptr ? parts.query->values(name) : std::vector<std::string>();
    case Source::kHeader:
      return parts.headers != nullptr ? parts.headers->all(name) : std::vector<std::string>();
    case Source::kPath:
      if (parts.path != nullptr) {
        for (const PathParameter& parameter : *parts.path) {
          if (parameter.name == name) return {parameter.value};
        }
      }
      return {};
    case Source::kBody: break;
  }
  return {};
}

// The member of a name. Most documents have their members in the order of the schema: those are
// met one after the other, and `next` counts them. After the last of them none is left for the
// other fields, whose names are others.
const Value* find_in_order(const Value& body, std::string_view name, size_t& next) {
  const auto* members = body.if_object();
  if (members == nullptr || next == members->size()) return nullptr;
  if ((*members)[next].name != name) return body.find(name);
  return &(*members)[next++].value;
}

// The member under its name or an alias; reports two that disagree.
const Value* find_member(const Field& field, const Value& body, size_t& next, Reading& reading) {
  const Value* found = find_in_order(body, field.name, next);
  for (const std::string& name : field.parts.aliases) {
    const Value* other = body.find(name);
    if (other == nullptr) continue;
    if (found == nullptr) {
      found = other;
    } else if (!json_equal(*found, *other)) {
      const Place place(reading, std::string_view(name));
      reading.add(rule::kAliasConflict, {{"other", field.name}});
    }
  }
  return found;
}

// The value sent for a field outside the body: points to `scratch`; nullptr if absent.
const Value* find_parameter(const Field& field, const RequestParts& parts,
                            std::optional<Value>& scratch, Reading& reading) {
  scratch = value_of_texts(field, texts_of(field, field.name, parts), reading);
  for (size_t i = 0; !scratch && i < field.parts.aliases.size(); ++i) {
    scratch = value_of_texts(field, texts_of(field, field.parts.aliases[i], parts), reading);
  }
  return scratch ? &*scratch : nullptr;
}

bool is_absent(const Field& field, const Value* value, const Strictness& strictness) {
  if (value == nullptr) return true;
  const bool null_is_a_value = field.parts.nullable || field.shape->takes_null();
  return value->is_null() && strictness.null_is_absent && !null_is_a_value;
}

void read_field(const Field& field, const Value* value, void* out, Reading& reading) {
  const Place place(reading, std::string_view(field.name));
  if (is_absent(field, value, reading.strictness())) {
    if (field.required) reading.add(rule::kRequired);
    return;
  }
  // Null for a nullable member that is no optional: the struct's default stays.
  if (value->is_null() && field.parts.nullable && !field.shape->takes_null()) return;
  const bool echo = reading.echo();
  if (!field.parts.echo) reading.set_echo(false);
  field.shape->read(*value, field.locate(out), reading);
  reading.set_echo(echo);
}

Value documented(const Field& field, const Strictness& strictness) {
  Value schema = field.shape->json_schema(strictness);
  if (field.parts.nullable && !field.shape->takes_null()) allow_null(schema);
  if (!field.parts.description.empty()) schema.set("description", field.parts.description);
  if (!field.required && !field.default_value.is_null()) schema.set("default", field.default_value);
  if (!field.parts.example.is_null()) schema.set("examples", Value::array({field.parts.example}));
  return schema;
}

class ObjectShape : public Shape {
 public:
  explicit ObjectShape(std::shared_ptr<const ObjectSpec> spec) : spec_(std::move(spec)) {}

 protected:
  bool has_inside() const override { return true; }
  const Value* accept(const Value& value, Value&, Reading& reading) const override {
    if (value.is_object()) return &value;
    reading.add_type("object", value);
    return nullptr;
  }
  void store(const Value& value, void* out, Reading& reading) const override {
    spec_->read_object(value, out, reading);
  }
  Value describe(const Strictness& strictness) const override {
    return spec_->body_schema(strictness);
  }

 private:
  const std::shared_ptr<const ObjectSpec> spec_;  // shared by every schema that nests it
};

}  // namespace

std::string_view source_name(Source source) {
  switch (source) {
    case Source::kBody: return "body";
    case Source::kQuery: return "query";
    case Source::kPath: return "path";
    case Source::kHeader: return "header";
  }
  return "body";
}

bool Checks::ok(std::initializer_list<std::string_view> names) const {
  return std::ranges::none_of(states_, [&names](const FieldState& state) {
    return state.failed && std::ranges::find(names, state.name) != names.end();
  });
}

bool Checks::given(std::string_view name) const {
  return std::ranges::any_of(
      states_, [name](const FieldState& state) { return state.given && state.name == name; });
}

void Checks::add(std::string_view name, std::string_view rule, std::vector<Issue::Param> params) {
  for (const FieldState& state : states_) {
    if (state.name == name) reading_.set_location(source_name(state.source));
  }
  if (name.empty()) {
    reading_.add(rule, std::move(params));
  } else {
    const Place place(reading_, name);
    reading_.add(rule, std::move(params));
  }
  reading_.set_location("body");
}

void ObjectSpec::add(Field field) {
  HOLDFAST_ASSERT(std::ranges::none_of(fields_, [&](const Field& other) {
    return other.name == field.name && other.source == field.source;
  }));
  fields_.push_back(std::move(field));
}

void ObjectSpec::read_parts(const RequestParts& parts, void* out, Reading& reading) const {
  if (whole_body_) read_whole_body(parts, out, reading);
  const bool readable = parts.body == nullptr || parts.body->is_object() || whole_body_;
  if (!readable) reading.add_type("object", *parts.body);
  if (parts.body == nullptr && body_required() && !whole_body_) reading.add(rule::kRequired);
  // Without a readable body only the other parts are judged: its absence was said once.
  const bool skip_body = !readable || (parts.body == nullptr && body_required());
  const static Value kNothing = Value::object();
  RequestParts usable = parts;
  if (parts.body == nullptr || whole_body_) usable.body = &kNothing;
  if (skip_body) usable.body = nullptr;
  read_fields(usable, out, reading);
  if (parts.query != nullptr) {
    if (query_all_) query_all_(out) = *parts.query;
    reading.set_location("query");
    report_unknown_parameters(*parts.query, reading);
    reading.set_location("body");
  }
}

void ObjectSpec::read_object(const Value& body, void* out, Reading& reading) const {
  read_fields({.body = &body}, out, reading);
}

void ObjectSpec::read_whole_body(const RequestParts& parts, void* out, Reading& reading) const {
  if (parts.body == nullptr) {
    if (whole_body_->required) reading.add(rule::kRequired);
    return;
  }
  whole_body_->shape->read(*parts.body, whole_body_->locate(out), reading);
}

void ObjectSpec::read_fields(const RequestParts& parts, void* out, Reading& reading) const {
  Checks checks(reading);
  size_t met = 0;  // members from the first on that are known to be fields
  for (const Field& field : fields_) {
    const bool in_body = field.source == Source::kBody;
    if (in_body && parts.body == nullptr) continue;
    const size_t before = reading.count();
    reading.set_location(source_name(field.source));
    std::optional<Value> scratch;
    const Value* value = in_body ? find_member(field, *parts.body, met, reading)
                                 : find_parameter(field, parts, scratch, reading);
    read_field(field, value, out, reading);
    if (!checks_.empty()) {
      checks.states_.push_back(
          {field.name, field.source, value != nullptr, reading.count() != before});
    }
  }
  reading.set_location("body");
  if (parts.body != nullptr && !whole_body_) report_unknown_members(*parts.body, met, reading);
  for (const auto& check : checks_) check(out, checks);
}

void ObjectSpec::report_unknown_members(const Value& body, size_t from, Reading& reading) const {
  const bool reject = reject_unknown_.value_or(reading.strictness().reject_unknown_members);
  if (!reject && read_only_.empty()) return;
  const auto& members = *body.if_object();
  for (size_t i = from; i < members.size(); ++i) {
    const std::string& name = members[i].name;
    const bool known = std::ranges::any_of(fields_, [&member = name](const Field& field) {
      return field.source == Source::kBody &&
             (field.name == member ||
              std::ranges::find(field.parts.aliases, member) != field.parts.aliases.end());
    });
    if (known) continue;
    const bool read_only = std::ranges::find(read_only_, name) != read_only_.end();
    if (!read_only && !reject) continue;
    if (members[i].value.is_null() && reading.strictness().unknown_nulls_are_absent) continue;
    const Place place(reading, std::string_view(name));
    reading.add(read_only ? rule::kReadOnly : rule::kUnknown);
  }
}

void ObjectSpec::report_unknown_parameters(const QueryString& query, Reading& reading) const {
  for (const std::string& name : query.broken()) {
    const Place place(reading, std::string_view(name));
    reading.add(rule::kEncoding);
  }
  if (query_all_ || !reading.strictness().reject_unknown_parameters) return;
  std::vector<std::string_view> reported;
  for (const auto& parameter : query.all()) {
    const bool known = std::ranges::any_of(fields_, [&parameter](const Field& field) {
      return field.source == Source::kQuery &&
             (field.name == parameter.name ||
              std::ranges::find(field.parts.aliases, parameter.name) != field.parts.aliases.end());
    });
    if (known || std::ranges::find(reported, parameter.name) != reported.end()) continue;
    reported.push_back(parameter.name);
    const Place place(reading, std::string_view(parameter.name));
    reading.add(rule::kUnknown);
  }
}

bool ObjectSpec::has_body() const {
  return whole_body_ || std::ranges::any_of(fields_, [](const Field& field) {
           return field.source == Source::kBody;
         });
}

bool ObjectSpec::body_required() const {
  if (whole_body_) return whole_body_->required;
  return std::ranges::any_of(
      fields_, [](const Field& field) { return field.source == Source::kBody && field.required; });
}

Value ObjectSpec::body_schema(const Strictness& strictness) const {
  if (whole_body_) return documented(*whole_body_, strictness);
  Value properties = Value::object();
  Value required = Value::array();
  for (const Field& field : fields_) {
    if (field.source != Source::kBody) continue;
    properties.set(field.name, documented(field, strictness));
    if (field.required) required.push(field.name);
  }
  Value schema = Value::object({{"type", "object"}});
  if (!properties.if_object()->empty()) schema.set("properties", std::move(properties));
  if (!required.if_array()->empty()) schema.set("required", std::move(required));
  if (reject_unknown_.value_or(strictness.reject_unknown_members))
    schema.set("additionalProperties", false);
  return schema;
}

std::vector<ParameterDescription> ObjectSpec::parameters(const Strictness& strictness) const {
  std::vector<ParameterDescription> list;
  for (const Field& field : fields_) {
    if (field.source == Source::kBody) continue;
    Value schema = field.shape->json_schema(strictness);
    if (!field.required && !field.default_value.is_null())
      schema.set("default", field.default_value);
    list.push_back({.source = field.source,
                    .name = field.name,
                    .required = field.required || field.source == Source::kPath,
                    .description = field.parts.description,
                    .schema = std::move(schema)});
  }
  return list;
}

std::shared_ptr<Shape> object_shape(std::shared_ptr<const ObjectSpec> spec) {
  return std::make_shared<ObjectShape>(std::move(spec));
}

}  // namespace holdfast::wire
