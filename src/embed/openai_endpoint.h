// One OpenAI-compatible HTTP endpoint: JSON posted to it, its JSON answer read. Everything that
// talks to such an endpoint (embeddings, completions) goes through here.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/curfew.h"
#include "base/result.h"
#include "model/value.h"

namespace holdfast::embed {

inline constexpr std::string_view kStopping = "stopping";  // reason of what the curfew ended

// http or https, and a host.
bool is_endpoint_url(const std::string& url);

struct EndpointOptions {
  std::string base_url = {};  // https://api.openai.com/v1, http://127.0.0.1:11434/v1
  std::string api_key = {};   // empty: no Authorization header
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds timeout{30'000};  // of one attempt
  int attempts = 4;                           // in all, for 429, 5xx and broken connections
  std::chrono::milliseconds first_backoff{
      250};  // doubles each time, give or take a quarter; Retry-After is obeyed up to max_backoff
  std::chrono::milliseconds max_backoff{8'000};
  size_t max_response_bytes = 64U << 20;
  // Calls are given up then, with kUnavailable and kStopping; nullptr: never.
  const Curfew* curfew = nullptr;
};

// Thread-safe. Waits for the network: never call it inside a write.
class OpenAiEndpoint {
 public:
  // `what` names the service in messages: "embedding service".
  OpenAiEndpoint(EndpointOptions options, std::string what);

  // Posts to {base_url}{path}. kRateLimited (429, with retry_after_seconds), kUnavailable (5xx,
  // 408, no connection, or the curfew), kDeadlineExceeded (also of one attempt), kInvalidArgument
  // (any other 4xx), kCorrupted (an answer that is no JSON or too large, or of another status than
  // 200).
  Result<Value> post(std::string_view path, const Value& body, Deadline deadline) const;

  // For callers that look deeper into an answer.
  Error unusable(std::string detail) const;

 private:
  struct Answer;

  // False if the curfew came first.
  bool sleep_for(std::chrono::milliseconds time) const;
  Answer attempt(const std::string& url, const std::string& body,
                 std::chrono::milliseconds timeout) const;
  Error error_of(const Answer& answer) const;
  Error failure(ErrorCode code, std::string detail) const;

  EndpointOptions options_;
  std::string what_;
};

}  // namespace holdfast::embed
