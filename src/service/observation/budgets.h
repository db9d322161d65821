// How much a principal may do in a minute: requests, and observations made. Thread-safe.
#pragma once

#include <cstdint>
#include <string>

#include "access/rate_limiter.h"
#include "base/result.h"
#include "model/call_context.h"

namespace holdfast::service::observation {

// A bucket in the terms of the X-RateLimit headers.
struct BudgetState {
  std::string bucket = {};
  bool allowed = true;
  int64_t limit = 0;
  int64_t remaining = 0;
  int64_t reset_second = 0;  // Unix time at which the oldest counted unit leaves the window
  int64_t retry_after_seconds = 0;
};

class Budgets {
 public:
  // enforced false: everything is counted and nothing refused.
  Budgets(access::RateLimiter& limiter, bool enforced) : limiter_(limiter), enforced_(enforced) {}

  // One request; a refused one costs nothing.
  BudgetState spend_request(const CallContext& call);
  // Room for so many observations? kRateLimited otherwise, with the bucket's state as facts.
  Status admit(const CallContext& call, int64_t observations);
  void charge(const CallContext& call, int64_t observations);

 private:
  access::RateLimiter& limiter_;
  const bool enforced_;
};

Error over_budget(const BudgetState& state);

}  // namespace holdfast::service::observation
