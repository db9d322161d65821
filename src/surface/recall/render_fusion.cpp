#include <algorithm>

#include "surface/recall/render.h"

namespace holdfast::surface::recall {

using namespace service::recall;  // NOLINT(google-build-using-namespace): shows them all

Value fusion_value(const Run& run) {
  if (!run.vectors) return {};
  std::vector<const Candidate*> order;
  for (const auto& candidate : run.found) {
    if (candidate->fused > 0) order.push_back(candidate.get());
  }
  std::ranges::stable_sort(order, std::ranges::greater(), &Candidate::fused);
  const auto count = [&](auto&& condition) { return std::ranges::count_if(order, condition); };
  Value hits = Value::array();
  for (const Candidate* candidate : order) {
    const auto rank = [](size_t place) { return place == 0 ? Value() : Value(place); };
    hits.push(
        Value::object({{"result_id", candidate->result_id()},
                       {"rrf_score", candidate->fused},
                       {"rrf_rank", hits.if_array()->size() + 1},
                       {"fused_score",
                        static_cast<int64_t>(static_cast<double>(kFusionScale) * candidate->fused)},
                       {"lexical_rank", rank(candidate->lexical_rank)},
                       {"vector_rank", rank(candidate->vector_rank)},
                       {"retrieval_source", retrieval_of(*candidate)}}));
  }
  return Value::object(
      {{"stage_name", "fusion"},
       {"k", static_cast<int64_t>(kFusionK)},
       {"rrf_score_scale", kFusionScale},
       {"lexical_candidate_count", count([](const Candidate* c) { return c->lexical_rank > 0; })},
       {"vector_candidate_count", count([](const Candidate* c) { return c->vector_rank > 0; })},
       {"fused_candidate_count", order.size()},
       {"both_sources_count",
        count([](const Candidate* c) { return c->lexical_rank > 0 && c->vector_rank > 0; })},
       {"selected_count", run.results.size()},
       {"lexical_weight", kLexicalWeight},
       {"vector_weight", kVectorWeight},
       {"hits", std::move(hits)}});
}

}  // namespace holdfast::surface::recall
