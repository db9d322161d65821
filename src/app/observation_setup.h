// The observations surface, from its services to its routes.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "access/gatekeeper.h"
#include "access/rate_limiter.h"
#include "base/clock.h"
#include "base/ids.h"
#include "http/router.h"
#include "jobs/job_runner.h"
#include "model/noun.h"
#include "search/index.h"
#include "service/observation/seeding.h"
#include "storage/store.h"

namespace holdfast::app {

void add_observation_nouns(NounCatalog& nouns);

struct ObservationSetupParts {
  storage::Store& store;
  const access::Gatekeeper& gatekeeper;
  search::Index& index;
  const Clock& clock;
  UlidGenerator& ids;
  access::RateLimiter& rates;
  jobs::JobRunner& jobs;
  bool rate_limits = true;
  std::string public_url = {};                      // empty: where the server listens
  std::function<void(int64_t)> advance_clock = {};  // set only with --test-clock
};

class ObservationSetup {
 public:
  virtual ~ObservationSetup() = default;
  // The registry sections of a bootstrap file, in one write with what `people` stores: nothing of a
  // file that is refused is kept.
  virtual Status seed(const service::observation::RegistrySeeds& seeds,
                      const storage::WriteClosure& people) = 0;
  // Where the server listens, for absolute links.
  virtual void serving_at(const std::string& url) = 0;
  // Once the index is open.
  virtual Status start() = 0;
  // Before the store is closed.
  virtual void stop() = 0;
};

// Before the jobs start. Everything given outlives it.
std::unique_ptr<ObservationSetup> set_up_observations(http::Router& router,
                                                      const ObservationSetupParts& parts);

}  // namespace holdfast::app
