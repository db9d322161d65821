// Handing work between peers: handoffs, shared state, reconciliation of what they disagree on.
// Thread-safe.
#pragma once

#include <functional>

#include "service/continuity/request.h"
#include "service/continuity/work_store.h"

namespace holdfast::service::continuity {

struct Artefact;

class CoordinationService {
 public:
  CoordinationService(storage::Store& store, const access::Gatekeeper& gatekeeper,
                      const search::Index& index, const Clock& clock)
      : store_(store), gatekeeper_(gatekeeper), index_(index), clock_(clock) {}

  Result<Value> create_handoff(const Request& request);
  Result<Value> read_handoff(const Request& request);
  Result<Value> query_handoffs(const Request& request);
  Result<Value> consume_handoff(const Request& request);
  Result<Value> create_shared(const Request& request);
  Result<Value> read_shared(const Request& request);
  Result<Value> query_shared(const Request& request);
  Result<Value> update_shared(const Request& request);
  Result<Value> open_reconciliation(const Request& request);
  Result<Value> read_reconciliation(const Request& request);
  Result<Value> query_reconciliations(const Request& request);
  Result<Value> resolve_reconciliation(const Request& request);

 private:
  using Closure = std::function<Result<Value>(storage::WriteTxn&, const Access&)>;
  Result<Value> write(const Request& request, const Closure& closure);
  struct Query {
    std::string_view facet;
    const char* member;
  };
  Result<Value> query(const Request& request, const Artefact& artefact, const char* list,
                      const std::vector<Query>& filters) const;

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const Clock& clock_;
};

// Who may ask for which peers: an administrator for anyone, everyone else for itself. `without` is
// the refusal where the caller does not name itself, `foreign` where it names another too.
Status check_identities(const Request& request, std::initializer_list<const char*> members,
                        const char* without, const char* foreign);

}  // namespace holdfast::service::continuity
