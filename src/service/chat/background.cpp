#include "service/chat/background.h"

namespace holdfast::service::chat {

bool Background::post(std::function<void()> work) {
  MutexLock lock(mutex_);
  if (stopped_ || waiting_.size() >= most_waiting_) return false;
  waiting_.push_back(std::move(work));
  if (idle_ < waiting_.size() && threads_.size() < most_threads_)
    threads_.emplace_back([this] { loop(); });
  wake_.notify_one();
  return true;
}

std::function<void()> Background::take() {
  MutexLock lock(mutex_);
  ++idle_;
  while (!stopped_ && waiting_.empty()) wake_.wait(lock);
  --idle_;
  if (stopped_) return {};
  std::function<void()> work = std::move(waiting_.front());
  waiting_.pop_front();
  return work;
}

void Background::loop() {
  while (const std::function<void()> work = take()) work();
}

void Background::stop() {
  std::vector<std::thread> threads;
  {
    MutexLock lock(mutex_);
    stopped_ = true;
    waiting_.clear();
    threads.swap(threads_);
    wake_.notify_all();
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace holdfast::service::chat
