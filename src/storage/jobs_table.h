// Durable background work as rows. jobs/ runs them; storage only keeps and leases them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/label.h"

namespace holdfast::storage {

enum class JobState : uint8_t { kPending = 0, kRunning = 1, kDone = 2, kFailed = 3 };

struct Job {
  SpaceId space = {};
  int64_t id = 0;          // given by the store
  std::string queue = {};  // which handler
  // While a job of this queue and key is pending, enqueuing another gives that one.
  std::string dedupe_key = {};
  std::string payload = {};  // the handler's own text
  JobState state = JobState::kPending;
  int attempts = 0;
  int max_attempts = 3;
  Timestamp run_at = {};  // not before
  std::string worker = {};
  std::optional<Timestamp> lease_until = std::nullopt;
  std::string error = {};  // of the last attempt, cut to 1000 bytes
  std::string failure_category = {};
  Timestamp created_at = {};
  std::optional<Timestamp> completed_at = std::nullopt;
};

struct JobClaim {
  std::vector<std::string> queues = {};
  std::string worker = {};
  Timestamp now = {};
  std::chrono::seconds lease{900};
  size_t limit = 1;
};

// What became of an attempt.
struct JobOutcome {
  SpaceId space = {};  // of the job
  int64_t id = 0;
  std::string worker = {};  // the attempt is void if the lease went to somebody else
  bool succeeded = true;
  bool final = false;  // do not try again
  std::string error = {};
  std::string failure_category = {};
  std::optional<Timestamp> retry_at = std::nullopt;
  Timestamp now = {};
};

}  // namespace holdfast::storage
