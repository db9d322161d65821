// What a surface with keys of its own is made from.
#pragma once

#include "access/authenticator.h"
#include "access/gatekeeper.h"
#include "access/rate_limiter.h"
#include "base/curfew.h"
#include "search/index.h"
#include "storage/store.h"

namespace holdfast::app {

struct SurfaceParts {
  storage::Store& store;
  const access::Gatekeeper& gatekeeper;
  const search::Index& index;
  const Clock& clock;
  const access::Authenticator& authenticator;
  const Curfew& curfew;
  access::RateLimiter* rates = nullptr;  // nullptr: no limits
  bool tokens = false;                   // --auth tokens: keys are in force
  bool isolated = false;                 // --isolate-surfaces: each finds only its own
};

}  // namespace holdfast::app
