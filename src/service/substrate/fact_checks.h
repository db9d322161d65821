// Facts that cannot all be right, and names that may mean one thing.
#pragma once

#include <string>
#include <vector>

#include "service/substrate/lifecycle_rules.h"
#include "service/substrate/report.h"

namespace holdfast::service::substrate {

struct NamedNode {
  std::string id = {};
  std::vector<std::string> names = {};  // name and aliases
};

// Sorted by kind, then by ids.
std::vector<FactIssue> check_facts(const std::vector<Knowledge>& knowledge,
                                   const std::vector<NamedNode>& nodes,
                                   const LifecycleRules& rules);

}  // namespace holdfast::service::substrate
