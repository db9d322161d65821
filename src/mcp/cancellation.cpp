#include "mcp/cancellation.h"

#include <utility>

namespace holdfast::mcp {

void Cancellation::cancel() {
  std::vector<std::function<void()>> listeners;
  {
    MutexLock lock(mutex_);
    if (cancelled_) return;
    cancelled_ = true;
    listeners = std::move(listeners_);
    changed_.notify_all();
  }
  for (const auto& listener : listeners) listener();
}

bool Cancellation::cancelled() const {
  MutexLock lock(mutex_);
  return cancelled_;
}

void Cancellation::on_cancel(std::function<void()> listener) {
  {
    MutexLock lock(mutex_);
    if (!cancelled_) {
      listeners_.push_back(std::move(listener));
      return;
    }
  }
  listener();
}

void Cancellation::wait_until(Deadline deadline, const std::function<bool()>& done) {
  MutexLock lock(mutex_);
  while (!cancelled_ && !done()) {
    if (!changed_.wait_until(lock, deadline)) return;
  }
}

void Cancellation::wake() {
  MutexLock lock(mutex_);
  changed_.notify_all();
}

std::shared_ptr<Cancellation> InFlight::begin(const std::string& id_key) {
  auto request = std::make_shared<Cancellation>();
  MutexLock lock(mutex_);
  requests_[id_key] = request;
  return request;
}

void InFlight::end(const std::string& id_key, const std::shared_ptr<Cancellation>& request) {
  MutexLock lock(mutex_);
  const auto it = requests_.find(id_key);
  if (it != requests_.end() && it->second == request) requests_.erase(it);
}

bool InFlight::cancel(const std::string& id_key) {
  std::shared_ptr<Cancellation> request;
  {
    MutexLock lock(mutex_);
    const auto it = requests_.find(id_key);
    if (it == requests_.end()) return false;
    request = it->second;
  }
  request->cancel();
  return true;
}

void InFlight::cancel_all() {
  std::vector<std::shared_ptr<Cancellation>> all;
  {
    MutexLock lock(mutex_);
    for (const auto& [id, request] : requests_) all.push_back(request);
  }
  for (const auto& request : all) request->cancel();
}

bool InFlight::empty() const {
  MutexLock lock(mutex_);
  return requests_.empty();
}

}  // namespace holdfast::mcp
