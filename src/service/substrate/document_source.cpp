#include "service/substrate/document_source.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "service/substrate/ids.h"
#include "service/substrate/words.h"
#include "text/document_chunker.h"

namespace holdfast::service::substrate {
namespace {

constexpr size_t kMaxSegments = 100;

AdapterNote document_adapter(const std::string& mode, const Value& origin) {
  AdapterNote note{
      .name = "document",
      .version = "document-adapter.v1",
      .mode = mode,
      .supported_modes = {"file", "markdown", "web", "pdf", "conversation"},
      .transformations = {"read_text", std::string(text::kChunkerName), "source_segments"},
      .privacy_class = "local_file",
      .origin_class = "unknown"};
  if (origin.find("url") != nullptr) {
    note.privacy_class = note.origin_class = "remote_url";
  } else if (origin.find("path") != nullptr) {
    note.origin_class = "local_file";
  } else if (origin.find("title") != nullptr) {
    note.privacy_class = note.origin_class = "conversation";
  }
  return note;
}

Segment segment_of(const text::DocumentChunk& chunk, size_t index, const std::string& ref) {
  Value locator = Value::object({{"kind", "source"},
                                 {"ref", ref},
                                 {"segment_index", index},
                                 {"chunk_kind", chunk.kind},
                                 {"line_start", chunk.line_start},
                                 {"line_end", chunk.line_end}});
  if (!chunk.heading_path.empty()) locator.set("heading_path", Value::array_of(chunk.heading_path));
  return {.segment_id = slug(fmt::format("{}-{}", index, chunk.title)),
          .locator = std::move(locator),
          .excerpt = std::string(prefix_code_points(chunk.text, text::kChunkMaxChars)),
          .hash = sha256_hex(chunk.text)};
}

std::vector<Segment> segments_of(const CapturedDocument& document) {
  const auto form = document.content_type == "markdown" ? text::DocumentForm::kMarkdown
                                                        : text::DocumentForm::kText;
  std::vector<Segment> segments;
  for (const auto& chunk : text::chunk_document(document.text, form, kMaxSegments))
    segments.push_back(segment_of(chunk, segments.size() + 1, document.ref));
  return segments;
}

std::string capitalised(std::string word) {
  if (!word.empty() && word[0] >= 'a' && word[0] <= 'z') word[0] = static_cast<char>(word[0] - 32);
  return word;
}

Source source_of(const CapturedDocument& document, Timestamp now) {
  Source source{.id = stable_id("src", document.identity_key),
                .kind = document.kind,
                .origin = document.origin,
                .title = document.title,
                .identity_key = document.identity_key,
                .fingerprint = sha256_hex(document.text),
                .content_type = document.content_type,
                .segments = segments_of(document)};
  source.payload =
      Value::object({{"text", document.text},
                     {"byte_count", document.text.size()},
                     {"segment_count", source.segments.size()},
                     {"chunking", Value::object({{"strategy", text::kChunkerName},
                                                 {"max_chars", text::kChunkMaxChars},
                                                 {"overlap_lines", text::kChunkOverlapLines}})}});
  source.metadata =
      source_metadata(document_adapter(document.kind, document.origin), source.fingerprint, now);
  return source;
}

}  // namespace

Value source_metadata(const AdapterNote& adapter, const std::string& fingerprint, Timestamp now) {
  const std::string at = time_text(now);
  return Value::object(
      {{"scanned_at", at},
       {"adapter",
        Value::object({{"name", adapter.name},
                       {"version", adapter.version},
                       {"mode", adapter.mode},
                       {"supported_modes", Value::array_of(adapter.supported_modes)},
                       {"declared_transformations", Value::array_of(adapter.transformations)},
                       {"default_privacy_class", adapter.privacy_class},
                       {"origin_classification", adapter.origin_class}})},
       {"freshness",
        Value::object({{"checked_at", at}, {"is_current", true}, {"fingerprint", fingerprint}})}});
}

DocumentObjects objects_of(const CapturedDocument& document, Timestamp now) {
  DocumentObjects made{.source = source_of(document, now)};
  const std::string node_key = "node|document|" + document.identity_key;
  made.node = {
      .id = stable_id("node", node_key),
      .kind = "document",
      .name = document.title,
      .slug = slug(document.title),
      .identity_key = node_key,
      .aliases = {document.ref},
      .summary = fmt::format("{} document with {} source segments.",
                             capitalised(document.content_type), made.source.segments.size())};
  const std::string activity_key = fmt::format("activity|{}_ingest|{}|{}", document.kind,
                                               document.identity_key, made.source.fingerprint);
  made.activity = {
      .id = stable_id("act", activity_key),
      .kind = document.kind == "conversation" ? "meeting" : "reading",
      .title = "Ingest source: " + document.title,
      .summary = fmt::format("Captured {} as a {} source.", document.title, document.content_type),
      .identity_key = activity_key,
      .status = "finalized",
      .started_at = time_text(now),
      .ended_at = time_text(now),
      .related_node_refs = {made.node.id},
      .source_refs = {made.source.id},
      .artifact_refs = {document.ref}};
  return made;
}

Source stub_of(const BinaryFile& file, Timestamp now) {
  const std::string key = "source|pdf|" + file.path;
  Source source{.id = stable_id("src", key),
                .kind = "pdf",
                .origin = Value::object({{"path", file.path}}),
                .title = file.title,
                .identity_key = key,
                .fingerprint = sha256_hex(file.bytes),
                .content_type = "binary_stub"};
  source.payload = Value::object(
      {{"path", file.path}, {"byte_count", file.bytes.size()}, {"sha256", source.fingerprint}});
  AdapterNote adapter = document_adapter("pdf", source.origin);
  adapter.transformations = {"binary_stub"};
  source.metadata = source_metadata(adapter, source.fingerprint, now);
  return source;
}

}  // namespace holdfast::service::substrate
