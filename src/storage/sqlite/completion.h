// Things that happen one after the other, each of which one thread may wait for. Telling any number
// of them at once costs one system call, and wakes nobody else; a condition variable (each waiter
// takes the mutex in turn) offers neither. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"

namespace holdfast::storage::sqlite {

class Completion {
 public:
  // The first `count` have happened. One thread says so, and never a smaller number.
  void set_first(size_t count);
  // All have.
  void set() { set_first(kAll); }
  // Waits for the one at `place`. False if the deadline passed first.
  bool wait_until(size_t place, Deadline deadline) const;

 private:
  static constexpr uint32_t kAll = UINT32_MAX;
  mutable std::atomic<uint32_t> done_ = 0;  // how many have happened
};

}  // namespace holdfast::storage::sqlite
