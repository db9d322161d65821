#include "mcp/changes.h"

#include <utility>

#include "mcp/protocol.h"
#include "mcp/rpc.h"

namespace holdfast::mcp {
namespace {

struct ListNames {
  ChangedList list;
  bool ChangeFilter::*wanted;
  std::string_view notification;
};

constexpr ListNames kLists[] = {
    {ChangedList::kTools, &ChangeFilter::tools, "notifications/tools/list_changed"},
    {ChangedList::kPrompts, &ChangeFilter::prompts, "notifications/prompts/list_changed"},
    {ChangedList::kResources, &ChangeFilter::resources, "notifications/resources/list_changed"},
};

}  // namespace

void Subscription::attach(Send send, std::function<void()> ended) {
  MutexLock lock(mutex_);
  if (!open_) return;
  for (const Value& message : waiting_) send(message);
  waiting_.clear();
  send_ = std::move(send);
  ended_ = std::move(ended);
}

void Subscription::push(Value message) {
  MutexLock lock(mutex_);
  if (!open_) return;
  if (send_) {
    send_(message);
  } else {
    waiting_.push_back(std::move(message));
  }
}

void Subscription::end() {
  std::function<void()> ended;
  {
    MutexLock lock(mutex_);
    ended = std::move(ended_);
    ended_ = nullptr;
  }
  close();
  if (ended) ended();
}

void Subscription::close() {
  {
    MutexLock lock(mutex_);
    if (!open_) return;
    open_ = false;
    send_ = nullptr;
    ended_ = nullptr;
    waiting_.clear();
  }
  if (forget_) forget_();
  if (closed_) closed_();
}

bool Subscription::is_open() const {
  MutexLock lock(mutex_);
  return open_;
}

Value tagged(Value params, const Value& subscription_id) {
  if (subscription_id.is_null()) return params;
  params.set("_meta", Value::object({{std::string(meta::kSubscriptionId), subscription_id}}));
  return params;
}

void Changes::list_changed(ChangedList list) {
  for (const ListNames& names : kLists) {
    if (names.list != list) continue;
    for (const auto& subscription : all()) {
      if (subscription->filter().*names.wanted)
        subscription->push(notification_message(names.notification, tagged({}, subscription->id())));
    }
  }
}

void Changes::resource_updated(const std::string& uri) {
  for (const auto& subscription : all()) {
    const ChangeFilter& filter = subscription->filter();
    if (!filter.updates || !filter.updates(uri)) continue;
    subscription->push(
        notification_message("notifications/resources/updated",
                             tagged(Value::object({{"uri", uri}}), subscription->id())));
  }
}

std::shared_ptr<Subscription> Changes::subscribe(const PrincipalId& principal, ChangeFilter filter,
                                                 Value id, Value first) {
  auto subscription = std::make_shared<Subscription>(std::move(filter), std::move(id));
  subscription->push(std::move(first));
  return add(principal, std::move(subscription));
}

std::shared_ptr<Subscription> Changes::open_stream(ChangeFilter filter) {
  return add({}, std::make_shared<Subscription>(std::move(filter), Value()));
}

std::shared_ptr<Subscription> Changes::add(const PrincipalId& principal,
                                           std::shared_ptr<Subscription> subscription) {
  MutexLock lock(state_->mutex);
  size_t already = 0;
  for (const auto& [number, entry] : state_->entries) {
    if (!principal.empty() && entry.principal == principal) ++already;
  }
  if (already >= kMaxSubscriptions) return nullptr;
  const int64_t number = ++state_->last;
  subscription->forget_ = [weak = std::weak_ptr<State>(state_), number] {
    const auto state = weak.lock();
    if (!state) return;
    MutexLock inner(state->mutex);
    state->entries.erase(number);
  };
  state_->entries[number] = {.principal = principal, .subscription = subscription};
  return subscription;
}

std::vector<std::shared_ptr<Subscription>> Changes::all() const {
  MutexLock lock(state_->mutex);
  std::vector<std::shared_ptr<Subscription>> found;
  found.reserve(state_->entries.size());
  for (const auto& [number, entry] : state_->entries) found.push_back(entry.subscription);
  return found;
}

size_t Changes::open() const {
  MutexLock lock(state_->mutex);
  return state_->entries.size();
}

}  // namespace holdfast::mcp
