#include "jobs/handler.h"

#include <algorithm>

namespace holdfast::jobs {

std::chrono::milliseconds backoff_after(const Handler& handler, int attempt) {
  auto wait = handler.backoff_base;
  for (int i = 1; i < attempt && wait < handler.backoff_cap; ++i) wait *= 2;
  return std::min(wait, handler.backoff_cap);
}

bool is_worth_retrying(ErrorCode code) {
  return code != ErrorCode::kInvalidArgument && code != ErrorCode::kPermissionDenied &&
         code != ErrorCode::kGone && code != ErrorCode::kTooLarge;
}

}  // namespace holdfast::jobs
