// What the server does to a capsule on its way in: trimming, uniqueness, times of entries, and
// filling from the stored capsule.
#pragma once

#include <string>
#include <vector>

#include "model/value.h"

namespace holdfast::service::continuity {

// Labels of what was changed, in the contract's order.
std::vector<std::string> normalise(Value& capsule);
// created_at and updated_at of entries, from the stored capsule (nullptr: none) and updated_at.
void stamp_entries(Value& capsule, const Value* stored);

// merge_mode=preserve: fills from `stored` what the raw request left out. `snapshot` (or null) has
// members that are never refilled.
void preserve(Value& capsule, const Value& raw, const Value& stored, const Value* snapshot);
// session_end_snapshot over the capsule's state.
void apply_snapshot(Value& capsule, const Value& snapshot);
// Whether an agent could resume from this alone.
bool is_adequate(const Value& capsule);

}  // namespace holdfast::service::continuity
