// The capsule: what an agent keeps about a user, a peer, a thread or a task so that it can go on
// later. Its members are a published contract and are kept in the contract's order.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/value.h"
#include "service/continuity/shape.h"

namespace holdfast::service::continuity {

inline constexpr size_t kMaxCapsuleBytes = 20'480;

const Shape& capsule_shape();
const Shape& snapshot_shape();
const Shape& signal_shape();
Shape subject_kind_shape();
// Of negative_decisions, rationale_entries, stable_preferences, identity_anchors.
const Shape& entry_shape(std::string_view list);

const std::vector<std::string>& subject_kinds();
const std::vector<std::string>& signal_kinds();
// self_review 0, external_observation 1, peer_confirmation 2, user_confirmation 3, system_check 4.
int signal_strength(std::string_view kind);

// From what the shape gave: null members go, schema_version becomes 1.1, lists of entries get
// their own null members removed.
Value tidy(Value capsule);
// A stored capsule of any supported age as it is today. kInvalidArgument says why it cannot be one.
Result<Value> upgraded(const Value& stored);

}  // namespace holdfast::service::continuity
