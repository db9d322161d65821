#include "surface/substrate/encode_maintain.h"

#include <algorithm>
#include <array>

#include "surface/substrate/encode_health.h"
#include "surface/substrate/encode_query.h"

namespace holdfast::surface::substrate {

using namespace service::substrate;

namespace {

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::kInfo: return "info";
    case Severity::kWarning: return "warning";
    case Severity::kError: return "error";
  }
  return "";
}

Value semantic_state(const DerivedIndexes& derived) {
  return Value::object({{"backend", *derived.semantic_backend},
                        {"model", derived.semantic_model},
                        {"canonical_chunk_count", derived.semantic_objects},
                        {"indexed_chunk_count", derived.semantic_vectors},
                        {"missing_from_index", derived.semantic_objects - derived.semantic_vectors},
                        {"stale_index", 0}});
}

Value encode_conflicts(const std::vector<WikiConflict>& conflicts) {
  Value out = Value::array();
  for (const WikiConflict& one : conflicts) {
    out.push(Value::object({{"path", one.path}, {"reason", one.reason}}));
  }
  return out;
}

}  // namespace

Value encode_config(const Config& config) {
  Value graph = Value::object();
  if (config.graph_backend) graph.set("backend", *config.graph_backend);
  Value semantic = Value::object();
  if (config.semantic_backend) semantic.set("backend", *config.semantic_backend);
  if (config.semantic_model) semantic.set("model", *config.semantic_model);
  Value wiki = Value::object();
  if (config.wiki_path) wiki.set("path", *config.wiki_path);
  if (config.wiki_format) wiki.set("format", *config.wiki_format);
  return result("maintain_configure_result",
                Value::object({{"config", Value::object({{"graph", std::move(graph)},
                                                         {"semantic", std::move(semantic)},
                                                         {"wiki_projection", std::move(wiki)}})}}));
}

Value encode_structure(const std::vector<StructureIssue>& issues) {
  std::array<int64_t, 3> counts = {};
  Value list = Value::array();
  for (const StructureIssue& issue : issues) {
    ++counts[static_cast<size_t>(issue.severity)];
    list.push(Value::object({{"issue_id", issue.issue_id()},
                             {"kind", issue.kind},
                             {"severity", severity_name(issue.severity)},
                             {"target_id", issue.target_id},
                             {"summary", issue.summary},
                             {"details", issue.details},
                             {"repairable", issue.repairable}}));
  }
  return result(
      "structure_report",
      Value::object(
          {{"issues", std::move(list)},
           {"counts",
            Value::object({{"info", counts[0]}, {"warning", counts[1]}, {"error", counts[2]}})}}));
}

Value encode_audit(const std::vector<AuditEvent>& events) {
  Value list = Value::array();
  for (const AuditEvent& event : events) {
    list.push(Value::object({{"id", event.id},
                             {"event_type", event.event_type},
                             {"actor", event.actor},
                             {"target", Value::object({{"object_type", event.object_type},
                                                       {"object_id", event.object_id}})},
                             {"before", event.before},
                             {"after", event.after},
                             {"reason", event.reason},
                             {"timestamp", event.timestamp}}));
  }
  return result("audit_log", Value::object({{"events", std::move(list)}}));
}

Value encode_reindexed(const Reindexed& answer) {
  const DerivedIndexes& derived = answer.derived;
  Value data = Value::object({{"status", "completed"},
                              {"written", Value::array_of(answer.written)},
                              {"count", answer.written.size()}});
  if (derived.graph) {
    const GraphCounts& counts = derived.graph->counts;
    data.set(
        "graph_sync",
        Value::object({{"status", "completed"},
                       {"synced_objects", counts.episodes + counts.entities + counts.knowledge},
                       {"synced_relations", counts.relations},
                       {"backend", *derived.graph_backend}}));
  }
  if (derived.semantic_backend) {
    data.set("semantic_index",
             Value::object({{"backend", *derived.semantic_backend},
                            {"model", derived.semantic_model},
                            {"chunk_count", derived.semantic_vectors},
                            {"integrity_check",
                             Value::object({{"canonical_chunk_count", derived.semantic_objects},
                                            {"indexed_chunk_count", derived.semantic_vectors},
                                            {"safe_rebuild", true}})}}));
  }
  return result("reindex_result", std::move(data));
}

