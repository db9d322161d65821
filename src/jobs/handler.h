// How the jobs of one queue are done.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "storage/store.h"

namespace holdfast::jobs {

struct Handler {
  std::string queue = {};
  std::chrono::seconds lease{900};  // longer than any attempt takes
  int max_attempts = 3;             // at most; a job may allow fewer
  std::chrono::milliseconds backoff_base{1000};
  std::chrono::milliseconds backoff_cap{300'000};
  // Does the long part of the work outside a transaction and returns its effect, which is committed
  // together with the end of the job: both happen or neither. May be called again for the same job
  // after a crash or a failure, so whatever it does besides the returned write must bear
  // repetition. An error is retried, unless repeating cannot help (kInvalidArgument,
  // kPermissionDenied, kGone, kTooLarge). Exceptions count as kInternal.
  std::function<Result<storage::WriteClosure>(const storage::Job&)> run = {};
  // In place of `run`: several due jobs at once, oldest first, with one effect. If it fails, each
  // of them is run alone, so that one bad job does not hold up the others.
  std::function<Result<storage::WriteClosure>(const std::vector<storage::Job>&)> run_many = {};
  size_t most_at_once = 1;
  // Never two attempts of this queue at a time: effects come in the order of the jobs.
  bool serial = false;
};

// How long to wait after attempt n (from 1): base doubled each time, at most cap.
std::chrono::milliseconds backoff_after(const Handler& handler, int attempt);

// Whether an attempt that failed so may be repeated.
bool is_worth_retrying(ErrorCode code);

}  // namespace holdfast::jobs
