#include "service/substrate/graph.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace holdfast::service::substrate {
namespace {

using access::SpaceAccess;

// In this order the first match names the edge of a referrer.
constexpr std::array<std::string_view, 12> kReferrerRelations = {
    "subject",           "related_node",  "related_work_item", "produced_object", "source",
    "related_knowledge", "depends_on",    "blocked_by",        "child",           "parent",
    kEvidenceRelation,   kPayloadRelation};

ObjectKey key_of(const std::string& id) { return {.kind = std::string(kind_of_id(id)), .id = id}; }

size_t relation_order(std::string_view relation) {
  const auto* const found = std::ranges::find(kReferrerRelations, relation);
  return static_cast<size_t>(found - kReferrerRelations.begin());
}

// Nodes first, sources last; then by id.
std::pair<size_t, std::string> list_order(const ObjectKey& key) {
  for (size_t i = 0; i < std::size(kObjectTypes); ++i) {
    if (type_name(kObjectTypes[i]) == key.kind) return {i, key.id};
  }
  return {std::size(kObjectTypes), key.id};
}

GraphNode node_of(const std::optional<Stored>& stored, const std::string& id) {
  if (stored) return {.card = card_of(stored->view()), .record = stored->json};
  const std::string type(kind_of_id(id));
  return {.card = {.object_type = type, .id = id, .kind = "stub", .title = id, .status = "stub"},
          .stub = true,
          .record = Value::object({{"id", id}, {"kind", "stub"}, {"status", "stub"}})};
}

class Relations {
 public:
  explicit Relations(const DocumentView& view) : view_(view), id_(view.id()) {}

  std::vector<Relation> run() {
    for (const ReferenceField& field : kReferenceFields) {
      for (const std::string& target : view_.texts(field.field)) {
        add({.target_id = target,
             .type = std::string(field.relation),
             .origin_field = std::string(field.field)});
      }
    }
    for (const std::string& source : view_.evidence_sources()) {
      add({.target_id = source,
           .type = std::string(kEvidenceRelation),
           .derivation = Derivation::kEvidenceRef,
           .origin_field = "evidence_refs"});
    }
    if (view_.type() == ObjectType::kKnowledge) add_claim();
    return std::move(relations_);
  }

 private:
  void add_claim() {
    const DocumentView payload(view_.type(), view_.member("payload"));
    const std::string object(payload.text("object"));
    if (payload.text("subject").empty() || payload.text("predicate").empty()) return;
    if (object.find(':') == std::string::npos) return;
    add({.source_id = std::string(payload.text("subject")),
         .target_id = object,
         .type = std::string(payload.text("predicate")),
         .derivation = Derivation::kStructuredPayload,
         .origin_field = "payload.object",
         .value = payload.member("value")});
  }

  void add(Relation relation) {
    if (relation.target_id.empty()) return;
    if (relation.source_id.empty()) relation.source_id = id_;
    relation.origin_type = std::string(type_name(view_.type()));
    relation.origin_id = id_;
    if (seen_.emplace(relation.source_id, relation.type, relation.target_id).second) {
      relations_.push_back(std::move(relation));
    }
  }

  const DocumentView& view_;
  const std::string id_;
  std::set<std::tuple<std::string, std::string, std::string>> seen_;
  std::vector<Relation> relations_;
};

}  // namespace

std::string Relation::id() const { return relation_id(source_id, type, target_id); }

std::vector<Relation> relations_of(const DocumentView& view) { return Relations(view).run(); }

Result<GraphAnswer> referrers(storage::ReadTxn& txn, const SpaceAccess& access,
                              const std::string& id, size_t max_nodes) {
  GraphAnswer answer;
  HOLDFAST_TRY(const auto root, find_stored(txn, access, id));
  if (!root) return answer;
  answer.found = true;
  answer.nodes.push_back(node_of(root, id));
  HOLDFAST_TRY(const auto neighbours, txn.neighbours(access, key_of(id), "", kMaxEdges));
  std::map<std::pair<size_t, std::string>, size_t> by_referrer;  // to the best relation
  for (const storage::Neighbour& edge : neighbours) {
    const size_t order = relation_order(edge.relation);
    if (edge.outgoing || order == kReferrerRelations.size() || edge.other.id == id) continue;
    const auto [known, added] = by_referrer.emplace(list_order(edge.other), order);
    if (!added) known->second = std::min(known->second, order);
  }
  for (const auto& [referrer, relation] : by_referrer) {
    if (answer.nodes.size() >= max_nodes) break;
    HOLDFAST_TRY(const auto stored, find_stored(txn, access, referrer.second));
    if (!stored) continue;
    answer.nodes.push_back(node_of(stored, referrer.second));
    answer.edges.push_back({.source_id = id,
                            .target_id = referrer.second,
                            .relation = std::string(kReferrerRelations[relation])});
  }
  return answer;
}

Result<GraphAnswer> neighbourhood(storage::ReadTxn& txn, const SpaceAccess& access,
                                  const std::string& id, size_t max_nodes) {
  GraphAnswer answer{.with_backend = true};
  HOLDFAST_TRY(const auto root, find_stored(txn, access, id));
  HOLDFAST_TRY(const auto neighbours, txn.neighbours(access, key_of(id), "", kMaxEdges));
  // Whoever points here declares the edge; what the root points at, it declares itself.
  std::map<std::pair<size_t, std::string>, bool> origins;
  if (root) origins[list_order(key_of(id))] = true;
  for (const storage::Neighbour& edge : neighbours) {
    if (!edge.outgoing) origins[list_order(edge.other)] = true;
  }
  std::set<std::string> shown = {id};
  answer.nodes.push_back(node_of(root, id));
  std::set<std::string> known_edges;
  for (const auto& [origin, unused] : origins) {
    HOLDFAST_TRY(const auto stored, find_stored(txn, access, origin.second));
    if (!stored) continue;
    for (const Relation& relation : relations_of(stored->view())) {
      if (relation.source_id != id && relation.target_id != id) continue;
      const std::string other = relation.source_id == id ? relation.target_id : relation.source_id;
      if (!shown.contains(other)) {
        if (answer.nodes.size() >= max_nodes) continue;
        HOLDFAST_TRY(const auto end, find_stored(txn, access, other));
        answer.nodes.push_back(node_of(end, other));
        shown.insert(other);
      }
      if (!known_edges.insert(relation.id()).second) continue;
      answer.edges.push_back({.source_id = relation.source_id,
                              .target_id = relation.target_id,
                              .relation = relation.type,
                              .derived = relation});
    }
  }
  answer.found = root.has_value() || !answer.edges.empty();
  if (!answer.found) answer.nodes.clear();
  return answer;
}

}  // namespace holdfast::service::substrate
