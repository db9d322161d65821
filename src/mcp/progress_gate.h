// Which progress reports of a request go out: growing ones, at most ten a second, and the last one
// always. Not thread-safe.
#pragma once

#include <chrono>
#include <deque>
#include <optional>

#include "mcp/client.h"

namespace holdfast::mcp {

class ProgressGate {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // The report if it is to be sent now; nothing if it is dropped or held back.
  std::optional<Progress> offer(const Progress& report, TimePoint now);
  // What was held back, when there will be no more.
  std::optional<Progress> finish();

 private:
  std::deque<TimePoint> sent_;  // in the last second
  std::optional<double> last_;
  std::optional<Progress> held_;
};

}  // namespace holdfast::mcp
