// QueryService: page, expand, recent and graph.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/utf8.h"
#include "model/json_text.h"
#include "service/substrate/candidates.h"
#include "service/substrate/config.h"
#include "service/substrate/graph.h"
#include "service/substrate/query_service.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

using access::Permission;
using access::SpaceAccess;

// What an expansion follows from its root.
constexpr std::array<std::string_view, 5> kFollowed = {"subject_refs", "related_node_refs",
                                                       "related_work_item_refs",
                                                       "produced_object_refs", "source_refs"};

size_t type_order(std::string_view kind) {
  size_t order = 0;
  for (const ObjectType type : kObjectTypes) {
    if (type_name(type) == kind) return order;
    ++order;
  }
  return order;
}

class Expansion {
 public:
  Expansion(storage::ReadTxn& txn, const SpaceAccess& access, const ExpandQuery& query)
      : txn_(txn), access_(access), query_(query), limit_(static_cast<size_t>(query.max_items)) {}

  Result<Expanded> run() {
    Expanded out{.root_id = query_.id};
    HOLDFAST_TRY(const auto root, find_stored(txn_, access_, query_.id));
    if (!root) return out;
    out.object_type = std::string(type_name(root->type));
    out.items.push_back(card_of(root->view()));
    HOLDFAST_TRY(const auto others, neighbours(*root));
    for (const auto& [order, id] : others) {
      if (out.items.size() >= limit_) break;
      HOLDFAST_TRY(const auto stored, find_stored(txn_, access_, id));
      if (stored) out.items.push_back(card_of(stored->view()));
    }
    if (query_.include_segments) HOLDFAST_CHECK_OK(add_segments(*root, out.segments));
    return out;
  }

 private:
  using Order = std::pair<size_t, std::string>;

  Result<std::set<Order>> neighbours(const Stored& root) {
    std::set<Order> found;
    for (const std::string_view field : kFollowed) {
      for (const std::string& id : root.view().texts(field)) {
        if (type_of_id(id)) found.emplace(type_order(kind_of_id(id)), id);
      }
    }
    HOLDFAST_TRY(const auto edges, txn_.neighbours(access_, root.object.key, "", kMaxEdges));
    for (const storage::Neighbour& edge : edges) {
      if (!edge.outgoing) found.emplace(type_order(edge.other.kind), edge.other.id);
    }
    found.erase({type_order(root.object.key.kind), root.id()});
    return found;
  }

  // Of the root itself, of what it cites, and of the repository that a repo node stands for.
  Status add_segments(const Stored& root, std::vector<SegmentSnippet>& out) {
    std::vector<std::string> sources;
    if (root.type == ObjectType::kSource) sources.push_back(root.id());
    for (const std::string& id : root.view().texts("source_refs")) add_once(sources, id);
    for (const std::string& id : root.view().evidence_sources()) add_once(sources, id);
    const std::string_view key = root.view().text("identity_key");
    if (root.type == ObjectType::kNode && key.starts_with("node|repo|")) {
      add_once(sources, stable_id("src", "source" + std::string(key.substr(4))));
    }
    for (const std::string& id : sources) {
      HOLDFAST_TRY(const auto source, find_stored(txn_, access_, id));
      const auto* segments = source ? source->view().member("segments").if_array() : nullptr;
      if (segments == nullptr) continue;
      for (size_t i = 0; i < segments->size() && i < limit_; ++i) {
        out.push_back(snippet(id, (*segments)[i]));
      }
    }
    return {};
  }

  SegmentSnippet snippet(const std::string& source, const Value& json) const {
    const DocumentView segment(ObjectType::kSource, json);
    return {.source_id = source,
            .segment_id = std::string(segment.text("segment_id")),
            .locator = segment.member("locator"),
            .excerpt = clip(segment.text("excerpt"), static_cast<size_t>(query_.snippet_chars)),
            .hash = std::string(segment.text("hash"))};
  }

  storage::ReadTxn& txn_;
  const SpaceAccess& access_;
  const ExpandQuery& query_;
  const size_t limit_;
};

}  // namespace

Result<SpaceAccess> require_read(const access::Gatekeeper& gatekeeper, const CallContext& call) {
  auto access = gatekeeper.require(call, Permission::kRead);
  if (access || access.error().reason != access::reason::kUnknownSpace) return access;
  // Whoever may make the space by writing to it may find it empty.
  auto writing = gatekeeper.require(call, Permission::kWrite);
  return writing ? std::move(writing) : std::move(access);
}

