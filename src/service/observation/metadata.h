// Free-form metadata of an observation: its limits, and how a patch is merged into it.
#pragma once

#include <vector>

#include "base/error.h"
#include "model/value.h"

namespace holdfast::service::observation {

// What is wrong with it, as issues below `metadata`; an object is expected. Rules are published
// detail codes.
std::vector<Issue> metadata_issues(const Value& metadata);

// What of a patch is there once it is merged: everything but the members that it takes out. Limits
// are for that; whatever breaks one here breaks it in the result.
Value without_nulls(const Value& patch);

// Objects are merged member by member, null takes a member out, everything else replaces.
void merge_metadata(Value& into, const Value& patch);

// What is wrong with the metadata that a patch would result in; nothing if the patch by itself is
// wrong already.
std::vector<Issue> merged_issues(const Value& before, const Value& patch);

}  // namespace holdfast::service::observation
