// The thread descriptor and its lifecycle.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "model/value.h"

namespace holdfast::service::continuity {

// Keywords lower case, trimmed and unique; anchors trimmed. Errors as the contract words them.
Status clean_descriptor(Value& capsule);
// lifecycle and superseded_by are the server's: what a caller sent is forgotten.
void forget_lifecycle(Value& capsule);
// The stored descriptor's lifecycle goes on in the new capsule, or starts at active.
void carry_lifecycle(Value& capsule, const Value* stored);

struct Transition {
  std::string name = {};  // empty: none
  std::string superseded_by = {};
};
Status apply_transition(Value& descriptor, const Transition& transition);
std::string lifecycle_of(const Value& descriptor);

}  // namespace holdfast::service::continuity
