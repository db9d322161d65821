#include "service/recall/policy.h"

#include <algorithm>
#include <array>

namespace holdfast::service::recall {
namespace {

// The strictest mode that such a query still gets.
struct Trigger {
  std::string_view origin;
  InjectionMode reaches;
};
constexpr std::array<Trigger, 8> kTriggers = {{
    {"user_prompt_submit", InjectionMode::kProactive},
    {"session_start_orientation", InjectionMode::kProactive},
    {"session_start_checkpoint", InjectionMode::kEvent},
    {"pre_compact", InjectionMode::kEvent},
    {"post_tool_failure", InjectionMode::kEvent},
    {"retry_threshold", InjectionMode::kEvent},
    {"user_explicit", InjectionMode::kOnDemand},
    {"agent_pull", InjectionMode::kOnDemand},
}};

InjectionMode reach_of_origin(std::string_view origin) {
  const auto* trigger = std::ranges::find(kTriggers, origin, &Trigger::origin);
  return trigger == kTriggers.end() ? InjectionMode::kProactive : trigger->reaches;
}

}  // namespace

std::vector<std::string> trigger_origins() {
  std::vector<std::string> out;
  for (const Trigger& trigger : kTriggers) out.emplace_back(trigger.origin);
  return out;
}

Status check_trigger(std::string_view origin) {
  if (std::ranges::find(kTriggers, origin, &Trigger::origin) != kTriggers.end()) return {};
  std::string names;
  for (const Trigger& trigger : kTriggers)
    names += (names.empty() ? "" : ", ") + std::string(trigger.origin);
  return Error{.code = ErrorCode::kInvalidArgument,
               .reason = std::string(reason::kUnknownTrigger),
               .message = "Unknown trigger_origin; it is one of " + names + "."};
}

std::set<std::string, std::less<>> InjectionPolicy::withheld(std::string_view origin) const {
  const InjectionMode reach = reach_of_origin(origin);
  std::set<std::string, std::less<>> out;
  for (const auto& [memory_type, mode] : modes_) {
    if (mode > reach) out.insert(memory_type);
  }
  return out;
}

}  // namespace holdfast::service::recall
