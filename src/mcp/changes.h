// Telling clients that something changed: a list of tools, prompts or resources, or one resource.
//
// A Subscription is a stream that stays open after its request: a modern subscriptions/listen, or
// the standing stream of a session. Changes is where whoever changes something says so.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "model/label.h"
#include "model/value.h"

namespace holdfast::mcp {

enum class ChangedList { kTools, kPrompts, kResources };

// What a subscription wants to hear.
struct ChangeFilter {
  bool tools = false;
  bool prompts = false;
  bool resources = false;
  std::function<bool(const std::string& uri)> updates = {};  // of which resources; none: of none
};

// Thread-safe. Shared by Changes and the carrier that sends.
class Subscription {
 public:
  using Send = std::function<void(const Value& message)>;

  // `id` is the request's, with which every message is tagged; null for a session's stream.
  Subscription(ChangeFilter filter, Value id) : filter_(std::move(filter)), id_(std::move(id)) {}

  // From now on messages go to `send`, in order, beginning with those that came before. `ended` is
  // called once if the server ends the stream. Neither may call back.
  void attach(Send send, std::function<void()> ended);
  // Sends, or keeps until there is a carrier.
  void push(Value message);
  // The server ends the stream (a newer one replaces it, its session is deleted).
  void end();
  // The stream is over for the carrier; nothing is sent any more.
  void close();
  bool is_open() const;
  // Runs `listener` when the stream is over, whoever ended it. Before others have the object.
  void on_closed(std::function<void()> listener) { closed_ = std::move(listener); }

  const ChangeFilter& filter() const { return filter_; }
  const Value& id() const { return id_; }
 private:
  friend class Changes;

  const ChangeFilter filter_;
  const Value id_;
  std::function<void()> forget_;  // both set before anybody else has the object
  std::function<void()> closed_;
  mutable Mutex mutex_;
  Send send_ HOLDFAST_GUARDED_BY(mutex_);
  std::function<void()> ended_ HOLDFAST_GUARDED_BY(mutex_);
  std::vector<Value> waiting_ HOLDFAST_GUARDED_BY(mutex_);
  bool open_ HOLDFAST_GUARDED_BY(mutex_) = true;
};

// Thread-safe.
class Changes {
 public:
  Changes() : state_(std::make_shared<State>()) {}

  // For whoever changes something.
  void list_changed(ChangedList list);
  void resource_updated(const std::string& uri);

  // A modern subscription, which hears everything from now on, behind `first`. nullptr if the
  // principal has too many already.
  std::shared_ptr<Subscription> subscribe(const PrincipalId& principal, ChangeFilter filter,
                                          Value id, Value first);
  // The stream of a session.
  std::shared_ptr<Subscription> open_stream(ChangeFilter filter);

  size_t open() const;

 private:
  struct Entry {
    PrincipalId principal = {};  // empty for sessions
    std::shared_ptr<Subscription> subscription = {};
  };
  // Shared with the subscriptions, which may be closed after this object is gone.
  struct State {
    mutable Mutex mutex = {};
    int64_t last HOLDFAST_GUARDED_BY(mutex) = 0;
    std::map<int64_t, Entry> entries HOLDFAST_GUARDED_BY(mutex) = {};
  };

  std::shared_ptr<Subscription> add(const PrincipalId& principal,
                                    std::shared_ptr<Subscription> subscription);
  std::vector<std::shared_ptr<Subscription>> all() const;

  const std::shared_ptr<State> state_;
};

// Params of a notification on a subscription: tagged with its id, unless that is null.
Value tagged(Value params, const Value& subscription_id);

}  // namespace holdfast::mcp
