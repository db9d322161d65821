// What a bootstrap file says about workspaces and what is in them. Known ids are left as they are,
// so that the file can be given at every start.
#pragma once

#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "service/observation/observation.h"
#include "service/observation/observation_service.h"
#include "service/observation/registry.h"
#include "service/observation/visit.h"

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

// As a part of the write, in which principals come first. kInvalidArgument names the entry that is
// wrong.
Status seed(Mutation& mutation, const access::Gatekeeper& gatekeeper,
            ObservationService& observations, const RegistrySeeds& seeds);

}  // namespace holdfast::service::observation