Value encode_repaired(const Repaired& answer) {
  const Maintained& done = answer.result;
  const bool noop = !done.patch_id && done.projection_count == 0;
  Value data = Value::object({{"status", noop ? "noop" : "completed"},
                              {"repaired", done.changed},
                              {"patch_id", or_null(done.patch_id)},
                              {"projection_count", done.projection_count}});
  if (done.patch_id) data.set("audit_event_ids", Value::array_of(done.audit_event_ids));
  Value derived = Value::object();
  if (answer.derived.semantic_backend) derived.set("semantic", semantic_state(answer.derived));
  if (answer.derived.graph) {
    derived.set("graph", encode_health(*answer.derived.graph, *answer.derived.graph_backend));
  }
  if (!derived.if_object()->empty()) data.set("derived_indexes", std::move(derived));
  return result("repair_result", std::move(data));
}

Value encode_maintained(const Maintained& answer) {
  return Value::object({{"status", answer.patch_id ? "completed" : "noop"},
                        {"patch_id", or_null(answer.patch_id)},
                        {"audit_event_ids", Value::array_of(answer.audit_event_ids)},
                        {"projection_count", answer.projection_count}});
}

Value encode_cycled(const Cycled& answer) {
  Value patches = Value::array();
  Value events = Value::array();
  for (const Maintained* step : {&answer.promoted, &answer.merged, &answer.decayed}) {
    if (step->patch_id) patches.push(*step->patch_id);
    for (const std::string& id : step->audit_event_ids) events.push(id);
  }
  return Value::object({{"status", "completed"},
                        {"promoted", answer.promoted.changed},
                        {"merged", answer.merged.changed},
                        {"decayed", answer.decayed.changed},
                        {"patch_ids", std::move(patches)},
                        {"audit_event_ids", std::move(events)},
                        {"projection_count", answer.projection_count}});
}

Value encode_rendered(const RenderedWiki& answer) {
  Value warnings = Value::array();
  if (!answer.conflicts.empty()) {
    warnings.push("Some pages were not written: they are yours, or were edited.");
  }
  return result("projection_render_result",
                Value::object({{"status", answer.conflicts.empty() ? "completed"
                                                                   : "completed_with_conflicts"},
                               {"target_path", answer.target_path},
                               {"format", answer.format},
                               {"manifest_path", answer.manifest_path},
                               {"written", Value::array_of(answer.written)},
                               {"removed", Value::array_of(answer.removed)},
                               {"conflicts", encode_conflicts(answer.conflicts)},
                               {"count", answer.written.size()},
                               {"warnings", warnings}}),
                warnings);
}

Value encode_reconciled(const ReconciledWiki& answer) {
  Value candidates = Value::array();
  for (const auto& one : answer.remember_candidates) {
    candidates.push(Value::object(
        {{"path", one.path},
         {"title", one.title},
         {"excerpt", one.excerpt},
         {"suggested_memory",
          Value::object(
              {{"mode", "knowledge"},
               {"input_data",
                Value::object({{"kind", "fact"},
                               {"title", one.title},
                               {"summary", one.excerpt},
                               {"reason", "Written by a person in the wiki folder."},
                               {"memory_source", "human_curated"},
                               {"scope_refs", Value::array({"scope:wiki"})},
                               {"payload", Value::object({{"metadata",
                                                           Value::object({{"wiki_path",
                                                                           one.path}})}})}})}})}}));
  }
  return result(
      "projection_reconcile_report",
      Value::object(
          {{"status", answer.conflicts.empty() ? "clean" : "conflicts"},
           {"target_path", answer.target_path},
           {"format", answer.format},
           {"manifest_path", answer.manifest_path},
           {"conflicts", encode_conflicts(answer.conflicts)},
           {"remember_candidates", std::move(candidates)},
           {"canonical_mutation", false},
           {"counts", Value::object({{"conflicts", answer.conflicts.size()},
                                     {"remember_candidates", answer.remember_candidates.size()}})},
           {"next_actions", Value::array({"review_conflicts", "call_memory_remember_if_durable",
                                          "render_projection_again"})}}));
}

}  // namespace holdfast::surface::substrate
