// How a process that must own the data folder (a server) gets it from one that only does because it
// was first (an editor's `holdfast mcp`): it asks through the folder's socket, and takes the lock
// when it is free.
#pragma once

#include <functional>
#include <memory>

#include "app/engine.h"
#include "http/router.h"

namespace holdfast::app {

// POST /_owner/yield, for processes of this machine that can open the folder: 202, and `yield` is
// called. The result lives as long as the router.
class OwnershipRoute {
 public:
  virtual ~OwnershipRoute() = default;
};
std::unique_ptr<OwnershipRoute> mount_ownership(http::Router& router, std::function<void()> yield);

// Engine::create, after asking the owner to yield where there is one. The owner's refusal is the
// error of Engine::create.
Result<std::unique_ptr<Engine>> create_engine_in_turn(const EngineOptions& options);

}  // namespace holdfast::app
