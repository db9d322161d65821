#include "storage/sqlite/completion.h"

#include <cerrno>
#include <climits>
#include <ctime>
#include <sys/syscall.h>

#include <linux/futex.h>
#include <unistd.h>

namespace holdfast::storage::sqlite {
namespace {

timespec to_timespec(Deadline deadline) {
  const auto since = deadline.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  return {.tv_sec = seconds.count(),
          .tv_nsec = std::chrono::duration_cast<std::chrono::nanoseconds>(since - seconds).count()};
}

}  // namespace

void Completion::set() {
  done_.store(1, std::memory_order_release);
  syscall(SYS_futex, &done_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

bool Completion::wait_until(Deadline deadline) const {
  static_assert(sizeof(done_) == 4 && std::atomic<uint32_t>::is_always_lock_free);
  // FUTEX_WAIT_BITSET takes absolute times of the monotonic clock, which is the steady clock.
  const timespec until = to_timespec(deadline);
  while (done_.load(std::memory_order_acquire) == 0) {
    const long code =
        syscall(SYS_futex, &done_, FUTEX_WAIT_BITSET_PRIVATE, 0,
                deadline == kNoDeadline ? nullptr : &until, nullptr, FUTEX_BITSET_MATCH_ANY);
    if (code != 0 && errno == ETIMEDOUT) return done_.load(std::memory_order_acquire) != 0;
  }
  return true;
}

}  // namespace holdfast::storage::sqlite
