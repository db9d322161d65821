// Search across every surface, within the viewer's rights, now or as of a moment of the past.
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
#include "service/native/object_service.h"
#include "storage/store.h"

namespace holdfast::service {

struct FacetCondition {
  std::string name = {};
  std::vector<std::string> any_of = {};
  bool exclude = false;  // none of them instead of any of them
};

// Where the next page starts.
struct SearchPosition {
  double score = 0;
  ObjectNumber number = 0;
};

struct SearchRequest {
  std::string query = {};
  std::vector<std::string> kinds = {};
  std::vector<std::string> tags = {};  // any of them
  std::string container = {};
  std::string thread = {};
  std::string task = {};
  std::string repository = {};
  std::string work_ref = {};
  std::vector<FacetCondition> facets = {};
  bool due_by_now = false;  // only what has a due time that has come
  std::optional<Timestamp> since = std::nullopt;
  std::optional<Timestamp> until = std::nullopt;     // exclusive
  std::optional<Timestamp> valid_at = std::nullopt;  // nothing: now
  bool include_expired = false;                      // also what is not (or no longer) valid
  AsOf as_of = {};
  int64_t limit = 10;
  std::optional<SearchPosition> cursor = std::nullopt;
  bool neighbours = true;  // score a turn together with its conversation
  bool explain = false;
};

struct SearchHit {
  Object object = {};
  double score = 0;
  std::string title = {};
  std::string summary = {};  // the noun's own, if it has one
  std::string snippet = {};
  Timestamp at = {};
  std::vector<std::string> matched = {};  // the query's words that were found
  Value why = {};                         // with explain
};

struct SearchResponse {
  SpaceId space = {};
  std::vector<SearchHit> hits = {};
  int64_t total = 0;  // matches the viewer may see
  bool total_is_exact = true;
  std::optional<SearchPosition> next = std::nullopt;
};

// Thread-safe.
class SearchService {
 public:
  SearchService(storage::Store& store, const access::Gatekeeper& gatekeeper, search::Index& index,
                const NounCatalog& nouns, const Clock& clock)
      : store_(store), gatekeeper_(gatekeeper), index_(index), nouns_(nouns), clock_(clock) {}

  // Before the first call: also search by vectors.
  void use_embeddings(const EmbeddingService* embeddings) { embeddings_ = embeddings; }

  // With as_of: what a search would have found then. Cost grows with the number of changes since
  // (kInvalidArgument with reason as_of_too_far beyond kMaxChangesSince).
  Result<SearchResponse> search(const CallContext& call, const SearchRequest& request);

  static constexpr size_t kMaxChangesSince = 50'000;

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  search::Index& index_;
  const NounCatalog& nouns_;
  const Clock& clock_;
  const EmbeddingService* embeddings_ = nullptr;
};

}  // namespace holdfast::service
