#include "service/recall/query_search.h"

#include <algorithm>

#include "base/utf8.h"
#include "service/recall/ingest_service.h"
#include "service/recall/query_filter.h"
#include "service/recall/ranking.h"
#include "service/recall/words.h"
#include "storage/typed.h"
#include "text/work_ref.h"

namespace holdfast::service::recall {
namespace {

using access::SpaceAccess;

constexpr auto kThreadIsWarm = std::chrono::seconds(1800);
// Evidence comes nearly in its final order: some more is read than is shown, and more again only
// where much of that is left out.
constexpr size_t kSpareEvidence = 4;
constexpr size_t kMoreEvidence = 8;
constexpr size_t kSpareMemories = 10;
constexpr size_t kMostByRef = 10;
constexpr size_t kMostCheckpoints = 3;

size_t internal_limit(int64_t limit) {
  return static_cast<size_t>(std::min<int64_t>(std::max<int64_t>(4 * limit, 12), 50));
}

// How the index came to it.
void describe(const search::Hit& hit, Candidate& candidate) {
  candidate.relevance = hit.score;
  candidate.lexical = !hit.matched.empty() && candidate.matched > 0;
  if (hit.similarity) candidate.similarity = static_cast<int64_t>(1000 * *hit.similarity);
  if (!hit.explanation) return;
  candidate.fused = hit.score;
  for (const auto& rank : hit.explanation->ranks)
    (rank.stream == "vector" ? candidate.vector_rank : candidate.lexical_rank) = rank.rank;
}

// The share of the best score, so that evidence can be compared with evidence.
void set_relevance(std::vector<std::unique_ptr<Candidate>>& found) {
  double best = 0;
  for (const auto& candidate : found) {
    if (!candidate->is_memory()) best = std::max(best, candidate->relevance);
  }
  for (const auto& candidate : found)
    candidate->relevance = candidate->is_memory() || best <= 0 ? 0 : candidate->relevance / best;
}

}  // namespace

QuerySearch::QuerySearch(storage::ReadTxn& txn, const search::Index& index,
                         const SpaceAccess& whole, Run& run)
    : txn_(txn),
      index_(index),
      access_(whole.narrowed(run.query.container_ref, reach_of(run.query.visibility))),
      wide_(whole.narrowed(run.query.container_ref, Visibility::kPrivate)),
      run_(run) {}

Status QuerySearch::infer_thread(Timestamp now) {
  const Query& query = run_.query;
  if (query.thread_ref) {
    const std::string thread = thread_facet(*query.container_ref, *query.thread_ref);
    HOLDFAST_TRY(const auto page,
                 txn_.scan(access_, {.kind = item_noun().kind,
                                     .equal = Facet::of(std::string(facet::kThread), thread),
                                     .descending = true,
                                     .limit = 2}));
    run_.turn_kind = "new_thread";
    for (const Object& object : page.objects) {
      if (object.key.id == query.own_item) continue;
      run_.local_context = now - object.created_at < kThreadIsWarm;
      run_.turn_kind = run_.local_context ? "same_thread_continuation" : "resumed_session";
      break;
    }
    run_.thread_relaxed = true;
    run_.relaxed_reason =
        run_.turn_kind == "new_thread" ? "fresh_thread_scope_relaxed_for_cross_thread_recall"
        : run_.local_context ? "same_thread_scope_relaxed_for_local_context_relevance_check"
                             : "resumed_session_thread_scope_relaxed";
  }
  if (query.runtime.turn_kind) run_.turn_kind = *query.runtime.turn_kind;
  if (query.runtime.local_context) run_.local_context = *query.runtime.local_context;
  if (run_.turn_kind == "resumed_session" && !run_.signals.resume) {
    run_.signals.resume = true;
    run_.signals.derived_from.emplace_back("turn_kind:resumed_session");
  }
  return {};
}

Status QuerySearch::by_words(std::vector<float> vector) {
  if (run_.content.empty() && vector.empty()) return {};
  const size_t most = internal_limit(run_.query.limit);
  run_.vectors = !vector.empty();
  search::SearchRequest request{.terms = terms_of(run_.content),
                                .filter = filter_of(run_.query),
                                .limit = most + most / 2,
                                .neighbours = true,
                                .speaker_boost = search::kSpeakerBoost,
                                .vector = std::move(vector),
                                .fusion = {.k = kFusionK,
                                           .lexical_weight = kLexicalWeight,
                                           .vector_weight = kVectorWeight,
                                           .minimum_similarity = kLeastSimilarity},
                                .explain = run_.vectors};
  HOLDFAST_TRY(auto answer, index_.search(access_, request));
  const auto limit = static_cast<size_t>(run_.query.limit);
  size_t memories = std::min(most, limit + kSpareMemories);
  size_t evidence = std::min(most, limit + kSpareEvidence);
  std::vector<search::Hit> hits;
  std::vector<search::Hit> more;
  for (search::Hit& hit : answer.hits) {
    // Lifted by what was said around it, without a word of its own: no candidate. It has a place
    // among the hits all the same, so that what comes after the best turns does not get in.
    if (hit.matched.empty() && !hit.similarity) continue;
    // Evidence that repeats itself does not push memory out.
    const bool is_memory = hit.kind == memory_noun().kind;
    size_t& room = is_memory ? memories : evidence;
    if (room > 0) {
      --room;
      hits.push_back(std::move(hit));
    } else if (!is_memory && more.size() < kMoreEvidence) {
      more.push_back(std::move(hit));
    }
  }
  HOLDFAST_CHECK_OK(take_hits(hits));
  const auto shown = std::ranges::count_if(run_.found, [&](const auto& candidate) {
    return !candidate->is_memory() && may_be_shown(run_, *candidate);
  });
  if (static_cast<size_t>(shown) < limit) HOLDFAST_CHECK_OK(take_hits(more));
  if (!run_.vectors) set_relevance(run_.found);
  return run_.query.trace ? count_hidden(std::move(request)) : Status();
}

Status QuerySearch::sources() {
  search::Filter filter = filter_of(run_.query);
  filter.kinds = {item_noun().kind};
  search::SearchRequest request{.query = run_.query.text,
                                .plain = true,
                                .filter = std::move(filter),
                                .limit = static_cast<size_t>(run_.query.limit) + 1,
                                .neighbours = true,
                                .speaker_boost = search::kSpeakerBoost};
  HOLDFAST_TRY(const auto answer, index_.search(access_, request));
  HOLDFAST_CHECK_OK(take_hits(answer.hits));
  set_relevance(run_.found);
  return run_.query.trace ? count_hidden(std::move(request)) : Status();
}

Status QuerySearch::by_refs() {
  run_.refs = normalised_refs(run_.query.work_refs, 0);
  const std::string text = text::in_ref_spelling(run_.query.text);
  for (const auto& candidate : run_.found) {
    if (!candidate->is_memory()) continue;
    for (const std::string& ref : candidate->memory->work_refs) {
      if (text::mentions_ref(text, ref) && std::ranges::find(run_.refs, ref) == run_.refs.end())
        run_.refs.push_back(ref);
    }
  }
  if (run_.refs.empty()) return {};
  search::Filter filter = filter_of(run_.query);
  filter.kinds = {memory_noun().kind};
  filter.facets.push_back({.name = std::string(shared_facet::kWorkRef), .any_of = run_.refs});
  return list(filter, kMostByRef);
}

Status QuerySearch::checkpoints() {
  if (!run_.signals.resume) return {};
  search::Filter filter = filter_of(run_.query);
  filter.kinds = {memory_noun().kind};
  add_equal(filter, facet::kType, std::string(type::kCheckpoint));
  if (run_.query.thread_ref) {
    search::Filter own = filter;
    add_equal(own, shared_facet::kThread, run_.query.thread_ref);
    HOLDFAST_CHECK_OK(list(own, kMostCheckpoints));
  }
  return list(filter, kMostCheckpoints);
}

Result<bool> QuerySearch::has_memory() {
  search::Filter filter = filter_of(run_.query);
  filter.kinds = {memory_noun().kind};
  HOLDFAST_TRY(const auto listed, index_.list(access_, {.filter = filter, .limit = 1}));
  return !listed.hits.empty();
}

Status QuerySearch::list(const search::Filter& filter, size_t limit) {
  HOLDFAST_TRY(const auto listed, index_.list(access_, {.filter = filter, .limit = limit}));
  std::vector<ObjectNumber> numbers;
  for (const auto& hit : listed.hits) numbers.push_back(hit.number);
  return take(numbers, {});
}

Status QuerySearch::take_hits(const std::vector<search::Hit>& hits) {
  std::vector<ObjectNumber> numbers;
  numbers.reserve(hits.size());
  for (const search::Hit& hit : hits) numbers.push_back(hit.number);
  return take(numbers, hits);
}

Status QuerySearch::take(const std::vector<ObjectNumber>& numbers,
                         const std::vector<search::Hit>& hits) {
  HOLDFAST_TRY(const auto objects, txn_.get_many(access_, numbers));
  for (const Object& object : objects) {
    if (object.key.id == run_.query.own_item) continue;
    const auto known = std::ranges::find_if(
        run_.found, [&](const auto& candidate) { return candidate->id() == object.key.id; });
    if (known != run_.found.end()) {
      (*known)->structural = (*known)->structural || hits.empty();
      continue;
    }
    auto candidate = std::make_unique<Candidate>();
    if (object.key.kind == memory_noun().kind) {
      HOLDFAST_TRY(candidate->memory, storage::value_of(memory_noun(), object));
      if (!fits(run_.query, *candidate->memory)) continue;
    } else {
      HOLDFAST_TRY(candidate->item, storage::value_of(item_noun(), object));
    }
    measure(run_.content, *candidate);
    const auto hit = std::ranges::find(hits, object.number, &search::Hit::number);
    candidate->structural = hit == hits.end();
    if (hit != hits.end()) describe(*hit, *candidate);
    // A stem that the index shares is no word that the query shares.
    const bool stem_only = !candidate->structural && !candidate->lexical && !candidate->similarity;
    if (stem_only && !run_.query.source_only) continue;
    if (!candidate->is_memory() && !run_.query.source_only)
      candidate->excluded = exclusion_of(run_, *candidate);
    run_.found.push_back(std::move(candidate));
  }
  return {};
}

// How many matches of the own container this visibility hides.
Status QuerySearch::count_hidden(search::SearchRequest request) {
  request.limit = 1;
  request.exact_total = true;
  request.neighbours = false;
  request.explain = false;
  request.vector.clear();
  HOLDFAST_TRY(const auto visible, index_.search(access_, request));
  HOLDFAST_TRY(const auto every, index_.search(wide_, request));
  run_.excluded_by_visibility =
      static_cast<int64_t>(every.total) - static_cast<int64_t>(visible.total);
  return {};
}

}  // namespace holdfast::service::recall
