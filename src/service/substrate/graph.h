// The graph of a space: objects and what they say about each other. It is derived from the
// documents' links in the write that stores them, so it is never behind; a "backend" only decides
// how much of it the tools show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/space_access.h"
#include "base/result.h"
#include "model/value.h"
#include "service/substrate/document.h"
#include "service/substrate/stored.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

// Edges looked at around one object. A hub with more shows the first of them.
inline constexpr size_t kMaxEdges = 5000;

enum class Derivation : uint8_t { kFieldReference, kEvidenceRef, kStructuredPayload };

// An edge that a document gives rise to.
struct Relation {
  std::string source_id = {};
  std::string target_id = {};
  std::string type = {};
  Derivation derivation = Derivation::kFieldReference;
  std::string origin_type = {};  // of the document
  std::string origin_id = {};
  std::string origin_field = {};
  Value value = {};  // of a structured claim

  std::string id() const;
};
// Each edge once.
std::vector<Relation> relations_of(const DocumentView& view);

struct GraphNode {
  Card card = {};
  bool stub = false;  // named by others, stored by nobody
  Value record = {};  // the document, with a backend
};

struct GraphEdge {
  std::string source_id = {};
  std::string target_id = {};
  std::string relation = {};
  std::optional<Relation> derived = std::nullopt;  // with a backend
};

struct GraphAnswer {
  bool found = false;
  bool with_backend = false;
  std::vector<GraphNode> nodes = {};  // the root first
  std::vector<GraphEdge> edges = {};
};

// One hop around an object: who refers to it, as edges from the root to the referrer.
Result<GraphAnswer> referrers(storage::ReadTxn& txn, const access::SpaceAccess& access,
                              const std::string& id, size_t max_nodes);
// One hop in both directions along derived relations, stubs included.
Result<GraphAnswer> neighbourhood(storage::ReadTxn& txn, const access::SpaceAccess& access,
                                  const std::string& id, size_t max_nodes);

}  // namespace holdfast::service::substrate
