#include "service/native/search_service.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/log.h"
#include "base/utf8.h"
#include "service/native/past_search.h"
#include "service/native/search_hits.h"
#include "text/work_ref.h"

namespace holdfast::service {
namespace {

using access::Permission;
using access::SpaceAccess;

void add_equal(search::Filter& filter, std::string_view name, const std::string& value) {
  if (!value.empty()) filter.facets.push_back({.name = std::string(name), .any_of = {value}});
}

search::Filter filter_of(const SearchRequest& request, Timestamp now) {
  search::Filter filter{.kinds = request.kinds, .from = request.since, .to = request.until};
  if (!request.include_expired) filter.valid_at = request.valid_at.value_or(now);
  if (!request.tags.empty())
    filter.facets.push_back({.name = std::string(shared_facet::kTag), .any_of = request.tags});
  add_equal(filter, shared_facet::kContainer, request.container);
  add_equal(filter, shared_facet::kThread, request.thread);
  add_equal(filter, shared_facet::kTask, request.task);
  add_equal(filter, shared_facet::kRepository, request.repository);
  // A reference that normalises to nothing is in no object.
  if (!request.work_ref.empty()) {
    add_equal(filter, shared_facet::kWorkRef,
              text::normalise_work_ref(request.work_ref).value_or("\x1f"));
  }
  if (request.due_by_now)
    filter.ranges.push_back({.name = std::string(shared_facet::kDueAt), .to = to_micros(now)});
  for (const FacetCondition& facet : request.facets) {
    filter.facets.push_back({.name = facet.name, .any_of = facet.any_of, .negated = facet.exclude});
  }
  return filter;
}

search::SearchRequest index_request(const SearchRequest& request, Timestamp now) {
  search::SearchRequest out{.query = request.query,
                            .filter = filter_of(request, now),
                            .limit = static_cast<size_t>(request.limit),
                            .neighbours = request.neighbours,
                            .speaker_boost = request.neighbours ? search::kSpeakerBoost : 0,
                            .explain = request.explain};
  if (request.cursor)
    out.after = {.score = request.cursor->score, .number = request.cursor->number};
  return out;
}

// How long a search waits for the vector of its query; without it the search is lexical, not late.
constexpr std::chrono::milliseconds kVectorPatience{1500};

void add_vector(search::SearchRequest& wanted, const EmbeddingService& embeddings,
                Deadline deadline) {
  auto vector = embeddings.embed_query(
      wanted.query, std::min(deadline, std::chrono::steady_clock::now() + kVectorPatience));
  if (vector) {
    wanted.vector = std::move(*vector);
  } else {
    log::warn("query_embedding_failed", {{"error", vector.error().message}});
  }
}

}  // namespace

Result<SearchResponse> SearchService::search(const CallContext& call,
                                             const SearchRequest& request) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kRead));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  if (request.as_of.is_now()) {
    auto wanted = index_request(request, clock_.now());
    const bool listing = trim_space(request.query).empty();
    if (embeddings_ != nullptr && !listing && !request.cursor)
      add_vector(wanted, *embeddings_, call.deadline);
    HOLDFAST_TRY(const auto found,
                 listing ? list_newest(index_, access, wanted) : index_.search(access, wanted));
    HOLDFAST_TRY(SearchResponse response, shown(*txn, access, found, ShowHits(request, nouns_)));
    if (!wanted.vector.empty()) response.next.reset();  // fused scores have no pages
    return response;
  }
  HOLDFAST_TRY(const JournalPosition position, resolve(*txn, access, request.as_of));
  const Timestamp then = request.as_of.at.value_or(clock_.now());
  PastSearch past(*txn, access, nouns_, index_);
  return past.run(request, index_request(request, then), position);
}

}  // namespace holdfast::service
