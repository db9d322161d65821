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

void Publisher::stop_expecting(MutexLock& lock) {
  expected_.clear();
  while (expecting_) told_.wait(lock);
}

void Publisher::expect(std::span<const Change> changes) {
  {
    const MutexLock lock(mutex_);
    expected_.push_back(changes);
  }
  start();
}

void Publisher::forget_expected() {
  {
    MutexLock lock(mutex_);
    await_told(lock);
    stop_expecting(lock);
  }
  const MutexLock lock(listeners_mutex_);
  for (CommitListener* listener : listeners_) listener->forget_expected();
}

void Publisher::tell(const Effects& effects) {
  {
    MutexLock lock(mutex_);
    await_told(lock);
    stop_expecting(lock);
  }
  tell_listeners(effects, nullptr);
}

void Publisher::tell_meanwhile(Effects effects, std::shared_ptr<WriteBatch> batch) {
  {
    MutexLock lock(mutex_);
    await_told(lock);
    expected_.clear();  // those of this commit: they are told of it at once
    next_ = Publication{std::move(effects), std::move(batch)};
    telling_ = true;
  }
  start();
}

void Publisher::start() {
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

std::optional<Publisher::Task> Publisher::take() {
  MutexLock lock(mutex_);
  while (!next_ && expected_.empty() && !closed_) handed_over_.wait(lock);
  if (next_) return Task{.publication = std::exchange(next_, std::nullopt)};
  if (expected_.empty()) return std::nullopt;
  const Task task{.expected = expected_.front()};
  expected_.pop_front();
  expecting_ = true;
  return task;
}

void Publisher::loop() noexcept {
  pthread_setname_np(pthread_self(), "hf-publisher");
  thread_id_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  while (const auto task = take()) {
    if (task->publication) {
      publish(*task->publication);
    } else {
      tell_to_expect(task->expected);
    }
  }
}

void Publisher::publish(const Publication& publication) {
  tell_listeners(publication.effects, publication.batch.get());
  {
    const MutexLock lock(mutex_);
    telling_ = false;
  }
  told_.notify_all();
  publication.batch->answered.set();
}

void Publisher::tell_to_expect(std::span<const Change> changes) {
  {
    const MutexLock lock(listeners_mutex_);
    for (CommitListener* listener : listeners_) listener->expect(changes);
  }
  {
    const MutexLock lock(mutex_);
    expecting_ = false;
  }
  told_.notify_all();
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
