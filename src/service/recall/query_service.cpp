#include "service/recall/query_service.h"

#include "base/log.h"
#include "service/recall/ingest_service.h"
#include "service/recall/query_search.h"
#include "service/recall/query_signals.h"
#include "service/recall/ranking.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

// How long a query waits for its vector.
constexpr std::chrono::milliseconds kVectorPatience{1500};

// A call in the eyes of the query's actor: global memory is its own and nobody else's.
CallContext as_actor(const CallContext& call, const Query& query) {
  CallContext out = call;
  out.viewer.actor = query.actor_ref.value_or("");
  out.viewer.every_owner = false;
  return out;
}

Status answer_with_sources(QuerySearch& search, Run& run) {
  run.reason = reason::kSourceOnly;
  HOLDFAST_CHECK_OK(search.sources());
  for (const auto& candidate : run.found) {
    candidate->score = static_cast<int64_t>(1000 * candidate->relevance);
    run.candidates.push_back(candidate.get());
    if (run.results.size() < static_cast<size_t>(run.query.limit))
      run.results.push_back(candidate.get());
  }
  return {};
}

}  // namespace

std::vector<float> QueryService::vector_of(const std::string& text, Deadline deadline) const {
  if (embeddings_ == nullptr) return {};
  auto vector = embeddings_->embed_query(
      text, std::min(deadline, std::chrono::steady_clock::now() + kVectorPatience));
  if (vector) return std::move(*vector);
  log::warn("query_embedding_failed", {{"error", vector.error().message}});
  return {};
}

Result<Run> QueryService::run(const CallContext& call, const Query& query) const {
  Run run{.query = query};
  if (query.trigger_origin) HOLDFAST_CHECK_OK(check_trigger(*query.trigger_origin));
  run.withheld = policy_.withheld(query.trigger_origin.value_or(""));
  HOLDFAST_TRY(const access::SpaceAccess whole,
               gatekeeper_.require(as_actor(call, query), access::Permission::kRead));
  if (query.container_ref) run.query.container_ref = canonical_container(*query.container_ref);
  if (!run.query.container_ref || run.query.container_ref->empty()) {
    run.failed_closed = !run.query.container_ref;
    run.reason = reason::kNothing;
    return run;
  }
  read_signals(run);
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  QuerySearch search(*txn, index_, whole, run);
  HOLDFAST_CHECK_OK(search.infer_thread(clock_.now()));
  run.searched = true;
  if (query.source_only) {
    HOLDFAST_CHECK_OK(answer_with_sources(search, run));
    return run;
  }
  run.low_value = is_low_value_query(query.text, run.turn_kind == "resumed_session");
  if (run.low_value) {
    run.searched = false;
    run.reason = reason::kLowValueQuery;
    return run;
  }
  run.semantic = semantic_;
  HOLDFAST_CHECK_OK(search.by_words(vector_of(query.text, call.deadline)));
  HOLDFAST_CHECK_OK(search.by_refs());
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
