// When memory of a type may be put before an agent unasked, and what a query says about why it is
// asked.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holdfast::service::recall {

// proactive: always. event: when something happened (a session begins again, a tool failed) or
// somebody asks. on_demand: only when somebody asks. suspended: never.
enum class InjectionMode { kProactive, kEvent, kOnDemand, kSuspended };

namespace reason {
inline constexpr std::string_view kUnknownTrigger = "unknown_trigger_origin";
}

// The names by which queries say what made them.
std::vector<std::string> trigger_origins();
// kInvalidArgument with reason kUnknownTrigger.
Status check_trigger(std::string_view origin);

class InjectionPolicy {
 public:
  // Types that are not named are proactive.
  explicit InjectionPolicy(std::map<std::string, InjectionMode, std::less<>> modes = {})
      : modes_(std::move(modes)) {}

  // The types that are not put forward for a query made by that; empty: by a turn like any other.
  std::set<std::string, std::less<>> withheld(std::string_view origin) const;

 private:
  std::map<std::string, InjectionMode, std::less<>> modes_;
};

}  // namespace holdfast::service::recall
