#include "mcp/session.h"

#include <utility>

#include <fmt/format.h>

#include "mcp/protocol.h"

namespace holdfast::mcp {

void Session::begin(Revision revision, Value capabilities) {
  MutexLock lock(mutex_);
  revision_ = revision;
  capabilities_ = std::move(capabilities);
}

std::optional<Revision> Session::revision() const {
  MutexLock lock(mutex_);
  return revision_;
}

void Session::set_initialized() {
  MutexLock lock(mutex_);
  initialized_ = true;
}

bool Session::client_can(std::string_view capability) const {
  MutexLock lock(mutex_);
  const Value* declared = capabilities_.find(capability);
  return declared != nullptr && declared->is_object();
}

void Session::set_log_level(LogLevel level) {
  MutexLock lock(mutex_);
  log_level_ = level;
}

LogLevel Session::log_level() const {
  MutexLock lock(mutex_);
  return log_level_;
}

bool Session::subscribe(const std::string& uri) {
  MutexLock lock(mutex_);
  if (subscribed_.size() >= kMaxSubscribedResources && !subscribed_.contains(uri)) return false;
  subscribed_.insert(uri);
  return true;
}

void Session::unsubscribe(const std::string& uri) {
  MutexLock lock(mutex_);
  subscribed_.erase(uri);
}

bool Session::is_subscribed(const std::string& uri) const {
  MutexLock lock(mutex_);
  return subscribed_.contains(uri);
}

void Session::set_stream(std::shared_ptr<Subscription> stream) {
  if (stream) {
    stream->on_closed([weak = weak_from_this()] {
      if (const auto session = weak.lock()) session->touch();
    });
  }
  std::shared_ptr<Subscription> older;
  {
    MutexLock lock(mutex_);
    older = std::exchange(stream_, std::move(stream));
  }
  if (older) older->end();
}

std::optional<std::string> Session::open_ask(std::shared_ptr<Cancellation> waiter) {
  MutexLock lock(mutex_);
  if (!initialized_ || asking_over_) return std::nullopt;
  const std::string ask = fmt::format("server-{}", ++last_ask_);
  asks_[ask].waiter = std::move(waiter);
  return ask;
}

bool Session::is_answered(const std::string& ask) const {
  MutexLock lock(mutex_);
  const auto it = asks_.find(ask);
  return it == asks_.end() || it->second.answer || it->second.given_up;
}

std::optional<Message> Session::close_ask(const std::string& ask) {
  MutexLock lock(mutex_);
  const auto it = asks_.find(ask);
  if (it == asks_.end()) return std::nullopt;
  auto answer = std::move(it->second.answer);
  asks_.erase(it);
  return answer;
}

void Session::deliver(Message response) {
  std::shared_ptr<Cancellation> waiter;
  {
    MutexLock lock(mutex_);
    const std::string* id = response.id.if_string();
    const auto it = id != nullptr ? asks_.find(*id) : asks_.end();
    if (it == asks_.end()) return;
    waiter = it->second.waiter;
    it->second.answer = std::move(response);
  }
  waiter->wake();
}

void Session::stop_asking() {
  std::vector<std::shared_ptr<Cancellation>> waiters;
  {
    MutexLock lock(mutex_);
    asking_over_ = true;
    for (auto& [id, ask] : asks_) {
      ask.given_up = true;
      waiters.push_back(ask.waiter);
    }
  }
  for (const auto& waiter : waiters) waiter->wake();
}

void Session::close() {
  in_flight_.cancel_all();  // first: a request that only learns that nobody answers would say so
  stop_asking();
  set_stream(nullptr);
}

bool Session::is_busy() const {
  if (!in_flight_.empty()) return true;
  MutexLock lock(mutex_);
  return stream_ && stream_->is_open();
}

bool Session::is_expired() const {
  return clock_.now() - from_micros(used_at_.load()) > kSessionIdleLimit && !is_busy();
}

}  // namespace holdfast::mcp
