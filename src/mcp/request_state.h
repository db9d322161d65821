// The state that a modern request carries from one round of input to the next. It travels through
// the client, so it is signed and bound to its request and caller; nothing is kept here between
// rounds.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "model/label.h"
#include "model/value.h"

namespace holdfast::mcp {

// What a state is good for.
struct StateScope {
  std::string_view method;
  std::string_view item;   // the tool's or prompt's name, the resource's URI
  const Value& arguments;  // null if none
  const PrincipalId& principal;
};

// Thread-safe.
class RequestStates {
 public:
  // With a key of its own: states do not outlive the process.
  explicit RequestStates(const Clock& clock);

  // Never the same text twice.
  std::string seal(const StateScope& scope, const Value& state) const;
  // Nothing if it was not made here for the same scope, or is too old.
  std::optional<Value> open(const StateScope& scope, std::string_view text) const;

 private:
  const Clock& clock_;
  const std::string key_;
};

}  // namespace holdfast::mcp
