#include "service/continuity/graph_service.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/utf8.h"
#include "service/continuity/document.h"
#include "service/continuity/graph_shape.h"
#include "service/continuity/task_service.h"

namespace holdfast::service::continuity {
namespace {

// Tasks of one thread that are looked at, in the order of nodes; the caps are far below.
constexpr size_t kMostTasks = search::kMaxLimit;

void add_task(const Request& request, const Value& task, const Subject& anchor, Graph& graph) {
  if (!may_read(request.call, task_path(task))) {
    graph.deny("task_artifact", task_path(task));
    return;
  }
  graph.found = true;
  const std::string id = "task:" + text_of(task, "task_id");
  if (!text_of(task, "thread_id").empty())
    graph.add("linked_to_thread", id, "thread:" + text_of(task, "thread_id"));
  if (anchor.kind != "task") return;
  for (const Value& other : list_of(task, "blocked_by")) {
    if (other.is_string()) graph.add("depends_on", id, "task:" + *other.if_string());
  }
}

// Of a task that cannot be read itself: where it would be.
bool may_read_task(const Request& request, const std::string& id) {
  return may_read(request.call, task_path(Value::object({{"task_id", id}})));
}

void add_capsule(const Request& request, const StoredCapsule& stored, const std::string& state,
                 Graph& graph) {
  const std::string path = state == "active"     ? active_path(stored.stem)
                           : state == "fallback" ? fallback_path(stored.stem)
                                                 : archive_path(stored.archive_stem);
  if (!may_read(request.call, path)) {
    const char* source = state == "active"     ? "continuity_capsule"
                         : state == "fallback" ? "fallback_artifact"
                                               : "archive_artifact";
    graph.deny(source, path);
    return;
  }
  graph.found = true;
  if (const Value* state_of = stored.capsule.find("continuity")) {
    for (const Value& document : list_of(*state_of, "related_documents")) {
      const std::string named = text_of(document, "path");
      if (may_read(request.call, named)) {
        graph.add("references_document", graph.anchor, "document:" + named);
      } else {
        graph.deny("related_document", named);
      }
    }
  }
  const Value* descriptor = present(stored.capsule, "thread_descriptor");
  const std::string successor =
      descriptor != nullptr ? text_of(*descriptor, "superseded_by") : std::string();
  if (!successor.empty())
    graph.add("supersedes", stored.subject_kind + ":" + successor, graph.anchor);
}

}  // namespace

Value GraphService::empty(const char* code, const char* message, Value details,
                          const GraphCaps& caps) {
  return empty_graph({graph_warning(code, message, std::move(details))}, caps);
}

Value GraphService::unsupported(const std::string& kind, const GraphCaps& caps) {
  return empty("graph_anchor_not_supported",
               "The selected subject kind is not supported as a graph anchor.",
               Value::object({{"subject_kind", kind}}), caps);
}

Result<Value> GraphService::around(const Request& request, const Access& access,
                                   storage::ReadTxn& txn, const Subject& anchor,
                                   const GraphCaps& caps) const {
  if (anchor.kind != "thread" && anchor.kind != "task") return unsupported(anchor.kind, caps);
  Graph graph{.anchor = anchor.name()};
  if (!has_scope(request.call, kReadFiles))
    return empty_graph({graph_denial("task_artifact", Value(), graph.anchor)}, caps);
  if (anchor.kind == "task") {
    const auto task = find_document(txn, access, task_noun(), anchor.id);
    if (!task && task.error().code != ErrorCode::kCorrupted) return task.error();
    if (!task && may_read_task(request, anchor.id)) graph.malformed_anchors = 1;
    if (task && *task) add_task(request, **task, anchor, graph);
  } else {
    search::ListRequest wanted{.sort = {{.by = search::SortKey::By::kTextFacet,
                                         .facet = facet::kItem,
                                         .descending = false}},
                               .limit = kMostTasks};
    wanted.filter.facets = {has(shared_facet::kThread, anchor.id)};
    HOLDFAST_TRY(const DocumentPage page, list_documents(txn, access, index_, task_noun(), wanted));
    for (const Value& task : page.documents) add_task(request, task, anchor, graph);
    if (page.has_more && may_read(request.call, "tasks"))
      graph.further_nodes = page.total - page.documents.size();
    graph.malformed_nodes = static_cast<size_t>(std::ranges::count_if(
        page.unreadable, [&](const std::string& id) { return may_read_task(request, id); }));
  }
  HOLDFAST_TRY(auto active, load_active(txn, access, anchor));
  if (active && active->valid()) add_capsule(request, active->stored, "active", graph);
  HOLDFAST_TRY(const auto fallback, load_fallback(txn, access, anchor, std::move(active)));
  if (fallback && fallback->valid()) add_capsule(request, fallback->stored, "fallback", graph);
  HOLDFAST_TRY(const auto archives, archives_of(txn, access, anchor, false));
  for (const StoredCapsule& one : archives) add_capsule(request, one, "archived", graph);
  if (graph.found) return shape_graph(graph, caps);
  if (!graph.denied.empty()) return empty_graph(graph.denials(), caps);
  if (graph.malformed_nodes + graph.malformed_anchors > 0)
    return empty("graph_derivation_failed", "Graph context could not be derived.",
                 Value::object({{"reason", "malformed_source_unrecoverable"}}), caps);
  return empty("graph_anchor_not_found", "The selected graph anchor was not found.",
               Value::object(
                   {{"anchor_id", graph.anchor}, {"kind", anchor.kind}, {"subject_id", anchor.id}}),
               caps);
}

}  // namespace holdfast::service::continuity
