#include "surface/native/archive_operations.h"

#include "model/object_codec.h"

namespace holdfast::surface::native {
namespace {

using service::ArchivedChange;
using service::ExportRequest;
using service::ExportResponse;
using service::ImportRequest;
using service::ImportResponse;

Value encode_change(const ArchivedChange& change) {
  Value out = Value::object({{"entry", encode_entry_exactly(change.entry)}});
  out.set("object", change.object ? encode_object_exactly(*change.object) : Value());
  return out;
}

void read_change(const Value& value, ArchivedChange& out, wire::Reading& reading) {
  const Value* entry = value.find("entry");
  if (entry == nullptr)
    return reading.add("archived_change", {{"problem", "the member 'entry' is missing"}});
  auto decoded = decode_entry_exactly(*entry);
  if (!decoded)
    return reading.add("archived_change", {{"problem", "entry: " + decoded.error().message}});
  out.entry = std::move(*decoded);
  const Value* object = value.find("object");
  if (object == nullptr || object->is_null()) return;
  auto content = decode_object_exactly(*object);
  if (!content)
    return reading.add("archived_change", {{"problem", "object: " + content.error().message}});
  if (content->key != out.entry.key || content->revision != out.entry.revision) {
    return reading.add("archived_change",
                       {{"problem", "entry and object are not about the same revision"}});
  }
  out.object = std::move(*content);
}

Value encode_export(const ExportResponse& response) {
  Value changes = Value::array();
  for (const auto& change : response.changes) changes.push(encode_change(change));
  return Value::object({{"space", response.space.value},
                        {"changes", std::move(changes)},
                        {"next", response.next},
                        {"head", response.head},
                        {"done", response.done}});
}

}  // namespace

const wire::Operation<ExportRequest, ExportResponse>& export_changes() {
  static const wire::Operation<ExportRequest, ExportResponse> operation{
      .name = "export",
      .summary =
          "The changes of the space with the objects as they were, oldest first, a page at a time.",
      .request =
          wire::Schema<ExportRequest>()
              .query("after", &ExportRequest::after, wire::at_least(0),
                     "`next` of the page before.")
              .query("limit", &ExportRequest::limit, wire::range(1, 1000), "How many changes."),
      .encode = encode_export,
      .tags = {"administration"},
  };
  return operation;
}

const wire::Operation<ImportRequest, ImportResponse>& import_changes() {
  static const wire::Operation<ImportRequest, ImportResponse> operation{
      .name = "import",
      .summary =
          "Add exported changes to the space, history included. What is there already is skipped.",
      .request = wire::Schema<ImportRequest>().required(
          "changes", &ImportRequest::changes, wire::items(0, 1000),
          wire::each(
              wire::read_by<ArchivedChange>(read_change, Value::object({{"type", "object"}}))),
          "As export gave them, in order."),
      .encode =
          [](const ImportResponse& response) {
            return Value::object({{"space", response.space.value},
                                  {"imported", response.imported},
                                  {"skipped", response.skipped}});
          },
      .tags = {"administration"},
  };
  return operation;
}

}  // namespace holdfast::surface::native
