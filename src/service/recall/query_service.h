// Whether anything known should be put before an agent, and what. Silence is an answer and says
// why.
#pragma once

#include "access/gatekeeper.h"
#include "base/clock.h"
#include "search/index.h"
#include "service/native/embedding_service.h"
#include "service/recall/policy.h"
#include "service/recall/query_types.h"
#include "storage/store.h"

namespace holdfast::service::recall {

class QueryService {
 public:
  QueryService(storage::Store& store, const access::Gatekeeper& gatekeeper,
               const search::Index& index, const Clock& clock)
      : store_(store), gatekeeper_(gatekeeper), index_(index), clock_(clock) {}

  // Also looks for near vectors; `semantic`: they know meaning, not only spelling. At the start.
  void use_embeddings(const EmbeddingService* embeddings, bool semantic) {
    embeddings_ = embeddings;
    semantic_ = semantic;
  }

  // Which types are put forward when. At the start.
  void use_policy(InjectionPolicy policy) { policy_ = std::move(policy); }

  // kInvalidArgument with reason kUnknownTrigger.
  Result<Run> run(const CallContext& call, const Query& query) const;

 private:
  // Empty where there are no vectors or their maker does not answer: words alone then.
  std::vector<float> vector_of(const std::string& text, Deadline deadline) const;

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const Clock& clock_;
  const EmbeddingService* embeddings_ = nullptr;  // nullptr: words alone
  bool semantic_ = false;
  InjectionPolicy policy_{};
};

}  // namespace holdfast::service::recall
