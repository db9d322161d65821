#include "service/substrate/undirected_graph.h"

#include <algorithm>
#include <cstdint>

#include "base/sorted.h"

namespace holdfast::service::substrate {
namespace {

constexpr size_t kNone = SIZE_MAX;

// Depth-first search that keeps its own stack. low[n] is the earliest node reachable from n's
// subtree by one edge back.
class Search {
 public:
  explicit Search(const std::vector<std::vector<size_t>>& neighbours)
      : neighbours_(neighbours),
        order_(neighbours.size(), kNone),
        low_(neighbours.size(), kNone),
        cut_(neighbours.size(), false) {}

  std::vector<size_t> run() {
    for (size_t root = 0; root < neighbours_.size(); ++root) {
      if (order_[root] == kNone) explore(root);
    }
    std::vector<size_t> points;
    for (size_t node = 0; node < cut_.size(); ++node) {
      if (cut_[node]) points.push_back(node);
    }
    return points;
  }

 private:
  struct Frame {
    size_t node = 0;
    size_t parent = kNone;
    size_t next = 0;  // neighbour to look at
    size_t children = 0;
  };

  void enter(size_t node, size_t parent) {
    order_[node] = low_[node] = clock_++;
    stack_.push_back({.node = node, .parent = parent});
  }

  void explore(size_t root) {
    enter(root, kNone);
    while (!stack_.empty()) {
      Frame& frame = stack_.back();
      if (frame.next < neighbours_[frame.node].size()) {
        const size_t other = neighbours_[frame.node][frame.next++];
        if (other == frame.parent) continue;
        if (order_[other] == kNone) {
          ++frame.children;
          enter(other, frame.node);
        } else {
          low_[frame.node] = std::min(low_[frame.node], order_[other]);
        }
        continue;
      }
      leave();
    }
  }

  void leave() {
    const Frame done = stack_.back();
    stack_.pop_back();
    if (done.parent == kNone) {
      cut_[done.node] = done.children > 1;
      return;
    }
    low_[done.parent] = std::min(low_[done.parent], low_[done.node]);
    const bool parent_is_root = stack_.back().parent == kNone;
    if (!parent_is_root && low_[done.node] >= order_[done.parent]) cut_[done.parent] = true;
  }

  const std::vector<std::vector<size_t>>& neighbours_;
  std::vector<size_t> order_;
  std::vector<size_t> low_;
  std::vector<bool> cut_;
  std::vector<Frame> stack_;
  size_t clock_ = 0;
};

}  // namespace

UndirectedGraph::UndirectedGraph(size_t nodes, const std::vector<std::pair<size_t, size_t>>& edges)
    : neighbours_(nodes) {
  for (const auto& [a, b] : edges) {
    if (a == b) continue;
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
  }
  for (auto& list : neighbours_) {
    sort_once(list);
  }
}

std::vector<std::vector<size_t>> UndirectedGraph::components() const {
  std::vector<bool> seen(neighbours_.size(), false);
  std::vector<std::vector<size_t>> out;
  for (size_t root = 0; root < neighbours_.size(); ++root) {
    if (seen[root]) continue;
    std::vector<size_t> component = {root};
    seen[root] = true;
    for (size_t i = 0; i < component.size(); ++i) {
      for (const size_t other : neighbours_[component[i]]) {
        if (seen[other]) continue;
        seen[other] = true;
        component.push_back(other);
      }
    }
    std::ranges::sort(component);
    out.push_back(std::move(component));
  }
  return out;
}

std::vector<size_t> UndirectedGraph::articulation_points() const {
  return Search(neighbours_).run();
}

}  // namespace holdfast::service::substrate
