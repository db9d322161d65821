// When knowledge is due for a change. Pure functions of what is stored, so that a report and the
// change itself can never disagree.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "service/substrate/objects.h"
#include "service/substrate/patch.h"

namespace holdfast::service::substrate {

struct LifecycleParams {
  double min_confidence = 0.75;
  int64_t min_evidence = 1;
  std::optional<std::string> reference_time = std::nullopt;  // nothing: now
  int64_t stale_after_days = 30;
};

struct LifecycleRules {
  double min_confidence = 0.75;
  int64_t min_evidence = 1;
  Timestamp reference = {};
  Timestamp stale_before = {};
};
// kInvalidArgument for a reference time that is none.
Result<LifecycleRules> rules_of(const LifecycleParams& params, Timestamp now);

// A candidate, confident enough, about something, with evidence enough.
bool is_promotable(const Knowledge& knowledge, const LifecycleRules& rules);
// As is_promotable, but for the evidence.
bool lacks_evidence(const Knowledge& knowledge, const LifecycleRules& rules);
// Active or candidate, and last verified too long ago. What was never verified does not age.
bool is_stale(const Knowledge& knowledge, const LifecycleRules& rules);

// Facts that say the same: groups of two or more, in the order of their first ids.
using KnowledgeGroup = std::vector<const Knowledge*>;
std::vector<KnowledgeGroup> duplicate_groups(const std::vector<Knowledge>& facts);
// What one group becomes: the winner takes the evidence, the others are superseded.
std::vector<Operation> merge_group(const KnowledgeGroup& group, const std::string& now);

// The better of two when they are to be one: by status, confidence, time, title.
const Knowledge& canonical_of(const Knowledge& a, const Knowledge& b);

}  // namespace holdfast::service::substrate
