#include "search/fusion.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "base/log.h"
#include "search/index.h"
#include "search/index_change.h"

namespace holdfast::search {
namespace {

constexpr size_t kLeastPool = 100;

bool is_erasure(const IndexChange& change) { return change.what == IndexChange::What::kErased; }

void add_rank(Hit& hit, std::string_view stream, size_t rank, double contribution, bool explain) {
  hit.score += contribution;
  if (!explain) return;
  if (!hit.explanation) hit.explanation.emplace();
  hit.explanation->ranks.push_back(
      {.stream = std::string(stream), .rank = rank, .contribution = contribution});
}

}  // namespace

SearchResponse fused_search(const access::SpaceAccess& access, const SearchRequest& request,
                            const SpaceIndex& index, const VectorIndex& vectors) {
  const size_t pool = std::max(kLeastPool, request.offset + request.limit);
  SearchRequest lexical = request;
  lexical.offset = 0;
  lexical.limit = pool;
  lexical.after.reset();
  SearchResponse response = index.search(access, lexical);
  const auto near = index.nearest(access, request, vectors, pool);

  std::vector<Hit> hits = std::move(response.hits);
  std::unordered_map<ObjectNumber, size_t> place;
  for (size_t i = 0; i < hits.size(); ++i) {
    place[hits[i].number] = i;
    hits[i].score = 0;
    if (hits[i].explanation) hits[i].explanation->ranks.clear();
    const double share =
        request.fusion.lexical_weight / (request.fusion.k + static_cast<double>(i + 1));
    add_rank(hits[i], "lexical", i + 1, share, request.explain);
  }
  for (size_t i = 0; i < near.size() && near[i].similarity >= request.fusion.minimum_similarity;
       ++i) {
    const auto [it, added] = place.try_emplace(near[i].number, hits.size());
    if (added) hits.push_back({.number = near[i].number});
    hits[it->second].similarity = near[i].similarity;
    const double share =
        request.fusion.vector_weight / (request.fusion.k + static_cast<double>(i + 1));
    add_rank(hits[it->second], "vector", i + 1, share, request.explain);
  }
  std::ranges::sort(hits, [](const Hit& a, const Hit& b) {
    return a.score != b.score ? a.score > b.score : a.number > b.number;
  });
  response.total = hits.size();
  response.total_is_exact = false;
  hits.erase(hits.begin(),
             hits.begin() + static_cast<std::ptrdiff_t>(std::min(request.offset, hits.size())));
  if (hits.size() > request.limit) hits.resize(request.limit);
  std::vector<ObjectNumber> numbers;
  numbers.reserve(hits.size());
  for (const Hit& hit : hits) numbers.push_back(hit.number);
  const auto kinds = index.kinds_of(numbers);
  for (size_t i = 0; i < hits.size(); ++i) hits[i].kind = kinds[i];
  response.hits = std::move(hits);
  return response;
}

std::shared_ptr<VectorIndex> Index::find_vectors(const SpaceId& space) const {
  const ReaderLock lock(spaces_mutex_);
  const auto it = spaces_.find(space);
  return it == spaces_.end() ? nullptr : it->second.vectors;
}

void Index::forget_vectors(const SpaceId& space, const std::vector<IndexChange>& changes) {
  const auto vectors = find_vectors(space);
  if (!vectors) {
    // Those of an earlier start that nobody uses now are still made of what is erased. One cannot
    // be taken out without opening them all, so they go together.
    std::error_code ignored;
    if (!options_.folder.empty() && std::ranges::any_of(changes, is_erasure))
      std::filesystem::remove_all(vector_folder_of(space), ignored);
    return;
  }
  for (const IndexChange& change : changes) {
    const Status removed = vectors->remove(change.number);
    if (!removed) log::error("vector_remove_failed", {{"detail", removed.error().detail}});
  }
}

Status Index::add_vector(const SpaceId& space, ObjectNumber number,
                         const std::vector<float>& vector) {
  const auto vectors = find_vectors(space);
  const auto index = find(space);
  const auto hash = index ? index->hash_of(number) : std::nullopt;
  if (!vectors || !hash) return not_found("object", std::to_string(number));
  HOLDFAST_CHECK_OK(vectors->add(number, *hash, vector));
  // Erased meanwhile: whoever erased it found no vector to take out.
  return index->hash_of(number) ? Status() : vectors->remove(number);
}

bool Index::has_vector(const SpaceId& space, ObjectNumber number) const {
  const auto vectors = find_vectors(space);
  return vectors && vectors->has(number);
}

}  // namespace holdfast::search
