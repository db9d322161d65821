#include "http/event_stream.h"

#include <string_view>
#include <utility>

namespace holdfast::http {
namespace {

constexpr size_t kBatchBytes = size_t{64} * 1024;

size_t size_of(const Event& event) {
  return event.id.size() + event.event.size() + event.data.size() + 32;
}

void append_line(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  for (const char c : value) {
    if (c != '\n' && c != '\r' && c != '\0') out += c;
  }
  out += '\n';
}

}  // namespace

void append_event(std::string& out, const Event& event) {
  if (!event.id.empty()) append_line(out, "id: ", event.id);
  if (!event.event.empty()) append_line(out, "event: ", event.event);
  if (event.retry > 0) append_line(out, "retry: ", std::to_string(event.retry));
  std::string_view data = event.data;
  while (true) {
    const size_t end = data.find('\n');
    append_line(out, "data: ", data.substr(0, end));
    if (end == std::string_view::npos) break;
    data.remove_prefix(end + 1);
  }
  out += '\n';
}

bool EventQueue::push(Event event) {
  std::function<void()> wake;
  bool kept = true;
  {
    MutexLock lock(mutex_);
    if (closed_ || finished_) return false;
    bytes_ += size_of(event);
    if (bytes_ > max_bytes_) {
      finished_ = true;
      events_.clear();
      kept = false;
    } else {
      events_.push_back(std::move(event));
    }
    wake = wake_;
  }
  if (wake) wake();
  return kept;
}

void EventQueue::finish() {
  std::function<void()> wake;
  {
    MutexLock lock(mutex_);
    finished_ = true;
    wake = wake_;
  }
  if (wake) wake();
}

bool EventQueue::is_closed() const {
  MutexLock lock(mutex_);
  return closed_;
}

void EventQueue::on_closed(std::function<void()> listener) {
  {
    MutexLock lock(mutex_);
    if (!closed_) {
      listeners_.push_back(std::move(listener));
      return;
    }
  }
  listener();
}

EventSource::Pull EventQueue::pull(std::vector<Event>& out) {
  MutexLock lock(mutex_);
  size_t taken = 0;
  while (!events_.empty() && taken < kBatchBytes) {
    const size_t size = size_of(events_.front());
    taken += size;
    bytes_ -= size;
    out.push_back(std::move(events_.front()));
    events_.pop_front();
  }
  if (!events_.empty()) return Pull::kMore;
  return finished_ ? Pull::kEnd : Pull::kWait;
}

void EventQueue::set_wake(std::function<void()> wake) {
  MutexLock lock(mutex_);
  wake_ = std::move(wake);
}

void EventQueue::closed() {
  std::vector<std::function<void()>> listeners;
  {
    MutexLock lock(mutex_);
    closed_ = true;
    events_.clear();
    wake_ = nullptr;
    listeners = std::move(listeners_);
    listeners_.clear();
  }
  for (const auto& listener : listeners) listener();
}

}  // namespace holdfast::http
