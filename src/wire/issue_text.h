// Issues in plain words, for dialects that say them so.
#pragma once

#include <string>

#include "base/error.h"

namespace holdfast::wire {

// What the field must be, as the end of a sentence: "is required", "must be at least 1". Empty for
// rules that only a surface's own schemas know.
std::string issue_demand(const Issue& issue);

}  // namespace holdfast::wire
