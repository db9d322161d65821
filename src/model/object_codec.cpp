#include "model/object_codec.h"

#include <fmt/format.h>

#include "model/codec.h"

namespace holdfast {

template <>
struct EnumNames<Visibility> {
  static constexpr std::array<std::pair<Visibility, std::string_view>, 4> kNames = {
      {{Visibility::kPublic, "public"},
       {Visibility::kContainer, "container"},
       {Visibility::kPrivate, "private"},
       {Visibility::kOwner, "owner"}}};
};

namespace {

struct LabelForm {
  Visibility visibility = Visibility::kPublic;
  bool sensitive = false;
  std::string container = {};
  std::string owner = {};
  std::vector<std::string> compartments = {};
};

const Codec<LabelForm>& label_codec() {
  static const Codec<LabelForm> codec = Codec<LabelForm>()
                                            .field("visibility", &LabelForm::visibility)
                                            .field("sensitive", &LabelForm::sensitive)
                                            .field("container", &LabelForm::container)
                                            .field("owner", &LabelForm::owner)
                                            .field("compartments", &LabelForm::compartments);
  return codec;
}

Value encode_label(const Label& label) {
  return label_codec().encode({.visibility = label.visibility,
                               .sensitive = label.sensitivity == Sensitivity::kSensitive,
                               .container = label.container,
                               .owner = label.owner,
                               .compartments = label.compartments});
}

struct ObjectForm {
  std::string kind = {};
  std::string id = {};
  int64_t revision = 0;
  std::string state = {};
  Timestamp created_at = {};
  Timestamp updated_at = {};
  Value label = {};
  std::optional<Value> body = std::nullopt;
  std::optional<std::string> body_text = std::nullopt;
};

const Codec<ObjectForm>& object_codec() {
  static const Codec<ObjectForm> codec = Codec<ObjectForm>()
                                             .field("kind", &ObjectForm::kind)
                                             .field("id", &ObjectForm::id)
                                             .field("revision", &ObjectForm::revision)
                                             .field("state", &ObjectForm::state)
                                             .field("created_at", &ObjectForm::created_at)
                                             .field("updated_at", &ObjectForm::updated_at)
                                             .field("label", &ObjectForm::label)
                                             .field("body", &ObjectForm::body)
                                             .field("body_text", &ObjectForm::body_text);
  return codec;
}

// Strictness for bytes from outside: these members must be there.
Status require(const Value& value, std::initializer_list<std::string_view> names) {
  if (!value.is_object()) return invalid_argument("an object was expected");
  for (const std::string_view name : names) {
    if (value.find(name) == nullptr)
      return invalid_argument(fmt::format("the member '{}' is missing", name));
  }
  return {};
}

// The codec's own complaint is about stored data; here the data comes from outside.
template <typename T>
Result<T> decoded(Result<T> result) {
  if (!result) return invalid_argument(result.error().detail);
  return result;
}

Result<Label> decode_label(const Value& value) {
  HOLDFAST_TRY(LabelForm form, decoded(label_codec().decode(value)));
  return Label{.visibility = form.visibility,
               .sensitivity = form.sensitive ? Sensitivity::kSensitive : Sensitivity::kNormal,
               .container = std::move(form.container),
               .owner = std::move(form.owner),
               .compartments = std::move(form.compartments)};
}

}  // namespace

template <>
const Codec<JournalEntry>& codec_of<JournalEntry>() {
  static const Codec<JournalEntry> codec = Codec<JournalEntry>()
                                               .field("position", &JournalEntry::position)
                                               .field("change", &JournalEntry::change)
                                               .field("at", &JournalEntry::at)
                                               .field("principal", &JournalEntry::principal)
                                               .field("surface", &JournalEntry::surface)
                                               .field("action", &JournalEntry::action)
                                               .field("revision", &JournalEntry::revision)
                                               .field("message", &JournalEntry::message)
                                               .field("request_id", &JournalEntry::request_id);
  return codec;
}

Value encode_object_exactly(const Object& object) {
  ObjectForm form{.kind = object.key.kind,
                  .id = object.key.id,
                  .revision = object.revision,
                  .state = object.state,
                  .created_at = object.created_at,
                  .updated_at = object.updated_at,
                  .label = encode_label(object.label)};
  auto body = parse_json(object.body);
  if (body && to_json(*body) == object.body) {
    form.body = std::move(*body);
  } else {
    form.body_text = object.body;
  }
  return object_codec().encode(form);
}

Result<Object> decode_object_exactly(const Value& value) {
  HOLDFAST_CHECK_OK(
      require(value, {"kind", "id", "revision", "state", "created_at", "updated_at", "label"}));
  HOLDFAST_TRY(ObjectForm form, decoded(object_codec().decode(value)));
  if (!form.body && !form.body_text) return invalid_argument("the member 'body' is missing");
  HOLDFAST_TRY(Label label, decode_label(form.label));
  return Object{.key = {.kind = std::move(form.kind), .id = std::move(form.id)},
                .revision = form.revision,
                .state = std::move(form.state),
                .body = form.body ? to_json(*form.body) : std::move(*form.body_text),
                .label = std::move(label),
                .created_at = form.created_at,
                .updated_at = form.updated_at};
}

Value encode_entry_exactly(const JournalEntry& entry) {
  Value value = codec_of<JournalEntry>().encode(entry);
  value.set("kind", entry.key.kind);
  value.set("id", entry.key.id);
  value.set("label", encode_label(entry.label));
  return value;
}

Result<JournalEntry> decode_entry_exactly(const Value& value) {
  HOLDFAST_CHECK_OK(require(value, {"at", "action", "revision", "kind", "id", "label"}));
  HOLDFAST_TRY(JournalEntry entry, decoded(codec_of<JournalEntry>().decode(value)));
  const std::string* kind = value.find("kind")->if_string();
  const std::string* id = value.find("id")->if_string();
  if (kind == nullptr || id == nullptr || kind->empty() || id->empty()) {
    return invalid_argument("'kind' and 'id' must be texts");
  }
  if (entry.revision < 1) return invalid_argument("'revision' must be at least 1");
  entry.key = {.kind = *kind, .id = *id};
  HOLDFAST_TRY(entry.label, decode_label(*value.find("label")));
  return entry;
}

}  // namespace holdfast
