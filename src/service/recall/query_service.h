// Whether anything known should be put before an agent, and what. Silence is an answer and says
// why.
#pragma once

#include "access/gatekeeper.h"
#include "base/clock.h"
#include "search/index.h"
#include "service/recall/query_types.h"
#include "storage/store.h"

namespace holdfast::service::recall {

class QueryService {
 public:
  QueryService(storage::Store& store, const access::Gatekeeper& gatekeeper,
               const search::Index& index, const Clock& clock)
      : store_(store), gatekeeper_(gatekeeper), index_(index), clock_(clock) {}

  Result<Run> run(const CallContext& call, const Query& query) const;

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const Clock& clock_;
};

}  // namespace holdfast::service::recall
