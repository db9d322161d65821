#include "service/continuity/graph_shape.h"

#include <algorithm>
#include <tuple>

#include "base/utf8.h"
#include "service/continuity/document.h"

namespace holdfast::service::continuity {
namespace {

Value node_of(const std::string& id) {
  const size_t colon = id.find(':');
  return Value::object(
      {{"id", id}, {"kind", id.substr(0, colon)}, {"subject_id", id.substr(colon + 1)}});
}

std::string name_in_node(const std::string& node) { return node.substr(node.find(':') + 1); }

struct Cut {
  Value truncation = Value::object();
  std::vector<Value> warnings = {};

  template <typename T>
  void apply(const char* field, size_t limit, std::vector<T>& items, size_t further = 0) {
    const size_t available = items.size() + further;
    if (items.size() > limit) items.resize(limit);
    note(field, limit, available, items.size());
  }
  void note(const char* field, size_t limit, size_t available, size_t returned) {
    truncation.set(field, Value::object({{"limit", limit},
                                         {"available", available},
                                         {"returned", returned},
                                         {"truncated", available > returned}}));
    if (available > returned)
      warnings.push_back(graph_warning(
          "graph_truncated", "Graph context was truncated to configured caps.",
          Value::object({{"field", field}, {"limit", limit}, {"available", available}})));
  }
};

Value malformed_warning(const Graph& graph) {
  return graph_warning("graph_result_malformed", "Malformed graph helper results were skipped.",
                       Value::object({{"malformed_nodes", graph.malformed_nodes},
                                      {"malformed_edges", 0},
                                      {"malformed_anchors", graph.malformed_anchors}}));
}

}  // namespace

Value graph_warning(const char* code, const char* message, Value details) {
  return Value::object({{"code", code}, {"message", message}, {"details", std::move(details)}});
}

Value graph_denial(const std::string& source_class, Value path, const std::string& anchor) {
  return graph_warning(
      "graph_source_denied", "A graph source was omitted because access was denied.",
      Value::object(
          {{"source_class", source_class}, {"path", std::move(path)}, {"anchor_id", anchor}}));
}

void Graph::deny(const std::string& source_class, const std::string& path) {
  denied.try_emplace({source_class, path}, graph_denial(source_class, path, anchor));
}

Value shape_graph(const Graph& graph, const GraphCaps& caps) {
  Cut cut;
  std::vector<std::string> nodes(graph.nodes.begin(), graph.nodes.end());
  cut.apply("nodes", caps.nodes, nodes, graph.further_nodes);
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
    list.push(Value::object({{"path", name_in_node(edge.target)},
                             {"node_id", edge.target},
                             {"source_id", edge.source}}));
  out.set("related_documents", std::move(list));
  list = Value::array();
  for (const Edge& edge : blockers)
    list.push(Value::object({{"task_id", name_in_node(edge.source)},
                             {"blocked_by_task_id", name_in_node(edge.target)},
                             {"source_id", edge.source},
                             {"target_id", edge.target}}));
  out.set("blockers", std::move(list));
  out.set("truncation", std::move(cut.truncation));
  // Sorted by code, then by source, path and field.
  std::ranges::sort(cut.warnings, {},
                    [](const Value& one) { return text_of(*one.find("details"), "field"); });
  if (graph.malformed_nodes + graph.malformed_anchors > 0)
    cut.warnings.push_back(malformed_warning(graph));
  std::ranges::move(graph.denials(), std::back_inserter(cut.warnings));
  out.set("warnings", Value::array_of(cut.warnings));
  return out;
}

Value empty_graph(const std::vector<Value>& warnings, const GraphCaps& caps) {
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

}  // namespace holdfast::service::continuity
