#include "surface/native/archive_operations.h"

#include "base/digest.h"
#include "model/object_codec.h"

namespace holdfast::surface::native {
namespace {

using service::ArchivedChange;
using service::ArchivedPiece;
using service::ExportPiecesRequest;
using service::ExportPiecesResponse;
using service::ExportRequest;
using service::ExportResponse;
using service::ImportPiecesRequest;
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

// A line of an export: `kind` and `id` name the object that the bytes belong to.
Value encode_piece(const ArchivedPiece& piece) {
  return Value::object({{"blob", piece.blob.id},
                        {"kind", piece.blob.owner.kind},
                        {"id", piece.blob.owner.id},
                        {"size", piece.blob.size},
                        {"sha256", base64_encode(piece.blob.sha256)},
                        {"created_at", to_micros(piece.blob.created_at)},
                        {"piece", piece.piece},
                        {"last", piece.last},
                        {"bytes", base64_encode(piece.bytes)}});
}

void read_piece(const Value& value, ArchivedPiece& out, wire::Reading& reading) {
  const auto text = [&](std::string_view name) {
    const Value* member = value.find(name);
    return member == nullptr ? nullptr : member->if_string();
  };
  const auto number = [&](std::string_view name) {
    const Value* member = value.find(name);
    return member == nullptr ? nullptr : member->if_int();
  };
  const Value* last = value.find("last");
  const auto bytes = text("bytes") != nullptr ? base64_decode(*text("bytes")) : std::nullopt;
  const auto hash = text("sha256") != nullptr ? base64_decode(*text("sha256")) : std::nullopt;
  const bool whole = text("blob") != nullptr && text("kind") != nullptr && text("id") != nullptr &&
                     number("size") != nullptr && number("created_at") != nullptr &&
                     number("piece") != nullptr && *number("piece") >= 0 && last != nullptr &&
                     last->if_bool() != nullptr && bytes && hash;
  if (!whole)
    return reading.add("archived_change", {{"problem", "this is no piece as export writes it"}});
  out = {.blob = {.id = *text("blob"),
                  .owner = {.kind = *text("kind"), .id = *text("id")},
                  .size = *number("size"),
                  .sha256 = *hash,
                  .created_at = from_micros(*number("created_at"))},
         .piece = *number("piece"),
         .last = *last->if_bool(),
         .bytes = *bytes};
}

Value encode_pieces(const ExportPiecesResponse& response) {
  Value pieces = Value::array();
  for (const auto& piece : response.pieces) pieces.push(encode_piece(piece));
  return Value::object({{"space", response.space.value},
                        {"pieces", std::move(pieces)},
                        {"after", response.after},
                        {"piece", response.piece},
                        {"done", response.done}});
}

Value encode_import(const ImportResponse& response) {
  return Value::object({{"space", response.space.value},
                        {"imported", response.imported},
                        {"skipped", response.skipped}});
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
      .encode = encode_import,
      .tags = {"administration"},
  };
  return operation;
}

const wire::Operation<ExportPiecesRequest, ExportPiecesResponse>& export_pieces() {
  static const wire::Operation<ExportPiecesRequest, ExportPiecesResponse> operation{
      .name = "export_pieces",
      .summary = "The bytes kept beside the space's objects (attachments), a few pieces at a time.",
      .request =
          wire::Schema<ExportPiecesRequest>()
              .query("after", &ExportPiecesRequest::after, "`after` of the page before.")
              .query("piece", &ExportPiecesRequest::piece, wire::at_least(0),
                     "`piece` of the page before.")
              .query("limit", &ExportPiecesRequest::limit, wire::range(1, 16), "How many pieces."),
      .encode = encode_pieces,
      .tags = {"administration"},
  };
  return operation;
}

const wire::Operation<ImportPiecesRequest, ImportResponse>& import_pieces() {
  static const wire::Operation<ImportPiecesRequest, ImportResponse> operation{
      .name = "import_pieces",
      .summary =
          "Add exported bytes, after the changes they belong to. What is there already is "
          "skipped.",
      .request = wire::Schema<ImportPiecesRequest>().required(
          "pieces", &ImportPiecesRequest::pieces, wire::items(0, 64),
          wire::each(wire::read_by<ArchivedPiece>(read_piece, Value::object({{"type", "object"}}))),
          "As export gave them, in order."),
      .encode = encode_import,
      .tags = {"administration"},
  };
  return operation;
}

}  // namespace holdfast::surface::native
