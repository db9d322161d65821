#include "surface/native/encode.h"

#include "base/time_text.h"
#include "model/json_text.h"

namespace holdfast::surface::native {
namespace {

std::string_view visibility_name(Visibility visibility) {
  switch (visibility) {
    case Visibility::kPublic: return "public";
    case Visibility::kContainer: return "container";
    case Visibility::kPrivate: return "container_private";
    case Visibility::kOwner: return "private";
  }
  return "private";
}

}  // namespace

Value body_value(const std::string& body) {
  auto value = parse_json(body);
  return value ? std::move(*value) : Value();
}

Value encode_key(const ObjectKey& key) {
  return Value::object({{"kind", key.kind}, {"id", key.id}});
}

Value encode_label(const Label& label) {
  return Value::object(
      {{"visibility", visibility_name(label.visibility)},
       {"sensitivity", label.sensitivity == Sensitivity::kSensitive ? "sensitive" : "normal"},
       {"container", label.container},
       {"owner", label.owner}});
}

Value encode_object(const Object& object) {
  Value out = encode_key(object.key);
  out.set("revision", object.revision);
  out.set("state", object.state);
  out.set("created_at", format_micros(object.created_at));
  out.set("updated_at", format_micros(object.updated_at));
  out.set("position", object.position);
  out.set("label", encode_label(object.label));
  out.set("body", body_value(object.body));
  return out;
}

Value encode_entry(const JournalEntry& entry) {
  return Value::object({{"position", entry.position},
                        {"change", entry.change},
                        {"at", format_micros(entry.at)},
                        {"principal", entry.principal},
                        {"surface", entry.surface},
                        {"action", entry.action},
                        {"kind", entry.key.kind},
                        {"id", entry.key.id},
                        {"revision", entry.revision},
                        {"message", entry.message},
                        {"request_id", entry.request_id}});
}

Value encode_revision(const storage::RevisionRecord& revision) {
  Value out = Value::object({{"revision", revision.object.revision},
                             {"deleted", revision.deleted},
                             {"at", format_micros(revision.object.updated_at)},
                             {"position", revision.object.position},
                             {"principal", revision.entry.principal},
                             {"surface", revision.entry.surface},
                             {"action", revision.entry.action},
                             {"message", revision.entry.message},
                             {"state", revision.object.state}});
  out.set("body", revision.deleted ? Value() : body_value(revision.object.body));
  return out;
}

}  // namespace holdfast::surface::native
