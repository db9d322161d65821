// How well a space's graph holds together, computed on demand from all documents.
#pragma once

#include <string>
#include <vector>

#include "access/space_access.h"
#include "base/result.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

struct GraphCounts {
  int64_t episodes = 0;
  int64_t entities = 0;
  int64_t knowledge = 0;
  int64_t relations = 0;
};

struct GraphHealth {
  struct Record {
    std::string id = {};
    std::string kind = {};
    std::string title = {};
    std::string status = {};
    int64_t degree = 0;
    std::vector<std::string> scope_refs = {};
  };
  struct Cluster {
    std::vector<std::string> node_ids = {};  // at most 20, sorted
    int64_t node_count = 0;
    int64_t edge_count = 0;
    double density = 0;
  };
  struct WeakScope {
    std::string scope_ref = {};
    int64_t node_count = 0;
    int64_t edge_count = 0;
    std::vector<std::string> sample_node_ids = {};  // at most 10
  };

  // Derived in the write that stores a document: what the graph has is what there is.
  GraphCounts counts = {};
  int64_t stub_nodes = 0;
  std::vector<Record> isolated_nodes = {};
  std::vector<Cluster> sparse_clusters = {};
  std::vector<Record> bridge_nodes = {};
  std::vector<WeakScope> weakly_connected_scopes = {};
};

Result<GraphHealth> graph_health(storage::ReadTxn& txn, const access::SpaceAccess& access);

}  // namespace holdfast::service::substrate
