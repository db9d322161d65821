#include "surface/continuity/ui/pulse.h"

namespace holdfast::surface::continuity::ui {

Pulse::Pulse(std::chrono::milliseconds interval)
    : interval_(interval), thread_([this] { run(); }) {}

Pulse::~Pulse() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

int64_t Pulse::subscribe(std::function<void()> beat) {
  int64_t subscription = 0;
  {
    const MutexLock lock(mutex_);
    subscription = ++last_;
    beats_.emplace(subscription, std::move(beat));
  }
  changed_.notify_all();
  return subscription;
}

void Pulse::unsubscribe(int64_t subscription) {
  const MutexLock lock(mutex_);
  beats_.erase(subscription);
}

void Pulse::run() {
  MutexLock lock(mutex_);
  while (!stopping_) {
    if (beats_.empty()) {
      changed_.wait(lock);
      continue;
    }
    // A new listener does not put off the beat of the others.
    const auto next = std::chrono::steady_clock::now() + interval_;
    while (!stopping_ && std::chrono::steady_clock::now() < next) changed_.wait_until(lock, next);
    if (stopping_) break;
    for (const auto& [subscription, beat] : beats_) beat();
  }
}

}  // namespace holdfast::surface::continuity::ui
