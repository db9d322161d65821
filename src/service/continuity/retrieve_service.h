// The bundle an agent starts a task with: capsules within a token budget, what the search index
// knows, the graph and the reminders around the subject. Thread-safe.
#pragma once

#include "service/continuity/context_documents.h"
#include "service/continuity/graph_service.h"
#include "service/continuity/read_service.h"
#include "service/continuity/schedule_service.h"

namespace holdfast::service::continuity {

class RetrieveService {
 public:
  RetrieveService(storage::Store& store, const access::Gatekeeper& gatekeeper,
                  const search::Index& index, const Clock& clock, AccessTrail& trail,
                  const GraphService& graph, const ScheduleService& schedule, Reach reach)
      : store_(store),
        gatekeeper_(gatekeeper),
        index_(index),
        clock_(clock),
        trail_(trail),
        graph_(graph),
        schedule_(schedule),
        reach_(reach) {}

  Result<Value> retrieve(const Request& request);

 private:
  Result<Value> graph_context(const Request& request, const Access& access,
                              storage::ReadTxn& txn) const;

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const Clock& clock_;
  AccessTrail& trail_;
  const GraphService& graph_;
  const ScheduleService& schedule_;
  const Reach reach_;
};

// continuity_state of a retrieve. kNotFound where the mode demands a capsule.
Result<Value> continuity_state(const Request& request, const Access& access, storage::ReadTxn& txn,
                               AccessTrail& trail, Timestamp now);
// The explicit subject (first, if both parts are given) and the selectors, without repeats.
std::vector<Subject> selected_subjects(const Request& request);

}  // namespace holdfast::service::continuity
