#include "service/recall/query_service.h"

#include <algorithm>

#include "base/utf8.h"
#include "service/recall/ingest_service.h"
#include "service/recall/query_signals.h"
#include "service/recall/ranking.h"
#include "service/recall/words.h"
#include "storage/typed.h"
#include "text/work_ref.h"

namespace holdfast::service::recall {
namespace {

using access::Permission;
using access::SpaceAccess;

constexpr auto kThreadIsWarm = std::chrono::seconds(1800);
constexpr size_t kMostByRef = 10;
constexpr size_t kMostCheckpoints = 3;

// A call in the eyes of the query's actor: global memory is its own and nobody else's.
CallContext as_actor(const CallContext& call, const Query& query) {
  CallContext out = call;
  out.viewer.actor = query.actor_ref.value_or("");
  out.viewer.every_owner = false;
  return out;
}

Visibility reach_of(Scope scope) {
  if (scope == Scope::kPublic) return Visibility::kPublic;
  return scope == Scope::kContainer ? Visibility::kContainer : Visibility::kPrivate;
}

void add_equal(search::Filter& filter, std::string_view facet, const Text& value) {
  if (value) filter.facets.push_back({.name = std::string(facet), .any_of = {*value}});
}

search::Filter filter_of(const Query& query) {
  search::Filter filter{.kinds = {item_noun().kind, memory_noun().kind}};
  add_equal(filter, facet::kLive, "yes");
  add_equal(filter, facet::kSourceType, query.source_type);
  if (query.role) add_equal(filter, facet::kRole, fold_case(*query.role));
  add_equal(filter, facet::kArtifact, query.artifact_kind);
  if (query.actor_ref)
    filter.facets.push_back(
        {.name = std::string(facet::kActor), .any_of = {"-", actor_facet(query.actor_ref)}});
  return filter;
}

// Each content word, its singulars, and words that begin alike.
std::vector<search::PreparedTerm> terms_of(const std::vector<std::string>& content) {
  std::vector<search::PreparedTerm> terms;
  for (const std::string& word : content) {
    search::PreparedTerm term = search::PreparedTerm::of(word);
    for (std::string& variant : variants_of(word))
      term.alternatives.push_back({.text = std::move(variant)});
    if (word.size() >= 5)
      term.alternatives.push_back({.text = word.substr(0, 5), .weight = 0.4, .prefix = true});
    terms.push_back(std::move(term));
  }
  return terms;
}

// One query under way: a read transaction and the viewer's access.
class Search {
 public:
  Search(storage::ReadTxn& txn, const search::Index& index, const SpaceAccess& whole, Run& run)
      : txn_(txn),
        index_(index),
        access_(whole.narrowed(run.query.container_ref, reach_of(run.query.visibility))),
        wide_(whole.narrowed(run.query.container_ref, Visibility::kPrivate)),
        run_(run) {}

