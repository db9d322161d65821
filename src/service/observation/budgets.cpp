#include "service/observation/budgets.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "service/observation/failure.h"

namespace holdfast::service::observation {
namespace {

struct TierBudget {
  int64_t requests = 0;
  int64_t observations = 0;
};
constexpr std::array<TierBudget, 5> kTiers = {
    {{60, 0}, {120, 100}, {300, 200}, {600, 500}, {1200, 1000}}};

TierBudget budget_of(const CallContext& call) {
  return kTiers[static_cast<size_t>(std::clamp(call.trust_tier, 0, 4))];
}

BudgetState state_of(std::string bucket, const access::RateState& state) {
  return {.bucket = std::move(bucket),
          .allowed = state.allowed,
          .limit = state.limit,
          .remaining = state.remaining,
          .reset_second =
              std::chrono::ceil<std::chrono::seconds>(state.reset_at).time_since_epoch().count(),
          .retry_after_seconds = state.retry_after_seconds};
}

}  // namespace

BudgetState Budgets::spend_request(const CallContext& call) {
  BudgetState state =
      state_of("default", limiter_.spend("observations/requests/" + call.principal.value,
                                         {.limit = budget_of(call).requests}));
  if (!enforced_ || call.local_owner) state.allowed = true;
  return state;
}

Status Budgets::admit(const CallContext& call, int64_t observations) {
  const BudgetState state = state_of(
      "observations", limiter_.spend("observations/made/" + call.principal.value,
                                     {.limit = budget_of(call).observations}, observations, 0));
  if (state.allowed || !enforced_ || call.local_owner) return {};
  return over_budget(state);
}

void Budgets::charge(const CallContext& call, int64_t observations) {
  if (!enforced_ || call.local_owner) return;
  limiter_.spend("observations/made/" + call.principal.value,
                 {.limit = budget_of(call).observations}, 0, observations);
}

Error over_budget(const BudgetState& state) {
  Error error{.code = ErrorCode::kRateLimited,
              .message = fmt::format("At most {} a minute here; try again in {} s.", state.limit,
                                     state.retry_after_seconds),
              .retry_after_seconds = state.retry_after_seconds};
  error.issues = {{.rule = std::string(detail::kFacts),
                   .params = {{"bucket", state.bucket},
                              {"limit", std::to_string(state.limit)},
                              {"remaining", std::to_string(state.remaining)},
                              {"reset", std::to_string(state.reset_second)}}}};
  return error;
}

}  // namespace holdfast::service::observation
