#include "surface/native/journal_events.h"

#include <algorithm>
#include <utility>

#include "model/json_text.h"
#include "surface/native/encode.h"

namespace holdfast::surface::native {
namespace {

constexpr int64_t kBatch = 100;
constexpr std::chrono::seconds kBatchLimit{30};

}  // namespace

JournalEvents::JournalEvents(CallContext call, JournalPosition after, StillAllowed still_allowed,
                             service::ObjectService& objects, service::EventHub& hub)
    : call_(std::move(call)),
      still_allowed_(std::move(still_allowed)),
      objects_(objects),
      hub_(hub),
      after_(after) {}

http::EventSource::Pull JournalEvents::pull(std::vector<http::Event>& out) {
  if (stopped_ || !still_allowed_()) return Pull::kEnd;
  call_.deadline = std::chrono::steady_clock::now() + kBatchLimit;
  const auto page = objects_.journal(call_, {.after = after_, .limit = kBatch});
  if (!page) return Pull::kEnd;
  for (const auto& entry : page->entries) {
    out.push_back({.id = std::to_string(entry.position),
                   .event = entry.action,
                   .data = to_json(encode_entry(entry))});
    after_ = entry.position;
  }
  if (page->entries.size() == static_cast<size_t>(kBatch)) return Pull::kMore;
  // What is hidden from the reader has been passed too, and is not looked through again.
  after_ = std::max(after_, page->position);
  return Pull::kWait;
}

void JournalEvents::set_wake(std::function<void()> wake) {
  MutexLock lock(mutex_);
  wake_ = wake;
  subscription_ = hub_.subscribe(call_.viewer.space, std::move(wake));
}

void JournalEvents::stop() {
  stopped_ = true;
  MutexLock lock(mutex_);
  if (wake_) wake_();
}

void JournalEvents::closed() {
  int64_t subscription = 0;
  {
    MutexLock lock(mutex_);
    subscription = std::exchange(subscription_, 0);
  }
  if (subscription != 0) hub_.unsubscribe(subscription);
}

}  // namespace holdfast::surface::native