Result<Expanded> QueryService::expand(const CallContext& call, const ExpandQuery& query) {
  HOLDFAST_TRY(const SpaceAccess access, require_read(gatekeeper_, call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  return Expansion(*txn, access, query).run();
}

Result<ExpandedMany> QueryService::expand_many(const CallContext& call,
                                               const ExpandManyQuery& query) {
  HOLDFAST_TRY(const SpaceAccess access, require_read(gatekeeper_, call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  std::vector<std::string> ids;
  for (const std::string& id : query.ids) {
    if (const auto trimmed = trim_space(id); !trimmed.empty()) add_once(ids, trimmed);
  }
  ExpandedMany out{.max_items = query.max_items};
  std::set<std::pair<std::string, std::string>> seen;
  for (const std::string& id : ids) {
    const int64_t left = query.max_items - out.returned_items;
    ExpandedMany::Group group{.expanded = {.root_id = id},
                              .max_items = std::min(query.per_id_max_items, left)};
    if (left <= 0) {
      group.status = GroupStatus::kBudgetExhausted;
      out.groups.push_back(std::move(group));
      continue;
    }
    HOLDFAST_TRY(group.expanded, Expansion(*txn, access,
                                           {.id = id,
                                            .max_items = group.max_items,
                                            .include_segments = query.include_segments,
                                            .snippet_chars = query.snippet_chars})
                                     .run());
    if (group.expanded.object_type.empty()) group.status = GroupStatus::kNotFound;
    out.returned_items += static_cast<int64_t>(group.expanded.items.size());
    for (const SegmentSnippet& segment : group.expanded.segments) {
      if (seen.emplace(segment.source_id, segment.segment_id).second)
        out.segments.push_back(segment);
    }
    out.groups.push_back(std::move(group));
  }
  return out;
}

Result<std::optional<PageAnswer>> QueryService::page(const CallContext& call,
                                                     const std::string& id) {
  HOLDFAST_TRY(const SpaceAccess access, require_read(gatekeeper_, call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(auto stored, find_stored(*txn, access, id));
  if (stored) {
    return std::optional(PageAnswer{.object_type = std::string(type_name(stored->type)),
                                    .object = std::move(stored->json)});
  }
  if (own_types_ || type_of_id(id)) return std::optional<PageAnswer>();
  // Search shows what other surfaces stored, so their pages can be read as well.
  for (const std::string& kind : nouns_.kinds()) {
    if (type_from_name(kind)) continue;
    auto object = txn->get(access, {.kind = kind, .id = id});
    if (!object) continue;
    HOLDFAST_TRY(Value body, parse_json(object->body));
    return std::optional(PageAnswer{.object_type = kind, .object = std::move(body)});
  }
  return std::optional<PageAnswer>();
}

Result<std::vector<RecentItem>> QueryService::recent(const CallContext& call,
                                                     const RecentQuery& query) {
  static constexpr std::array<ObjectType, 5> kOrder = {ObjectType::kActivity, ObjectType::kWorkItem,
                                                       ObjectType::kKnowledge, ObjectType::kSource,
                                                       ObjectType::kNode};
  HOLDFAST_TRY(const SpaceAccess access, require_read(gatekeeper_, call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  const auto limit = static_cast<size_t>(std::min(query.max_items, kMaxItems));
  HOLDFAST_TRY(auto found,
               list_ordered(*txn, access, index_, query.filters,
                            {.facet = facet::kUpdated, .descending = true, .wanted = limit}));
  const auto order = [](const Stored& stored) {
    const auto at = read_time(stored.view().updated_at()).value_or(Timestamp());
    return std::tuple(-to_micros(at), std::ranges::find(kOrder, stored.type) - kOrder.begin(),
                      stored.object.key.id);
  };
  std::ranges::sort(found, {}, order);
  std::vector<RecentItem> items;
  for (size_t i = 0; i < found.size() && i < limit; ++i) {
    items.push_back({.card = card_of(found[i].view()),
                     .updated_at = std::string(found[i].view().updated_at())});
  }
  return items;
}

Result<GraphAnswer> QueryService::graph(const CallContext& call, const GraphQuery& query) {
  HOLDFAST_TRY(const SpaceAccess access, require_read(gatekeeper_, call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const Config config, config_.read(*txn, access));
  const auto limit = static_cast<size_t>(std::min(query.max_items, kMaxItems));
  return query.graph_backend || config.graph_backend ? neighbourhood(*txn, access, query.id, limit)
                                                     : referrers(*txn, access, query.id, limit);
}

}  // namespace holdfast::service::substrate
