#include "service/native/object_service.h"

#include <algorithm>
#include <map>
#include <set>

namespace holdfast::service {
namespace {

using access::Permission;
using access::SpaceAccess;
using storage::ReadTxn;

constexpr size_t kJournalPage = 500;

template <typename Request>
ObjectKey key_of(const Request& request) {
  return {.kind = request.kind, .id = request.id};
}

GraphEdge edge_between(const ObjectKey& here, const storage::Neighbour& neighbour) {
  GraphEdge edge{.from = here,
                 .relation = neighbour.relation,
                 .to = neighbour.other,
                 .provenance = neighbour.provenance};
  if (!neighbour.outgoing) std::swap(edge.from, edge.to);
  return edge;
}

// Breadth first from one object, until the depth or the limit is reached.
class GraphWalk {
 public:
  GraphWalk(ReadTxn& txn, const SpaceAccess& access, size_t limit)
      : txn_(txn), access_(access), limit_(limit) {}

  Status run(const ObjectKey& start, int64_t depth) {
    HOLDFAST_CHECK_OK(txn_.get(access_, start));
    add(start, true, 0);
    for (size_t next = 0; next < nodes_.size(); ++next) {
      if (nodes_[next].distance >= depth || !nodes_[next].exists) continue;
      const GraphNode here = nodes_[next];  // a copy: expanding moves the list
      HOLDFAST_CHECK_OK(expand(here.key, here.distance + 1));
    }
    return {};
  }

  GraphResponse take() {
    GraphResponse response{
        .space = access_.space(), .nodes = std::move(nodes_), .truncated = truncated_};
    for (const GraphEdge& edge : edges_) {
      if (seen_.contains(edge.from) && seen_.contains(edge.to)) response.edges.push_back(edge);
    }
    return response;
  }

 private:
  Status expand(const ObjectKey& key, int64_t distance) {
    HOLDFAST_TRY(const auto neighbours, txn_.neighbours(access_, key, "", limit_));
    truncated_ = truncated_ || neighbours.size() >= limit_;
    for (const auto& neighbour : neighbours) {
      edges_.insert(edge_between(key, neighbour));
      if (seen_.contains(neighbour.other)) continue;
      if (nodes_.size() >= limit_) {
        truncated_ = true;
        continue;
      }
      add(neighbour.other, txn_.get(access_, neighbour.other).has_value(), distance);
    }
    return {};
  }

  void add(const ObjectKey& key, bool exists, int64_t distance) {
    seen_.insert(key);
    nodes_.push_back({.key = key, .exists = exists, .distance = distance});
  }

  ReadTxn& txn_;
  const SpaceAccess& access_;
  const size_t limit_;
  std::vector<GraphNode> nodes_;
  std::set<ObjectKey> seen_;
  std::set<GraphEdge> edges_;
  bool truncated_ = false;
};

}  // namespace

Result<JournalPosition> resolve(ReadTxn& txn, const SpaceAccess& access, const AsOf& as_of) {
  if (as_of.position) return *as_of.position;
  if (!as_of.at) return txn.position();
  // Imported entries keep their times: after an import into another space the position of that time
  // lies beyond entries of this one that are newer.
  HOLDFAST_TRY(JournalPosition position, txn.position_at(*as_of.at));
  for (;;) {
    HOLDFAST_TRY(const auto entries, txn.journal_before(access, position + 1, kJournalPage));
    for (const JournalEntry& entry : entries) {
      if (entry.at <= *as_of.at) return entry.position;
    }
    if (entries.size() < kJournalPage) return JournalPosition{0};
    position = entries.back().position - 1;
  }
}

Result<ShowResponse> ObjectService::show(const CallContext& call, const ShowRequest& request) {
  HOLDFAST_TRY(const auto access, gatekeeper_.require(call, Permission::kRead));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  if (request.as_of.is_now()) {
    HOLDFAST_TRY(auto object, txn->get(access, key_of(request)));
    return ShowResponse{.space = access.space(), .object = std::move(object)};
  }
  HOLDFAST_TRY(const auto position, resolve(*txn, access, request.as_of));
  HOLDFAST_TRY(auto object, txn->get_as_of(access, key_of(request), position));
  return ShowResponse{.space = access.space(), .object = std::move(object)};
}

Result<HistoryResponse> ObjectService::history(const CallContext& call,
                                               const HistoryRequest& request) {
  HOLDFAST_TRY(const auto access, gatekeeper_.require(call, Permission::kRead));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(auto revisions,
               txn->history(access, key_of(request), static_cast<size_t>(request.limit)));
  return HistoryResponse{
      .space = access.space(), .key = key_of(request), .revisions = std::move(revisions)};
}

Result<LinksResponse> ObjectService::links(const CallContext& call, const LinksRequest& request) {
  HOLDFAST_TRY(const auto access, gatekeeper_.require(call, Permission::kRead));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_CHECK_OK(txn->get(access, key_of(request)));
  HOLDFAST_TRY(auto links, txn->neighbours(access, key_of(request), request.relation,
                                           static_cast<size_t>(request.limit)));
  return LinksResponse{.space = access.space(), .key = key_of(request), .links = std::move(links)};
}

Result<ForgetResponse> ObjectService::forget(const CallContext& call,
                                             const ForgetRequest& request) {
  HOLDFAST_TRY(const auto access, gatekeeper_.require(call, Permission::kWrite));
  HOLDFAST_CHECK_OK(store_.write(call, [&](storage::WriteTxn& txn) {
    return txn.erase(access, key_of(request), request.reason);
  }));
  return ForgetResponse{.space = access.space(), .key = key_of(request)};
}

Result<JournalResponse> ObjectService::journal(const CallContext& call,
                                               const JournalRequest& request) {
  HOLDFAST_TRY(const auto access, gatekeeper_.require(call, Permission::kRead));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  const auto limit = static_cast<size_t>(request.limit);
  JournalResponse response{.space = access.space()};
  HOLDFAST_TRY(response.position, txn->position());
  if (request.after) {
    HOLDFAST_TRY(response.entries, txn->journal_after(access, *request.after, limit));
  } else {
    HOLDFAST_TRY(response.entries,
                 txn->journal_before(access, request.before.value_or(INT64_MAX), limit));
  }
  return response;
}

Result<GraphResponse> ObjectService::graph(const CallContext& call, const GraphRequest& request) {
  HOLDFAST_TRY(const auto access, gatekeeper_.require(call, Permission::kRead));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  GraphWalk walk(*txn, access, static_cast<size_t>(request.limit));
  HOLDFAST_CHECK_OK(walk.run(key_of(request), request.depth));
  return walk.take();
}

}  // namespace holdfast::service
