#include "service/continuity/state_answer.h"

namespace holdfast::service::continuity {

Value StateAnswer::value() const {
  std::vector<std::string> left_out = cut;
  left_out.insert(left_out.end(), omitted.begin(), omitted.end());
  return Value::object(
      {{"present", !capsules.if_array()->empty()},
       {"requested_selectors", Value::array_of(requested)},
       {"omitted_selectors", Value::array_of(left_out)},
       {"capsules", capsules},
       {"selection_order", Value::array_of(selection)},
       {"budget", Value::object({{"requested_max_tokens_estimate", budget},
                                 {"token_budget_hint", budget},
                                 {"continuity_tokens_reserved", budget},
                                 {"continuity_tokens_used", used}})},
       {"warnings", Value::array_of(warnings)},
       {"fallback_used", fallback_used},
       {"recovery_warnings", Value::array_of(recovery)},
       {"trust_signals",
        aggregate_trust(trust, {.requested = static_cast<int64_t>(requested.size()),
                                .returned = static_cast<int64_t>(keys.size()),
                                .omitted = static_cast<int64_t>(left_out.size())})},
       {"salience_metadata", salience_metadata(keys)}});
}

}  // namespace holdfast::service::continuity