  Status infer_thread(Timestamp now) {
    const Query& query = run_.query;
    if (query.thread_ref) {
      HOLDFAST_TRY(const auto page,
                   txn_.scan(access_, {.kind = item_noun().kind,
                                       .equal = Facet::of(
                                           std::string(facet::kThread),
                                           thread_facet(*query.container_ref, *query.thread_ref)),
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
    if (run_.turn_kind == "resumed_session") run_.signals.resume = true;
    return {};
  }

  Status lexical() {
    if (run_.content.empty()) return {};
    const auto limit =
        static_cast<size_t>(4 * std::min<int64_t>(std::max<int64_t>(4 * run_.query.limit, 12), 50));
    search::SearchRequest request{
        .terms = terms_of(run_.content), .filter = filter_of(run_.query), .limit = limit};
    HOLDFAST_TRY(const auto answer, index_.search(access_, request));
    std::vector<ObjectNumber> numbers;
    for (const search::Hit& hit : answer.hits) numbers.push_back(hit.number);
    HOLDFAST_CHECK_OK(take(numbers, true));
    return run_.query.trace ? count_hidden(request) : Status();
  }

  // References that the query names, and those of visible memory whose name is in its text.
  Status find_refs() {
    run_.refs = normalised_refs(run_.query.work_refs, 0);
    const auto whole = text::normalise_work_ref(run_.query.text);
    const std::string text = "-" + whole.value_or("") + "-";
    for (const Candidate& candidate : run_.found) {
      if (!candidate.is_memory()) continue;
      for (const std::string& ref : candidate.memory->work_refs) {
        if (text.find("-" + ref + "-") != std::string::npos &&
            std::ranges::find(run_.refs, ref) == run_.refs.end())
          run_.refs.push_back(ref);
      }
    }
    if (run_.refs.empty()) return {};
    search::Filter filter = filter_of(run_.query);
    filter.kinds = {memory_noun().kind};
    filter.facets.push_back({.name = std::string(shared_facet::kWorkRef), .any_of = run_.refs});
    return list(filter, kMostByRef);
  }

  Status checkpoints() {
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

  // Whether the scope holds any memory at all.
  Result<bool> has_memory() {
    search::Filter filter = filter_of(run_.query);
    filter.kinds = {memory_noun().kind};
    HOLDFAST_TRY(const auto listed, index_.list(access_, {.filter = filter, .limit = 1}));
    return !listed.hits.empty();
  }

 private:
  Status list(const search::Filter& filter, size_t limit) {
    HOLDFAST_TRY(const auto listed,
                 index_.list(access_, {.filter = filter,
                                       .sort = {{.by = search::SortKey::By::kTime}},
                                       .limit = limit}));
    std::vector<ObjectNumber> numbers;
    for (const auto& hit : listed.hits) numbers.push_back(hit.number);
    return take(numbers, false);
  }

  Status take(const std::vector<ObjectNumber>& numbers, bool lexical) {
    HOLDFAST_TRY(const auto objects, txn_.get_many(access_, numbers));
    for (const Object& object : objects) {
      Candidate candidate{.lexical = lexical, .structural = !lexical};
      if (object.key.kind == memory_noun().kind) {
        HOLDFAST_TRY(candidate.memory, storage::value_of(memory_noun(), object));
      } else {
        HOLDFAST_TRY(candidate.item, storage::value_of(item_noun(), object));
      }
      if (candidate.id() == run_.query.own_item) continue;
      measure(run_.content, candidate);
      if (lexical && candidate.matched == 0) continue;
      const auto known = std::ranges::find(run_.found, candidate.id(), &Candidate::id);
      if (known == run_.found.end()) {
        run_.found.push_back(std::move(candidate));
      } else {
        known->structural = known->structural || !lexical;
      }
    }
    return {};
  }

  // How many matches of the own container this visibility hides.
  Status count_hidden(search::SearchRequest request) {
    request.limit = 1;
    request.exact_total = true;
    HOLDFAST_TRY(const auto visible, index_.search(access_, request));
    HOLDFAST_TRY(const auto every, index_.search(wide_, request));
    run_.excluded_by_visibility =
        static_cast<int64_t>(every.total) - static_cast<int64_t>(visible.total);
    return {};
  }

  storage::ReadTxn& txn_;
  const search::Index& index_;
  const SpaceAccess access_;
  const SpaceAccess wide_;  // as far as the container goes
  Run& run_;
};

}  // namespace

Result<Run> QueryService::run(const CallContext& call, const Query& query) const {
  Run run{.query = query};
  HOLDFAST_TRY(const SpaceAccess whole,
               gatekeeper_.require(as_actor(call, query), Permission::kRead));
  if (query.container_ref) run.query.container_ref = canonical_container(*query.container_ref);
  if (!run.query.container_ref || run.query.container_ref->empty()) {
    run.failed_closed = !run.query.container_ref;
    run.reason = reason::kNothing;
    return run;
  }
  read_signals(run);
  run.low_value = is_low_value_query(query.text, query.runtime.turn_kind == "resumed_session");
  if (run.low_value) {
    run.reason = reason::kLowValueQuery;
    return run;
  }
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  Search search(*txn, index_, whole, run);
  run.searched = true;
  HOLDFAST_CHECK_OK(search.infer_thread(clock_.now()));
  HOLDFAST_CHECK_OK(search.lexical());
  HOLDFAST_CHECK_OK(search.find_refs());
  HOLDFAST_CHECK_OK(search.checkpoints());
  bool goes_on = !run.found.empty();
  if (!goes_on && run.content.empty()) {
    HOLDFAST_TRY(goes_on, search.has_memory());
  }
  if (!goes_on) {
    run.reason = reason::kNothing;
    return run;
  }
  decide(run, clock_.now());
  return run;
}

}  // namespace holdfast::service::recall
