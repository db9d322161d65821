// Reaching the memory of a data folder from any process: through its owner's socket, or by becoming
// the owner.
#pragma once

#include <memory>

#include "app/caller.h"
#include "app/settings.h"
#include "base/result.h"

namespace holdfast::app {

enum class Stay {
  kShort,  // a command, over in a moment
  kLong,   // runs as long as an editor does: gives the folder to a server that asks for it
};

// Two owners never happen; when the owner goes, the next call takes over. A call that was under way
// when the owner died is sent again: writes carry an Idempotency-Key, so it is lost neither way and
// done once. The first error is kUnavailable when neither worked for some seconds.
Result<std::unique_ptr<Caller>> open_local_caller(const Settings& settings,
                                                  Stay stay = Stay::kShort);

}  // namespace holdfast::app
