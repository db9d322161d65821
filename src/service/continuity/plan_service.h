// Looking after capsules: what should be refreshed, which archives may go cold, moving them there
// and back. Thread-safe.
#pragma once

#include "service/continuity/read_service.h"
#include "service/continuity/work_nouns.h"

namespace holdfast::service::continuity {

// The newest refresh plan and retention plan.
const Noun<Document>& plan_noun();

class PlanService {
 public:
  PlanService(storage::Store& store, const access::Gatekeeper& gatekeeper,
              const search::Index& index, const Clock& clock, const AccessTrail& trail,
              const ContinuitySettings& settings)
      : store_(store),
        gatekeeper_(gatekeeper),
        index_(index),
        clock_(clock),
        trail_(trail),
        settings_(settings) {}

  Result<Value> refresh(const Request& request);
  Result<Value> retention(const Request& request);
  // The jobs continuity_cold_store, continuity_cold_rehydrate and continuity_retention_apply.
  Result<Value> run_job(const Request& request);

 private:
  Result<Value> cold_store(const Request& request, const std::string& path);
  Result<Value> rehydrate(const Request& request, const Value& arguments);
  Result<Value> apply_retention(const Request& request, const Value& arguments);

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const Clock& clock_;
  const AccessTrail& trail_;
  const ContinuitySettings& settings_;
};

}  // namespace holdfast::service::continuity
