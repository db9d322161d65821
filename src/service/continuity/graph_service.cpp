#include "service/continuity/graph_service.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/utf8.h"
#include "service/continuity/document.h"
#include "service/continuity/task_service.h"

namespace holdfast::service::continuity {
namespace {

// Tasks of one thread that are looked at; the caps are far below.
constexpr size_t kMostTasks = search::kMaxLimit;

struct Edge {
  std::string relationship = {};
  std::string source = {};
  std::string target = {};
  auto operator<=>(const Edge&) const = default;
};

struct Graph {
  std::string anchor = {};
  std::set<std::string> nodes = {};  // kind:id
  std::set<Edge> edges = {};
  // By class of source and path; null for the path of a whole class.
  std::map<std::pair<std::string, std::string>, Value> denied = {};
  bool found = false;

  void deny(const std::string& source_class, const std::string& path);
  std::vector<Value> denials() const {
    std::vector<Value> out;
    for (const auto& [place, warning] : denied) out.push_back(warning);
    return out;
  }

  void add(std::string_view relationship, const std::string& from, const std::string& to) {
    for (const std::string& node : {from, to}) {
      if (trim_space(std::string_view(node).substr(node.find(':') + 1)).empty()) return;
    }
    for (const std::string& node : {from, to}) {
      if (node != anchor) nodes.insert(node);
    }
    edges.insert({.relationship = std::string(relationship), .source = from, .target = to});
  }
};

Value warning(const char* code, const char* message, Value details) {
  return Value::object({{"code", code}, {"message", message}, {"details", std::move(details)}});
}

Value denial(const std::string& source_class, Value path, const std::string& anchor) {
  return warning(
      "graph_source_denied", "A graph source was omitted because access was denied.",
      Value::object(
          {{"source_class", source_class}, {"path", std::move(path)}, {"anchor_id", anchor}}));
}

void Graph::deny(const std::string& source_class, const std::string& path) {
  denied.try_emplace({source_class, path}, denial(source_class, path, anchor));
}

Value node_of(const std::string& id) {
  const size_t colon = id.find(':');
  return Value::object(
      {{"id", id}, {"kind", id.substr(0, colon)}, {"subject_id", id.substr(colon + 1)}});
}

std::string name_of(const std::string& node) { return node.substr(node.find(':') + 1); }

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

struct Cut {
  Value truncation = Value::object();
  std::vector<Value> warnings = {};

