// Fits what was supplied into the input budget. What matters least goes first.
#pragma once

#include "base/result.h"
#include "service/chat/chat_types.h"

namespace holdfast::service::chat {

namespace reason {
inline constexpr std::string_view kBudgetExceeded = "budget_exceeded";
}

struct TrimCounts {
  int64_t history = 0;
  int64_t memories = 0;
  int64_t evidence = 0;
  int64_t notes = 0;  // of decisions, next steps and the arc
  bool capsule = false;

  bool any() const { return history + memories + evidence + notes > 0 || capsule; }
};

int64_t input_tokens(const Material& material);

// History oldest first, memories lowest rank first, evidence last first, then next steps, decisions
// and the arc, then the capsule. kInvalidArgument with reason budget_exceeded if the message alone
// is too long: it is never cut.
Result<TrimCounts> trim_to_budget(Material& material, int64_t max_tokens);

}  // namespace holdfast::service::chat
