#include "storage/sqlite/publisher.h"

#include <utility>

#include <pthread.h>

namespace holdfast::storage::sqlite {

void Publisher::add(CommitListener& listener) {
  const MutexLock lock(listeners_mutex_);
  listeners_.push_back(&listener);
  has_listeners_.store(true, std::memory_order_release);
}

void Publisher::remove(CommitListener& listener) {
  const MutexLock lock(listeners_mutex_);
  std::erase(listeners_, &listener);
  has_listeners_.store(!listeners_.empty(), std::memory_order_release);
}

bool Publisher::is_this_thread() const {
  return std::this_thread::get_id() == thread_id_.load(std::memory_order_relaxed);
}

void Publisher::await_told(MutexLock& lock) {
  while (telling_) told_.wait(lock);
}

void Publisher::tell(const Effects& effects) {
  {
    MutexLock lock(mutex_);
    await_told(lock);
  }
  tell_listeners(effects, nullptr);
}

void Publisher::tell_meanwhile(Effects effects, std::shared_ptr<WriteBatch> batch) {
  {
    MutexLock lock(mutex_);
    await_told(lock);
    next_ = Publication{std::move(effects), std::move(batch)};
    telling_ = true;
  }
  if (thread_.joinable()) {
    handed_over_.notify_one();
  } else {
    thread_ = std::thread([this] { loop(); });
  }
}

void Publisher::close() {
  {
    const MutexLock lock(mutex_);
    closed_ = true;
  }
  handed_over_.notify_one();
  if (thread_.joinable()) thread_.join();
}

std::optional<Publisher::Publication> Publisher::take() {
  MutexLock lock(mutex_);
  while (!next_ && !closed_) handed_over_.wait(lock);
  return std::exchange(next_, std::nullopt);
}

void Publisher::loop() noexcept {
  pthread_setname_np(pthread_self(), "hf-publisher");
  thread_id_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  while (const auto publication = take()) {
    tell_listeners(publication->effects, publication->batch.get());
    {
      const MutexLock lock(mutex_);
      telling_ = false;
    }
    told_.notify_one();
    publication->batch->answered.set();
  }
}

void Publisher::tell_listeners(const Effects& effects, WriteBatch* batch) {
  const MutexLock lock(listeners_mutex_);
  for (const Portion& portion : effects.portions) {
    for (CommitListener* listener : listeners_) listener->on_commit(portion.changes);
    if (batch != nullptr && &portion != &effects.portions.back())
      batch->answered.set_first(portion.writes);
  }
  if (!effects.jobs) return;
  for (CommitListener* listener : listeners_) listener->on_jobs();
}

}  // namespace holdfast::storage::sqlite
