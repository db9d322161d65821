// memory_query: reading the substrate. Everything goes through the index, facets, links and keys;
// the cost of a call follows what it returns, not what the space holds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/clock.h"
#include "base/result.h"
#include "model/call_context.h"
#include "model/noun.h"
#include "search/index.h"
#include "service/native/embedding_service.h"
#include "service/substrate/config.h"
#include "service/substrate/document.h"
#include "service/substrate/graph.h"
#include "service/substrate/query_plan.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

// Asking for more than this many items gets this many.
inline constexpr int64_t kMaxItems = 10'000;

struct SearchQuery {
  std::string query = {};
  int64_t max_items = 10;
  Filters filters = {};
  std::optional<std::string> graph_backend = std::nullopt;
  std::optional<std::string> semantic_backend = std::nullopt;
};

struct SearchItem {
  Card card = {};
  double score = 0;
  int64_t lexical_score = 0;
  std::vector<std::string> matched_terms = {};
  std::vector<std::string> retrieval_sources = {};
  // Where a lexical or graph stream was fused with a semantic one.
  struct Rank {
    std::string stream = {};
    int64_t rank = 0;
  };
  std::vector<Rank> ranks = {};
  std::optional<double> rank_score = std::nullopt;
  std::optional<double> semantic_score = std::nullopt;
};

struct SearchAnswer {
  SanitizedQuery query = {};
  bool blank = false;  // there was nothing to look for
  std::vector<SearchItem> items = {};
  std::vector<std::string> terms = {};
  Filters applied = {};
  Filters inferred = {};
  std::vector<std::string> retry_terms = {};  // when nothing was found
  std::optional<std::string> semantic_backend = std::nullopt;
};

struct ContextQuery {
  std::string task = {};
  Filters scope = {};
  int64_t max_items = 12;
  std::optional<std::string> graph_backend = std::nullopt;
};

struct Citation {
  std::string source_id = {};
  std::string segment_id = {};
  std::string object_id = {};
};

struct ContextItem {
  Card card = {};                       // the summary is clipped
  std::vector<Citation> evidence = {};  // shown with a graph backend
};

struct ContextAnswer {
  std::string id = {};
  SanitizedQuery task = {};
  Filters scope = {};  // after inference
  Filters inferred = {};
  std::vector<std::string> terms = {};
  std::vector<ContextItem> items = {};
  std::vector<Citation> citations = {};  // each segment once
  std::vector<std::string> decisions = {};
  std::vector<std::string> procedures = {};
  std::vector<std::string> open_work = {};
  bool with_graph = false;
  int64_t max_items = 12;
  std::string generated_at = {};
};

struct ExpandQuery {
  std::string id = {};
  int64_t max_items = 10;
  bool include_segments = true;
  int64_t snippet_chars = 360;
};

struct SegmentSnippet {
  std::string source_id = {};
  std::string segment_id = {};
  Value locator = {};
  std::string excerpt = {};
  std::string hash = {};
};

struct Expanded {
  std::string root_id = {};
  std::string object_type = {};  // empty: there is no such object
  std::vector<Card> items = {};
  std::vector<SegmentSnippet> segments = {};
};

struct ExpandManyQuery {
  std::vector<std::string> ids = {};
  int64_t max_items = 20;
  int64_t per_id_max_items = 5;
  bool include_segments = true;
  int64_t snippet_chars = 360;
};

enum class GroupStatus : uint8_t { kOk, kNotFound, kBudgetExhausted };

struct ExpandedMany {
  struct Group {
    GroupStatus status = GroupStatus::kOk;
    Expanded expanded = {};
    int64_t max_items = 0;  // of this group
  };
  std::vector<Group> groups = {};
  std::vector<SegmentSnippet> segments = {};  // of all groups, each once
  int64_t max_items = 20;
  int64_t returned_items = 0;
};

// The object, or nothing. Objects of other surfaces are shown by their own kind.
struct PageAnswer {
  std::string object_type = {};
  Value object = {};
};

struct RecentQuery {
  int64_t max_items = 10;
  Filters filters = {};
};

struct RecentItem {
  Card card = {};
  std::string updated_at = {};
};

struct GraphQuery {
  std::string id = {};
  int64_t max_items = 10;
  std::optional<std::string> graph_backend = std::nullopt;
};

// Thread-safe.
class QueryService {
 public:
  QueryService(storage::Store& store, const access::Gatekeeper& gatekeeper,
               const search::Index& index, const NounCatalog& nouns, const Clock& clock)
      : store_(store), gatekeeper_(gatekeeper), index_(index), nouns_(nouns), clock_(clock) {}

  // Before the first call: semantic search is possible.
  void use_embeddings(const EmbeddingService* embeddings) { embeddings_ = embeddings; }

  // Before the first call: nothing that other surfaces stored is found or shown.
  void keep_to_own_types() { own_types_ = true; }

  // kInvalidArgument where a semantic backend is asked for and there is none.
  Result<SearchAnswer> search(const CallContext& call, const SearchQuery& query);
  Result<ContextAnswer> context(const CallContext& call, const ContextQuery& query);
  Result<Expanded> expand(const CallContext& call, const ExpandQuery& query);
  Result<ExpandedMany> expand_many(const CallContext& call, const ExpandManyQuery& query);
  Result<std::optional<PageAnswer>> page(const CallContext& call, const std::string& id);
  Result<std::vector<RecentItem>> recent(const CallContext& call, const RecentQuery& query);
  Result<GraphAnswer> graph(const CallContext& call, const GraphQuery& query);

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const NounCatalog& nouns_;
  const Clock& clock_;
  const EmbeddingService* embeddings_ = nullptr;
  ConfigReader config_;
  bool own_types_ = false;
};

// The proof for reading. A space that the next write would make can be read: it is empty.
Result<access::SpaceAccess> require_read(const access::Gatekeeper& gatekeeper,
                                         const CallContext& call);

// What is answered where vectors are asked for and vector.mode is off. The sentence is published.
Error semantic_unavailable();

}  // namespace holdfast::service::substrate
