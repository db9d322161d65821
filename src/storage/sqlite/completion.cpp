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

// Sleepers are told apart by these; who shares one wakes up, looks, and goes on sleeping.
uint32_t bit_of(size_t place) { return 1U << (place % 32); }

}  // namespace

void Completion::set_first(size_t count) {
  const auto now = static_cast<uint32_t>(count);
  const uint32_t before = done_.exchange(now, std::memory_order_release);
  uint32_t who = 0;
  for (uint32_t place = before; place < now && who != kAll; ++place) who |= bit_of(place);
  syscall(SYS_futex, &done_, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, nullptr, nullptr, who);
}

bool Completion::wait_until(size_t place, Deadline deadline) const {
  static_assert(sizeof(done_) == 4 && std::atomic<uint32_t>::is_always_lock_free);
  // FUTEX_WAIT_BITSET takes absolute times of the monotonic clock, which is the steady clock.
  const timespec until = to_timespec(deadline);
  uint32_t done = 0;
  while ((done = done_.load(std::memory_order_acquire)) <= place) {
    const long code = syscall(SYS_futex, &done_, FUTEX_WAIT_BITSET_PRIVATE, done,
                              deadline == kNoDeadline ? nullptr : &until, nullptr, bit_of(place));
    if (code != 0 && errno == ETIMEDOUT) return done_.load(std::memory_order_acquire) > place;
  }
  return true;
}

}  // namespace holdfast::storage::sqlite
