#include "base/turns.h"

#include <limits>
#include <utility>

namespace holdfast {

Turns::Turns(size_t max_threads, Source& source)
    : max_threads_(max_threads),
      source_(source),
      threads_(max_threads, std::numeric_limits<size_t>::max()) {}

void Turns::run() {
  threads_.push_always([this] { go_on(); });
  MutexLock lock(mutex_);
  while (!ended_) changed_.wait(lock);
}

void Turns::go_on() {
  for (;;) {
    Step step = source_.next();
    if (step.ended) break;
    if (!step.work) continue;
    // This thread asks the source, so one more than those with work is in use.
    const bool others_free = under_way_.fetch_add(1) + 1 < max_threads_;
    if (!others_free) {
      threads_.push_always([this, work = std::move(step.work)] {
        work()();
        under_way_.fetch_sub(1);
      });
      continue;
    }
    hand_over(step.more);
    const Last last = step.work();
    const bool asks_again = take_back();
    last();
    under_way_.fetch_sub(1);
    if (!asks_again && !stand_by()) return;
  }
  MutexLock lock(mutex_);
  ended_ = true;
  changed_.notify_all();
  source_.wake();
}

void Turns::hand_over(bool more) {
  {
    MutexLock lock(mutex_);
    vacant_ = standing_by_;
    if (standing_by_ && more) return source_.wake();
    if (standing_by_) return source_.alert();
  }
  threads_.push_always([this] { go_on(); });
}

bool Turns::take_back() {
  MutexLock lock(mutex_);
  if (!std::exchange(vacant_, false)) return false;
  source_.relax();
  return true;
}

bool Turns::stand_by() {
  {
    MutexLock lock(mutex_);
    // Where threads are scarce they are for work that waits.
    if (ended_ || standing_by_ || under_way_.load() >= max_threads_ / 2) return false;
    standing_by_ = true;
  }
  for (;;) {
    source_.stand_by();
    MutexLock lock(mutex_);
    if (!ended_ && !vacant_) continue;
    standing_by_ = false;
    return std::exchange(vacant_, false) && !ended_;
  }
}

}  // namespace holdfast
