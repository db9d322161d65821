// Looking after capsules: what should be refreshed, which archives may go cold, moving them there
// and back. Thread-safe.
#pragma once

#include <map>

#include "base/mutex.h"
#include "service/continuity/read_service.h"
#include "service/continuity/work_nouns.h"

namespace holdfast::service::continuity {

// The newest refresh plan and retention plan.
const Noun<Document>& plan_noun();

class PlanService {
 public:
  PlanService(storage::Store& store, const access::Gatekeeper& gatekeeper, const Shelf& shelf,
              const Clock& clock, const AccessTrail& trail, const ContinuitySettings& settings)
      : store_(store),
        gatekeeper_(gatekeeper),
        shelf_(shelf),
        clock_(clock),
        trail_(trail),
        settings_(settings) {}

  Result<Value> refresh(const Request& request);
  Result<Value> retention(const Request& request);
  // The jobs continuity_cold_store, continuity_cold_rehydrate and continuity_retention_apply.
  Result<Value> run_job(const Request& request);

 private:
  using Closure = std::function<Result<Value>(storage::WriteTxn&, const Access&)>;
  // Counts a job as running for as long as it lives.
  class RunningJob {
   public:
    RunningJob(PlanService& service, std::string job);
    ~RunningJob();
    RunningJob(const RunningJob&) = delete;
    RunningJob& operator=(const RunningJob&) = delete;
    bool first() const { return first_; }

   private:
    PlanService& service_;
    const std::string job_;
    bool first_ = false;
  };

  Result<Value> change(const Request& request, const Closure& closure);
  Result<Value> cold_store(const Request& request, const std::string& path);
  Result<Value> rehydrate(const Request& request, const Value& arguments);
  Result<std::string> retire_one(const Request& request, const std::string& path);
  Result<Value> apply_retention(const Request& request, const Value& arguments);

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const Shelf& shelf_;
  const Clock& clock_;
  const AccessTrail& trail_;
  const ContinuitySettings& settings_;
  Mutex mutex_;
  std::map<std::string, int> running_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::service::continuity
