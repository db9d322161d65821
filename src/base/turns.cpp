#include "base/turns.h"

#include <limits>
#include <utility>

namespace holdfast {

Turns::Turns(size_t max_threads, Next next)
    : max_threads_(max_threads),
      next_(std::move(next)),
      threads_(max_threads, std::numeric_limits<size_t>::max()) {}

void Turns::run() {
  threads_.push_always([this] { go_on(); });
  MutexLock lock(mutex_);
  while (!ended_) changed_.wait(lock);
}

void Turns::go_on() {
  for (;;) {
    Step step = next_();
    if (step.ended) break;
    if (!step.work) continue;
    // This thread asks the source, so one more than those with work is in use.
    const bool others_free = under_way_.fetch_add(1) + 1 < max_threads_;
    Work work = [this, work = std::move(step.work)] {
      work();
      under_way_.fetch_sub(1);
    };
    if (!others_free) {
      threads_.push_always(std::move(work));
      continue;
    }
    threads_.push_always([this] { go_on(); });
    return work();
  }
  MutexLock lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

}  // namespace holdfast
