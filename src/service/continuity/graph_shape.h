// A derived graph before and after it is cut to its caps.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "service/continuity/graph_service.h"

namespace holdfast::service::continuity {

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
  size_t further_nodes = 0;  // that were not looked at, behind the others
  bool found = false;
  size_t malformed_nodes = 0;  // stored and unreadable
  size_t malformed_anchors = 0;

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

Value graph_warning(const char* code, const char* message, Value details);
Value graph_denial(const std::string& source_class, Value path, const std::string& anchor);
// Sorted, cut, with its projections and what was cut.
Value shape_graph(const Graph& graph, const GraphCaps& caps);
Value empty_graph(const std::vector<Value>& warnings, const GraphCaps& caps);

}  // namespace holdfast::service::continuity
