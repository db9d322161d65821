// What a bootstrap file says about workspaces and what is in them. Known ids are left as they are,
// so that the file can be given at every start.
#pragma once

#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "service/observation/observation.h"
#include "service/observation/observation_service.h"
#include "service/observation/registry.h"
#include "storage/store.h"

namespace holdfast::service::observation {

struct SeededWorkspace {
  Workspace workspace = {};
  std::vector<Member> members = {};
  std::vector<std::string> repos = {};
};
struct SeededObservation {
  Observation observation = {};
  int64_t views = 0;
  bool inherits_sensitivity = false;  // nothing was said: that of its surroundings
};
struct RegistrySeeds {
  std::vector<SeededWorkspace> workspaces = {};
  std::vector<Subcortex> subcortexes = {};
  std::vector<Thread> threads = {};
  std::vector<Task> tasks = {};
  std::vector<SeededObservation> observations = {};
};

// In one write. kInvalidArgument names the entry that is wrong; nothing is stored then. Principals
// must be there already.
Status seed(storage::Store& store, const access::Gatekeeper& gatekeeper,
            ObservationService& observations, const CallContext& call, RegistrySeeds seeds);

}  // namespace holdfast::service::observation