  template <typename T>
  void apply(const char* field, size_t limit, std::vector<T>& items) {
    const size_t available = items.size();
    if (available > limit) items.resize(limit);
    note(field, limit, available, items.size());
  }
  void note(const char* field, size_t limit, size_t available, size_t returned) {
    truncation.set(field, Value::object({{"limit", limit},
                                         {"available", available},
                                         {"returned", returned},
                                         {"truncated", available > returned}}));
    if (available > returned)
      warnings.push_back(
          warning("graph_truncated", "Graph context was truncated to configured caps.",
                  Value::object({{"field", field}, {"limit", limit}, {"available", available}})));
  }
};

Value shape_graph(const Graph& graph, const GraphCaps& caps) {
  Cut cut;
  std::vector<std::string> nodes(graph.nodes.begin(), graph.nodes.end());
  cut.apply("nodes", caps.nodes, nodes);
  const auto kept = [&](const std::string& node) {
    return node == graph.anchor || std::ranges::binary_search(nodes, node);
  };
  std::vector<Edge> edges;
  for (const Edge& edge : graph.edges) {
    if (kept(edge.source) && kept(edge.target)) edges.push_back(edge);
  }
  cut.apply("edges", caps.edges, edges);
  std::vector<Edge> documents;
  std::vector<Edge> blockers;
  for (const Edge& edge : edges) {
    if (edge.relationship == "references_document") documents.push_back(edge);
    if (edge.relationship == "depends_on") blockers.push_back(edge);
  }
  std::ranges::sort(documents, {},
                    [](const Edge& edge) { return std::tuple(edge.target, edge.source); });
  cut.apply("related_documents", caps.documents, documents);
  cut.apply("blockers", caps.blockers, blockers);
  Value out = Value::object({{"anchor", node_of(graph.anchor)}});
  Value list = Value::array();
  for (const std::string& node : nodes) list.push(node_of(node));
  out.set("nodes", std::move(list));
  list = Value::array();
  for (const Edge& edge : edges)
    list.push(Value::object({{"relationship", edge.relationship},
                             {"source_id", edge.source},
                             {"target_id", edge.target}}));
  out.set("edges", std::move(list));
  list = Value::array();
  for (const Edge& edge : documents)
    list.push(Value::object(
        {{"path", name_of(edge.target)}, {"node_id", edge.target}, {"source_id", edge.source}}));
  out.set("related_documents", std::move(list));
  list = Value::array();
  for (const Edge& edge : blockers)
    list.push(Value::object({{"task_id", name_of(edge.source)},
                             {"blocked_by_task_id", name_of(edge.target)},
                             {"source_id", edge.source},
                             {"target_id", edge.target}}));
  out.set("blockers", std::move(list));
  out.set("truncation", std::move(cut.truncation));
  // Sorted by code, then by source, path and field.
  std::ranges::sort(cut.warnings, {},
                    [](const Value& one) { return text_of(*one.find("details"), "field"); });
  std::ranges::move(graph.denials(), std::back_inserter(cut.warnings));
  out.set("warnings", Value::array_of(cut.warnings));
  return out;
}

Value nothing(std::vector<Value> warnings, const GraphCaps& caps) {
  Cut cut;
  cut.note("nodes", caps.nodes, 0, 0);
  cut.note("edges", caps.edges, 0, 0);
  cut.note("related_documents", caps.documents, 0, 0);
  cut.note("blockers", caps.blockers, 0, 0);
  return Value::object({{"anchor", Value()},
                        {"nodes", Value::array()},
                        {"edges", Value::array()},
                        {"related_documents", Value::array()},
                        {"blockers", Value::array()},
                        {"truncation", cut.truncation},
                        {"warnings", Value::array_of(warnings)}});
}

}  // namespace

Value GraphService::empty(const char* code, const char* message, Value details,
                          const GraphCaps& caps) {
  return nothing({warning(code, message, std::move(details))}, caps);
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
    return nothing({denial("task_artifact", Value(), graph.anchor)}, caps);
  if (anchor.kind == "task") {
    HOLDFAST_TRY(const auto task, find_document(txn, access, task_noun(), anchor.id));
    if (task) add_task(request, *task, anchor, graph);
  } else {
    search::ListRequest wanted{.sort = {{.by = search::SortKey::By::kTextFacet,
                                         .facet = facet::kItem,
                                         .descending = false}},
                               .limit = kMostTasks};
    wanted.filter.facets = {has(shared_facet::kThread, anchor.id)};
    HOLDFAST_TRY(const DocumentPage page, list_documents(txn, access, index_, task_noun(), wanted));
    for (const Value& task : page.documents) add_task(request, task, anchor, graph);
  }
  HOLDFAST_TRY(auto active, load_active(txn, access, anchor));
  if (active && active->valid()) add_capsule(request, active->stored, "active", graph);
  HOLDFAST_TRY(const auto fallback, load_fallback(txn, access, anchor, std::move(active)));
  if (fallback && fallback->valid()) add_capsule(request, fallback->stored, "fallback", graph);
  HOLDFAST_TRY(const auto archives, archives_of(txn, access, anchor, false));
  for (const StoredCapsule& one : archives) add_capsule(request, one, "archived", graph);
  if (graph.found) return shape_graph(graph, caps);
  if (!graph.denied.empty()) return nothing(graph.denials(), caps);
  return empty("graph_anchor_not_found", "The selected graph anchor was not found.",
               Value::object(
                   {{"anchor_id", graph.anchor}, {"kind", anchor.kind}, {"subject_id", anchor.id}}),
               caps);
}

}  // namespace holdfast::service::continuity
