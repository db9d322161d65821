#include "mcp/progress_gate.h"

#include <cmath>
#include <utility>

namespace holdfast::mcp {
namespace {

constexpr size_t kMaxPerSecond = 10;

}  // namespace

std::optional<Progress> ProgressGate::offer(const Progress& report, TimePoint now) {
  if (!std::isfinite(report.done) || (last_ && report.done <= *last_)) return std::nullopt;
  last_ = report.done;
  while (!sent_.empty() && now - sent_.front() >= std::chrono::seconds(1)) sent_.pop_front();
  if (sent_.size() >= kMaxPerSecond) {
    held_ = report;
    return std::nullopt;
  }
  sent_.push_back(now);
  held_.reset();
  return report;
}

std::optional<Progress> ProgressGate::finish() { return std::exchange(held_, std::nullopt); }

}  // namespace holdfast::mcp
