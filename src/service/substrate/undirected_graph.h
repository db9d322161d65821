// A simple undirected graph: parallel edges count once, loops not at all. Linear algorithms without
// recursion, so that a long chain is no deep stack.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace holdfast::service::substrate {

class UndirectedGraph {
 public:
  UndirectedGraph() = default;
  UndirectedGraph(size_t nodes, const std::vector<std::pair<size_t, size_t>>& edges);

  const std::vector<size_t>& neighbours(size_t node) const { return neighbours_[node]; }
  // Each component's nodes, smallest first; single nodes are components too.
  std::vector<std::vector<size_t>> components() const;
  // Nodes whose removal disconnects their component.
  std::vector<size_t> articulation_points() const;

 private:
  std::vector<std::vector<size_t>> neighbours_;  // sorted
};

}  // namespace holdfast::service::substrate
