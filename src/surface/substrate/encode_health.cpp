#include "surface/substrate/encode_health.h"

namespace holdfast::surface::substrate {

using namespace service::substrate;

namespace {

Value encode_counts(const GraphCounts& counts) {
  return Value::object({{"episodes", counts.episodes},
                        {"entities", counts.entities},
                        {"knowledge", counts.knowledge},
                        {"relations", counts.relations}});
}

Value encode_records(const std::vector<GraphHealth::Record>& records) {
  Value out = Value::array();
  for (const auto& record : records) {
    out.push(Value::object({{"id", record.id},
                            {"kind", record.kind},
                            {"title", record.title},
                            {"status", record.status},
                            {"degree", record.degree},
                            {"scope_refs", Value::array_of(record.scope_refs)}}));
  }
  return out;
}

}  // namespace

Value encode_health(const GraphHealth& health, const std::string& backend) {
  Value clusters = Value::array();
  for (const auto& cluster : health.sparse_clusters) {
    clusters.push(Value::object({{"node_ids", Value::array_of(cluster.node_ids)},
                                 {"node_count", cluster.node_count},
                                 {"edge_count", cluster.edge_count},
                                 {"density", cluster.density}}));
  }
  Value scopes = Value::array();
  for (const auto& scope : health.weakly_connected_scopes) {
    scopes.push(Value::object({{"scope_ref", scope.scope_ref},
                               {"node_count", scope.node_count},
                               {"edge_count", scope.edge_count},
                               {"sample_node_ids", Value::array_of(scope.sample_node_ids)}}));
  }
  return Value::object(
      {{"status", "ok"},
       {"backend", backend},
       {"path", nullptr},  // the graph has no file of its own
       {"canonical_counts", encode_counts(health.counts)},
       {"backend_counts", encode_counts(health.counts)},
       {"missing_from_backend", encode_counts({})},
       {"stub_nodes", health.stub_nodes},
       {"insights", Value::object({{"isolated_nodes", encode_records(health.isolated_nodes)},
                                   {"sparse_clusters", std::move(clusters)},
                                   {"bridge_nodes", encode_records(health.bridge_nodes)},
                                   {"weakly_connected_scopes", std::move(scopes)}})}});
}

}  // namespace holdfast::surface::substrate
