// The failures of this surface, by their published codes.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace holdfast::service::chat {

struct Failure {
  std::string_view code;
  int status;
  bool retryable;
};

namespace reason {
inline constexpr std::string_view kEnforcement = "driver_block_enforcement_failed";
inline constexpr std::string_view kProviderInvalid = "provider_invalid_request";
inline constexpr std::string_view kProviderFailed = "provider_upstream_failed";
inline constexpr std::string_view kProviderRate = "provider_rate_limited";
inline constexpr std::string_view kProviderTimeout = "provider_timeout";
inline constexpr std::string_view kServerBusy = "server_busy";
}  // namespace reason

// By the error's reason where it has one of ours, else by its code.
Failure failure_of(const Error& error);

// What a provider's own error is to the caller. Details of the endpoint stay in the log.
Error provider_failure(const Error& error);

}  // namespace holdfast::service::chat
