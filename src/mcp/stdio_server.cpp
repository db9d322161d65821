#include "mcp/stdio_server.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "mcp/protocol.h"

namespace holdfast::mcp {
namespace {

constexpr size_t kMaxUnderWay = 1000;

// Methods that may wait for storage, the network or the client.
bool may_take_long(std::string_view method) {
  return method == "tools/call" || method == "resources/read" || method == "prompts/get" ||
         method == "completion/complete";
}

class LineOutlet : public Outlet {
 public:
  explicit LineOutlet(const StdioServer::Write& write) : write_(write) {}
  bool send(const Value& message) override {
    write_(message);
    return true;
  }

 private:
  const StdioServer::Write& write_;
};

RpcError no_batches_before_agreeing() {
  return invalid_request("Several messages at once are only taken after agreeing on 2025-03-26.");
}

RpcError no_handshake() {
  return invalid_params(
      "Begin with 'initialize', or send modern request metadata in params._meta.");
}

}  // namespace

StdioServer::StdioServer(ServerParts parts, CallContext call, Write write)
    : parts_(std::move(parts)),
      call_(std::move(call)),
      write_(std::move(write)),
      methods_(parts_.registry, parts_.clock),
      modern_(parts_.registry, methods_, parts_.changes, parts_.identity),
      session_era_(parts_.registry, methods_, parts_.changes, parts_.identity),
      session_(std::make_shared<Session>("stdio", call_.principal, parts_.clock)) {}

StdioServer::~StdioServer() { session_->close(); }

StdioServer::Work StdioServer::line(std::string_view text) {
  if (trim_space(text).empty()) return {};
  auto json = read_json_text(text);
  if (!json) return say(Answer::failure({}, json.error())), Work();
  if (auto* elements = json->if_array()) return batch(std::move(*elements));
  auto read = read_message(std::move(*json));
  // Without its id: a message of wrong shape is no request that could be answered.
  if (!read) return say(Answer::failure({}, read.error().error)), Work();
  return message(std::move(*read));
}

void StdioServer::line_too_long() {
  say(Answer::failure(
      {}, invalid_request(fmt::format("A line may have at most {} bytes.", kMaxLineBytes))));
}

StdioServer::Work StdioServer::message(Message message) {
  switch (message.kind) {
    case Message::Kind::kRequest: return request(std::move(message));
    case Message::Kind::kNotification: notification(message); break;
    case Message::Kind::kResponse: session_->deliver(std::move(message)); break;
  }
  return {};
}

StdioServer::Work StdioServer::request(Message message) {
  if (is_modern_message(message, {})) return modern_request(std::move(message));
  if (message.method == "initialize") return initialize(message), Work();
  const bool open = session_->revision().has_value();
  if (!open && message.method != "ping")
    return say(Answer::failure(message.id, no_handshake())), Work();
  const auto cancellation = session_->in_flight().begin(id_key(message.id));
  const std::string method = message.method;
  return run(method, [this, message = std::move(message), call = next_call(), cancellation] {
    LineOutlet outlet(write_);
    return say_last(session_era_.request({.call = call,
                                          .message = message,
                                          .session = session_,
                                          .outlet = outlet,
                                          .cancellation = cancellation}));
  });
}

void StdioServer::initialize(const Message& message) {
  if (session_->revision()) {
    return say(Answer::failure(message.id, invalid_request("The session has begun already.")));
  }
  if (const auto error = session_era_.check_initialize(message))
    return say(Answer::failure(message.id, *error));
  say(session_era_.begin(message, *session_));
  session_era_.open_stream(session_)->attach(write_, {});
}

void StdioServer::notification(const Message& message) {
  session_era_.notification(message, *session_);
}

StdioServer::Work StdioServer::modern_request(Message message) {
  if (message.method == "subscriptions/listen") return listen(message), Work();
  const std::string key = id_key(message.id);
  const auto cancellation = session_->in_flight().begin(key);
  const std::string method = message.method;
  return run(method, [this, message = std::move(message), key, cancellation, call = next_call()] {
    LineOutlet outlet(write_);
    Answer answer = modern_.answer(
        {.call = call, .message = message, .outlet = outlet, .cancellation = cancellation});
    session_->in_flight().end(key, cancellation);
    return say_last(std::move(answer));
  });
}

void StdioServer::listen(const Message& message) {
  const std::string key = id_key(message.id);
  const auto cancellation = session_->in_flight().begin(key);
  LineOutlet outlet(write_);
  const Answer answer = modern_.answer(
      {.call = next_call(), .message = message, .outlet = outlet, .cancellation = cancellation});
  if (!answer.stream) {
    session_->in_flight().end(key, cancellation);
    return say(answer);
  }
  {
    MutexLock lock(mutex_);
    std::erase_if(subscriptions_, [](const Answer& a) { return !a.stream->is_open(); });
    subscriptions_.push_back(answer);
  }
  answer.stream->attach(write_, {});
  cancellation->on_cancel([this, stream = answer.stream, key, weak = std::weak_ptr(cancellation)] {
    stream->close();
    session_->in_flight().end(key, weak.lock());
  });
}

StdioServer::Work StdioServer::batch(Value::Array elements) {
  const auto revision = session_->revision();
  if (!revision || !has_batches(*revision))
    return say(Answer::failure({}, no_batches_before_agreeing())), Work();
  if (elements.empty())
    return say(Answer::failure({}, invalid_request("A batch needs at least one message."))), Work();
  return run("tools/call", [this, elements = std::move(elements), call = next_call()] {
    Value responses = Value::array();
    for (const Value& element : elements) {
      Answer answer = batch_element(call, element);
      if (!answer.body.is_null()) responses.push(std::move(answer.body));
    }
    if (responses.if_array()->empty()) return say_last({});
    return say_last({.body = std::move(responses)});
  });
}

Answer StdioServer::batch_element(const CallContext& call, const Value& element) {
  const auto message = read_message(element);
  if (!message) return Answer::failure({}, message.error().error);
  if (message->kind == Message::Kind::kRequest) {
    if (message->method == "initialize" || is_modern_message(*message, {})) {
      return Answer::failure(message->id,
                             invalid_request("This message cannot be part of a batch."));
    }
    ClosedOutlet nowhere;
    return session_era_.request({.call = call,
                                 .message = *message,
                                 .session = session_,
                                 .outlet = nowhere,
                                 .cancellation = session_->in_flight().begin(id_key(message->id))});
  }
  if (message->kind == Message::Kind::kNotification) {
    notification(*message);
  } else {
    session_->deliver(*message);
  }
  return Answer::accepted();
}

CallContext StdioServer::next_call() {
  CallContext call = call_;
  call.request_id = fmt::format("{}-{}", call_.request_id, ++last_call_);
  call.deadline = std::chrono::steady_clock::now() + kCallLimit;
  return call;
}

void StdioServer::say(const Answer& answer) {
  if (!answer.body.is_null()) write_(answer.body);
}

StdioServer::Last StdioServer::say_last(Answer answer) {
  return [this, answer = std::move(answer)] { say(answer); };
}

StdioServer::Work StdioServer::run(const std::string& method, Work work) {
  if (!may_take_long(method)) return work()(), Work();
  {
    MutexLock lock(mutex_);
    while (running_ >= kMaxUnderWay) idle_.wait(lock);
    ++running_;
  }
  return [this, work = std::move(work)] {
    return [this, last = work()] {
      last();
      MutexLock lock(mutex_);
      --running_;
      idle_.notify_all();
    };
  };
}

bool StdioServer::wait_idle(Deadline deadline) {
  MutexLock lock(mutex_);
  while (running_ > 0) {
    if (!idle_.wait_until(lock, deadline)) return running_ == 0;
  }
  return true;
}

void StdioServer::finish(std::chrono::milliseconds grace) {
  session_->stop_asking();
  const bool idle = wait_idle(std::chrono::steady_clock::now() + grace);
  std::vector<Answer> open;
  {
    MutexLock lock(mutex_);
    open = std::move(subscriptions_);
  }
  for (const Answer& answer : open) {
    if (!answer.stream->is_open()) continue;
    answer.stream->close();
    for (const Value& message : answer.farewell) write_(message);
  }
  session_->close();
  if (!idle) wait_idle(std::chrono::steady_clock::now() + grace);
}

}  // namespace holdfast::mcp
