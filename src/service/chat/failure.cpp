#include "service/chat/failure.h"

#include <array>

#include "embed/openai_endpoint.h"
#include "service/chat/memory_service.h"
#include "service/chat/provider.h"
#include "service/chat/trimming.h"

namespace holdfast::service::chat {
namespace {

struct ByReason {
  std::string_view reason;
  int status;
  bool retryable;
};

// Reasons that are their own code.
constexpr std::array<ByReason, 12> kReasons = {{{reason::kConfirmRequired, 409, false},
                                                {reason::kKeyReused, 409, false},
                                                {reason::kBudgetExceeded, 422, false},
                                                {reason::kOutputContract, 422, false},
                                                {reason::kEnforcement, 422, false},
                                                {reason::kNotConfigured, 500, false},
                                                {reason::kProviderInvalid, 502, false},
                                                {reason::kProviderFailed, 502, true},
                                                {reason::kProviderRate, 503, true},
                                                {reason::kServerBusy, 503, true},
                                                {reason::kProviderTimeout, 504, true},
                                                {"method_not_allowed", 405, false}}};

}  // namespace

Failure failure_of(const Error& error) {
  for (const ByReason& row : kReasons) {
    if (row.reason == error.reason) return {row.reason, row.status, row.retryable};
  }
  switch (error.code) {
    case ErrorCode::kInvalidArgument: return {"invalid_request", 400, false};
    case ErrorCode::kUnauthenticated: return {"unauthorized", 401, false};
    case ErrorCode::kPermissionDenied: return {"forbidden", 403, false};
    case ErrorCode::kNotFound:
    case ErrorCode::kGone: return {"not_found", 404, false};
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kConflict: return {"idempotency_conflict", 409, false};
    case ErrorCode::kTooLarge: return {"payload_too_large", 413, false};
    case ErrorCode::kRateLimited: return {"rate_limited", 429, true};
    case ErrorCode::kUnavailable:
    case ErrorCode::kDeadlineExceeded: return {"server_busy", 503, true};
    case ErrorCode::kStorageFull:
    case ErrorCode::kCorrupted:
    case ErrorCode::kInternal: return {"server_error", 500, true};
  }
  return {"server_error", 500, true};
}

Error provider_failure(const Error& error) {
  if (error.reason == reason::kOutputContract || error.reason == reason::kNotConfigured)
    return error;
  Error out = error;
  if (error.reason == embed::kStopping) {
    out.code = ErrorCode::kInternal;  // it is we who stop
    return out;
  }
  switch (error.code) {
    case ErrorCode::kInvalidArgument: out.reason = reason::kProviderInvalid; break;
    case ErrorCode::kRateLimited: out.reason = reason::kProviderRate; break;
    case ErrorCode::kDeadlineExceeded: out.reason = reason::kProviderTimeout; break;
    default: out.reason = reason::kProviderFailed; break;
  }
  return out;
}

}  // namespace holdfast::service::chat
