// How one surface is served: its dialect, its strictness, and the checks its requests pass, in the
// order its contract wants them.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "access/authenticator.h"
#include "http/reply.h"
#include "model/json_text.h"
#include "wire/dialect.h"
#include "wire/strictness.h"

namespace holdfast::http {

struct Exchange;

// One check: nothing to go on, or the reply that ends the call.
using Step = std::function<std::optional<Reply>(Exchange&)>;

enum class AuthNeed {
  kRequired,
  kOptional,  // without a credential the call is nobody's; a wrong one is refused all the same
  kNone,      // credentials are not looked at
};

// Refuses a call whose budget is spent. May add X-RateLimit headers to Exchange::reply_headers.
using RateLimit = std::function<std::optional<Error>(Exchange&)>;

// body size → authentication → rate limit → deadline → the route's own checks → media type → JSON
// syntax. steps.h has the pieces for other orders.
std::vector<Step> default_steps();

// Lives as long as the router. Host, Origin, path, method and readiness are judged before any step.
struct SurfaceMount {
  std::string name = {};
  std::vector<std::string> prefixes =
      {};  // unknown paths below these are worded by this dialect; longest wins
  const wire::Dialect* dialect = nullptr;
  wire::Strictness strictness = {};
  JsonLimits json_limits = {.max_depth = kRequestDepth};
  size_t body_limit = size_t{1} << 20U;
  AuthNeed auth = AuthNeed::kRequired;
  const access::Authenticator* authenticator = nullptr;  // instead of the server's
  RateLimit rate_limit = {};
  std::chrono::milliseconds time_limit{30'000};
  std::vector<Step> steps = default_steps();
};

}  // namespace holdfast::http
