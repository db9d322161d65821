#include "service/substrate/graph_health.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "service/substrate/graph.h"
#include "service/substrate/undirected_graph.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

using access::SpaceAccess;

constexpr size_t kMaxRecords = 20;
constexpr size_t kMaxClusters = 10;
constexpr size_t kMaxClusterIds = 20;
constexpr size_t kMaxSamples = 10;
constexpr size_t kLeastCluster = 3;
constexpr double kSparse = 0.5;

class Examination {
 public:
  Examination(storage::ReadTxn& txn, const SpaceAccess& access) : txn_(txn), access_(access) {}

  Result<GraphHealth> run() {
    for (const ObjectType type : kObjectTypes) {
      HOLDFAST_CHECK_OK(each_stored(txn_, access_, type, [this](Stored& stored) -> Status {
        add(stored);
        return {};
      }));
    }
    connect();
    find_isolated();
    find_clusters();
    find_weak_scopes();
    return std::move(health_);
  }

 private:
  void add(const Stored& stored) {
    const Card card = card_of(stored.view());
    const size_t node = node_of(card.id);
    records_[node] = {.id = card.id,
                      .kind = card.kind,
                      .title = card.title,
                      .status = card.status,
                      .scope_refs = stored.view().texts("scope_refs")};
    stub_[node] = false;
    for (const std::string& scope : records_[node].scope_refs) scopes_[scope].push_back(node);
    for (Relation& relation : relations_of(stored.view())) {
      if (relation_ids_.insert(relation.id()).second) {
        pairs_.emplace_back(std::move(relation.source_id), std::move(relation.target_id));
      }
    }
    switch (stored.type) {
      case ObjectType::kSource: ++health_.counts.episodes; break;
      case ObjectType::kKnowledge: ++health_.counts.knowledge; break;
      case ObjectType::kNode:
      case ObjectType::kActivity:
      case ObjectType::kWorkItem: ++health_.counts.entities; break;
    }
  }

  size_t node_of(const std::string& id) {
    const auto [place, added] = numbers_.emplace(id, records_.size());
    if (added) {
      records_.push_back({.id = id, .kind = "stub", .title = id, .status = "stub"});
      stub_.push_back(true);
    }
    return place->second;
  }

  void connect() {
    health_.counts.relations = static_cast<int64_t>(pairs_.size());
    std::vector<std::pair<size_t, size_t>> edges;
    for (const auto& [source, target] : pairs_)
      edges.emplace_back(node_of(source), node_of(target));
    graph_ = UndirectedGraph(records_.size(), edges);
    for (size_t i = 0; i < records_.size(); ++i) {
      records_[i].degree = static_cast<int64_t>(graph_.neighbours(i).size());
    }
    health_.stub_nodes = std::ranges::count(stub_, true);
  }

  void find_isolated() {
    for (const auto& [id, node] : numbers_) {
      if (records_[node].degree == 0 && health_.isolated_nodes.size() < kMaxRecords) {
        health_.isolated_nodes.push_back(records_[node]);
      }
    }
  }

  void find_clusters() {
    for (const std::vector<size_t>& component : graph_.components()) {
      if (component.size() < kLeastCluster) continue;
      add_cluster(component);
    }
    for (const size_t node : graph_.articulation_points()) {
      health_.bridge_nodes.push_back(records_[node]);
    }
    std::ranges::sort(health_.bridge_nodes, {}, [](const GraphHealth::Record& record) {
      return std::pair(-record.degree, record.id);
    });
    if (health_.bridge_nodes.size() > kMaxRecords) health_.bridge_nodes.resize(kMaxRecords);
    std::ranges::sort(health_.sparse_clusters, {}, [](const GraphHealth::Cluster& cluster) {
      return std::tuple(cluster.density, -cluster.node_count, cluster.node_ids);
    });
    if (health_.sparse_clusters.size() > kMaxClusters) health_.sparse_clusters.resize(kMaxClusters);
  }

  void add_cluster(const std::vector<size_t>& component) {
    size_t ends = 0;
    std::vector<std::string> ids;
    for (const size_t node : component) {
      ends += graph_.neighbours(node).size();
      ids.push_back(records_[node].id);
    }
    const auto nodes = static_cast<double>(component.size());
    const size_t edges = ends / 2;  // each has two ends
    const double density = static_cast<double>(edges) / (nodes * (nodes - 1) / 2);
    if (density > kSparse) return;
    std::ranges::sort(ids);
    if (ids.size() > kMaxClusterIds) ids.resize(kMaxClusterIds);
    health_.sparse_clusters.push_back({.node_ids = std::move(ids),
                                       .node_count = static_cast<int64_t>(component.size()),
                                       .edge_count = static_cast<int64_t>(edges),
                                       .density = std::round(density * 1000) / 1000});
  }

  void find_weak_scopes() {
    for (auto& [scope, nodes] : scopes_) {
      if (nodes.size() < 2) continue;
      const std::set<size_t> members(nodes.begin(), nodes.end());
      size_t ends = 0;
      std::vector<std::string> ids;
      for (const size_t node : members) {
        ids.push_back(records_[node].id);
        for (const size_t other : graph_.neighbours(node)) ends += members.contains(other) ? 1 : 0;
      }
      if (ends / 2 >= std::max<size_t>(1, members.size() - 1)) continue;
      std::ranges::sort(ids);
      if (ids.size() > kMaxSamples) ids.resize(kMaxSamples);
      health_.weakly_connected_scopes.push_back({.scope_ref = scope,
                                                 .node_count = static_cast<int64_t>(members.size()),
                                                 .edge_count = static_cast<int64_t>(ends / 2),
                                                 .sample_node_ids = std::move(ids)});
    }
    auto& weak = health_.weakly_connected_scopes;
    std::ranges::sort(weak, {}, [](const GraphHealth::WeakScope& scope) {
      return std::pair(-scope.node_count, scope.scope_ref);
    });
    if (weak.size() > kMaxClusters) weak.resize(kMaxClusters);
  }

  storage::ReadTxn& txn_;
  const SpaceAccess& access_;
  std::map<std::string, size_t> numbers_;
  std::vector<GraphHealth::Record> records_;
  std::vector<bool> stub_;
  std::map<std::string, std::vector<size_t>> scopes_;
  std::set<std::string> relation_ids_;
  std::vector<std::pair<std::string, std::string>> pairs_;
  UndirectedGraph graph_;
  GraphHealth health_;
};

}  // namespace

Result<GraphHealth> graph_health(storage::ReadTxn& txn, const SpaceAccess& access) {
  return Examination(txn, access).run();
}

}  // namespace holdfast::service::substrate
