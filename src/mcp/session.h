// One conversation of the session era: from `initialize` to DELETE, the idle limit, or the end of
// the process. Over stdio there is one for the whole process.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "mcp/cancellation.h"
#include "mcp/changes.h"
#include "mcp/client.h"
#include "mcp/revision.h"
#include "mcp/rpc.h"
#include "model/label.h"
#include "model/value.h"

namespace holdfast::mcp {

// Thread-safe.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(std::string id, PrincipalId principal, const Clock& clock)
      : id_(std::move(id)), principal_(std::move(principal)), clock_(clock) {
    touch();
  }

  const std::string& id() const { return id_; }
  const PrincipalId& principal() const { return principal_; }

  // The result of the handshake; once.
  void begin(Revision revision, Value capabilities);
  std::optional<Revision> revision() const;  // nothing before the handshake
  // The client has seen the result; from now on the server may ask.
  void set_initialized();
  bool client_can(std::string_view capability) const;

  void set_log_level(LogLevel level);
  LogLevel log_level() const;

  // False if there are too many: templates have no end of URIs.
  bool subscribe(const std::string& uri);
  void unsubscribe(const std::string& uri);
  bool is_subscribed(const std::string& uri) const;

  InFlight& in_flight() { return in_flight_; }

  // The standing stream; a newer one ends the older.
  void set_stream(std::shared_ptr<Subscription> stream);

  // Requests of the server to the client. open_ask makes an id, unique in the session; `waiter` is
  // woken when the answer is there. Nothing if the server may not ask (yet, or any more).
  std::optional<std::string> open_ask(std::shared_ptr<Cancellation> waiter);
  bool is_answered(const std::string& ask) const;
  // The answer, if it came; the ask is over.
  std::optional<Message> close_ask(const std::string& ask);
  // A response of the client; unknown ids are ignored.
  void deliver(Message response);

  // Waits for the client end without an answer, and no new ones begin.
  void stop_asking();
  // Ends everything: requests are cancelled, the stream closed.
  void close();
  // A request under way, or an open stream.
  bool is_busy() const;
  // Something of it was used, or came to an end, just now.
  void touch() { used_at_.store(to_micros(clock_.now())); }
  // Neither busy nor used for the idle limit.
  bool is_expired() const;

 private:
  struct Ask {
    std::shared_ptr<Cancellation> waiter = {};
    std::optional<Message> answer = {};
    bool given_up = false;
  };

  const std::string id_;
  const PrincipalId principal_;
  const Clock& clock_;
  std::atomic<int64_t> used_at_ = 0;
  InFlight in_flight_;
  mutable Mutex mutex_;
  std::optional<Revision> revision_ HOLDFAST_GUARDED_BY(mutex_);
  Value capabilities_ HOLDFAST_GUARDED_BY(mutex_);
  bool initialized_ HOLDFAST_GUARDED_BY(mutex_) = false;
  bool asking_over_ HOLDFAST_GUARDED_BY(mutex_) = false;
  LogLevel log_level_ HOLDFAST_GUARDED_BY(mutex_) = LogLevel::kInfo;
  std::set<std::string> subscribed_ HOLDFAST_GUARDED_BY(mutex_);
  std::shared_ptr<Subscription> stream_ HOLDFAST_GUARDED_BY(mutex_);
  int64_t last_ask_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  std::map<std::string, Ask> asks_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::mcp
