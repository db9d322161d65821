// Graphs and slices of memory_query.
#include <array>

#include <fmt/format.h>

#include "surface/substrate/encode_query.h"

namespace holdfast::surface::substrate {

using namespace service::substrate;

namespace {

std::string_view derivation_name(Derivation derivation) {
  switch (derivation) {
    case Derivation::kFieldReference: return "field_reference";
    case Derivation::kEvidenceRef: return "evidence_ref";
    case Derivation::kStructuredPayload: return "structured_payload";
  }
  return "";
}

// Where an edge comes from, in the published schema.
Value edge_payload(const Relation& relation) {
  Value payload =
      Value::object({{"relation_schema",
                      Value::object({{"version", 1},
                                     {"derivation", derivation_name(relation.derivation)},
                                     {"origin_object_type", relation.origin_type},
                                     {"origin_object_id", relation.origin_id},
                                     {"origin_field", relation.origin_field},
                                     {"source_object_type", kind_of_id(relation.source_id)},
                                     {"target_object_type", kind_of_id(relation.target_id)}})}});
  if (relation.derivation == Derivation::kStructuredPayload) {
    payload.set("knowledge_id", relation.origin_id);
    payload.set("value", relation.value);
  } else {
    payload.set("derived_from_field", relation.origin_field);
  }
  return payload;
}

Value encode_node(const GraphNode& node, bool with_backend) {
  Value out = Value::object({{"object_type", node.card.object_type},
                             {"id", node.card.id},
                             {"kind", node.card.kind},
                             {"title", node.card.title},
                             {"status", node.card.status}});
  if (!with_backend) return out;
  out.set("summary", node.card.summary);
  for (const std::string_view name : {"scope_refs", "created_at", "updated_at"}) {
    if (const Value* member = node.record.find(name)) out.set(name, *member);
  }
  return out;
}

struct SliceWord {
  SliceStatus status;
  std::string_view word;
};

constexpr std::array<SliceWord, 10> kSliceWords = {{
    {SliceStatus::kOk, "ok"},
    {SliceStatus::kNotFound, "not_found"},
    {SliceStatus::kMissingPath, "missing_path"},
    {SliceStatus::kInvalidPath, "invalid_path"},
    {SliceStatus::kPathNotIndexed, "path_not_indexed"},
    {SliceStatus::kPathNotFound, "path_not_found"},
    {SliceStatus::kUnreadable, "unreadable"},
    {SliceStatus::kUnsupportedSource, "unsupported_source"},
    {SliceStatus::kSegmentNotFound, "segment_not_found"},
    {SliceStatus::kInvalidRange, "invalid_range"},
}};

Value with_status(Value answer, SliceStatus status) {
  answer.set("status", kSliceWords[static_cast<size_t>(status)].word);
  return answer;
}

}  // namespace

Value encode_graph(const std::string& id, const GraphAnswer& answer) {
  Value nodes = Value::array();
  for (const GraphNode& node : answer.nodes) nodes.push(encode_node(node, answer.with_backend));
  Value edges = Value::array();
  for (const GraphEdge& edge : answer.edges) {
    Value out = Value::object({{"source_id", edge.source_id},
                               {"target_id", edge.target_id},
                               {"relation", edge.relation}});
    if (edge.derived) {
      out.set("id", edge.derived->id());
      out.set("payload", edge_payload(*edge.derived));
    }
    edges.push(std::move(out));
  }
  Value warnings = Value::array();
  if (!answer.found) warnings.push(fmt::format("Object not found: {}", id));
  return result("graph", Value::object({{"nodes", std::move(nodes)}, {"edges", std::move(edges)}}),
                std::move(warnings));
}

Value encode_slice(const Slice& slice, int64_t max_lines, int64_t snippet_chars) {
  if (slice.status != SliceStatus::kOk) {
    return with_status(
        result("source_slice_unavailable", Value::object({{"source_id", slice.source_id},
                                                          {"path", null_if_empty(slice.path)}})),
        slice.status);
  }
  Value locator =
      Value::object({{"kind", slice.from_repository ? "repo_file_slice" : "text_source_slice"},
                     {"path", null_if_empty(slice.path)},
                     {"line_start", slice.line_start},
                     {"line_end", slice.line_end}});
  if (slice.segment_id) locator.set("segment_id", *slice.segment_id);
  Value next;
  if (slice.next_line_start > 0) {
    next = Value::object({{"source_id", slice.source_id},
                          {"path", null_if_empty(slice.path)},
                          {"line_start", slice.next_line_start},
                          {"line_end", slice.requested_line_end}});
  }
  const bool matches = slice.current_hash == slice.indexed_hash;
  Value warnings = Value::array();
  if (!matches) warnings.push("The file has changed since it was ingested; ingest it again.");
  Value data =
      Value::object({{"source_id", slice.source_id},
                     {"kind", slice.kind},
                     {"title", slice.title},
                     {"path", null_if_empty(slice.path)},
                     {"line_start", slice.line_start},
                     {"line_end", slice.line_end},
                     {"requested_line_start", slice.requested_line_start},
                     {"requested_line_end", slice.requested_line_end},
                     {"total_lines", slice.total_lines},
                     {"text", slice.text},
                     {"truncated", slice.line_truncated || slice.char_truncated},
                     {"truncation", Value::object({{"line_truncated", slice.line_truncated},
                                                   {"char_truncated", slice.char_truncated},
                                                   {"max_lines", max_lines},
                                                   {"snippet_chars", snippet_chars}})},
                     {"next_slice", std::move(next)},
                     {"locator", std::move(locator)},
                     {"content_hash", Value::object({{"algorithm", "sha256"},
                                                     {"current", slice.current_hash},
                                                     {"indexed", slice.indexed_hash},
                                                     {"matches_index", matches}})},
                     {"source_fingerprint", slice.fingerprint}});
  return with_status(result("source_slice", std::move(data), std::move(warnings)), slice.status);
}

}  // namespace holdfast::surface::substrate
