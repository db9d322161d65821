// Something that happens once and that many threads may wait for. Telling them costs one system
// call however many they are, which a condition variable (each waiter takes the mutex in turn) does
// not offer. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"

namespace holdfast::storage::sqlite {

class Completion {
 public:
  void set();
  // False if the deadline passed first.
  bool wait_until(Deadline deadline) const;

 private:
  mutable std::atomic<uint32_t> done_ = 0;
};

}  // namespace holdfast::storage::sqlite
