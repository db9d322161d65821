// Any object of any surface: reading it, its past, its neighbours, and forgetting it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "storage/store.h"

namespace holdfast::service {

// A moment of the past: a time or a journal position. Neither: now.
struct AsOf {
  std::optional<Timestamp> at = std::nullopt;
  std::optional<JournalPosition> position = std::nullopt;
  bool is_now() const { return !at && !position; }
};

// The journal position that a moment means.
Result<JournalPosition> resolve(storage::ReadTxn& txn, const access::SpaceAccess& access,
                                const AsOf& as_of);

struct ShowRequest {
  std::string kind = {};
  std::string id = {};
  AsOf as_of = {};
};
struct ShowResponse {
  SpaceId space = {};
  Object object = {};
};

struct HistoryRequest {
  std::string kind = {};
  std::string id = {};
  int64_t limit = 50;
};
struct HistoryResponse {
  SpaceId space = {};
  ObjectKey key = {};
  std::vector<storage::RevisionRecord> revisions = {};  // newest first
};

struct LinksRequest {
  std::string kind = {};
  std::string id = {};
  std::string relation = {};  // empty: all
  int64_t limit = 100;
};
struct LinksResponse {
  SpaceId space = {};
  ObjectKey key = {};
  std::vector<storage::Neighbour> links = {};
};

struct ForgetRequest {
  std::string kind = {};
  std::string id = {};
  std::string reason = {};
};
struct ForgetResponse {
  SpaceId space = {};
  ObjectKey key = {};
};

struct JournalRequest {
  std::optional<JournalPosition> after = std::nullopt;  // oldest first from here ...
  std::optional<JournalPosition> before =
      std::nullopt;  // ... or newest first from here; neither: the newest
  int64_t limit = 50;
};
struct JournalResponse {
  SpaceId space = {};
  std::vector<JournalEntry> entries = {};
  JournalPosition position = 0;  // where the whole journal ended when this was read
};

struct GraphRequest {
  std::string kind = {};
  std::string id = {};
  int64_t depth = 1;
  int64_t limit = 100;  // nodes
};
struct GraphEdge {
  ObjectKey from = {};
  std::string relation = {};
  ObjectKey to = {};
  std::string provenance = {};
  auto operator<=>(const GraphEdge&) const = default;
};
struct GraphNode {
  ObjectKey key = {};
  bool exists = true;  // a link may name what is not (or no longer) there
  int64_t distance = 0;
};
struct GraphResponse {
  SpaceId space = {};
  std::vector<GraphNode> nodes = {};  // nearest first
  std::vector<GraphEdge> edges = {};
  bool truncated = false;  // the limit cut it off
};

// Thread-safe.
class ObjectService {
 public:
  ObjectService(storage::Store& store, const access::Gatekeeper& gatekeeper)
      : store_(store), gatekeeper_(gatekeeper) {}

  Result<ShowResponse> show(const CallContext& call, const ShowRequest& request);
  Result<HistoryResponse> history(const CallContext& call, const HistoryRequest& request);
  Result<LinksResponse> links(const CallContext& call, const LinksRequest& request);
  // Real erasure: body, history, index and stored answers; the journal keeps that something was
  // forgotten.
  Result<ForgetResponse> forget(const CallContext& call, const ForgetRequest& request);
  Result<JournalResponse> journal(const CallContext& call, const JournalRequest& request);
  // The objects within `depth` links of one, in both directions.
  Result<GraphResponse> graph(const CallContext& call, const GraphRequest& request);

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
};

}  // namespace holdfast::service
