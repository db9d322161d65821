#include "http/session.h"

#include <utility>

#include "http/reply_writer.h"
#include "wire/transport.h"

namespace holdfast::http {
namespace {

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr size_t kBodyBytesPerSecond = size_t{100} * 1024;
constexpr size_t kMaxDiscarded = size_t{64} * 1024 * 1024;
// Bodies up to this size are joined with the head, so that what is left of a partial write is one
// piece.
constexpr size_t kJoinedBody = size_t{16} * 1024;

Error overloaded() {
  Error error = wire::transport_error(
      ErrorCode::kUnavailable, wire::reason::kOverloaded,
      "The server has more requests than it can take now; repeat this in a moment.");
  error.retry_after_seconds = 1;
  return error;
}

Error timed_out() {
  return wire::transport_error(ErrorCode::kDeadlineExceeded, wire::reason::kRequestTimeout,
                               "The request did not arrive in time.");
}

}  // namespace

void SessionList::add(Session* session) {
  MutexLock lock(mutex_);
  sessions_.insert(session);
}

void SessionList::remove(Session* session) {
  MutexLock lock(mutex_);
  sessions_.erase(session);
}

std::vector<std::shared_ptr<Session>> SessionList::all() const {
  MutexLock lock(mutex_);
  std::vector<std::shared_ptr<Session>> found;
  found.reserve(sessions_.size());
  for (Session* session : sessions_) {
    if (auto held = session->weak_from_this().lock()) found.push_back(std::move(held));
  }
  return found;
}

Session::Session(std::unique_ptr<Channel> channel, SessionHost& host, SessionList& list, Peer peer)
    : channel_(std::move(channel)),
      host_(host),
      list_(list),
      peer_(std::move(peer)),
      reader_(host.settings.header_limit),
      deadline_(TimePoint::max().time_since_epoch().count()) {
  host_.connections.fetch_add(1);
}

Session::~Session() {
  release_stream();
  list_.remove(this);
  MutexLock lock(host_.mutex);
  host_.connections.fetch_sub(1);
  host_.gone.notify_all();
}

void Session::enter(Phase phase, std::chrono::milliseconds limit) {
  const TimePoint until =
      limit.count() > 0 ? std::chrono::steady_clock::now() + limit : TimePoint::max();
  deadline_.store(until.time_since_epoch().count());
  phase_.store(phase);
}

void Session::start() {
  list_.add(this);
  enter(Phase::kHeaders, host_.settings.header_timeout);
  channel_->open([self = shared_from_this()](ErrorCodeOf ec, size_t) {
    if (!ec) self->run(false);
  });
}

void Session::turn_away() {
  list_.add(this);
  Request unread;
  unread.peer_address = peer_.address;
  refused_ = true;
  send(host_.pipeline.refuse(unread, overloaded()));
}

// Reads requests and answers them until bytes are missing, a worker takes over, or the connection
// ends.
void Session::run(bool on_worker) {
  while (true) {
    switch (reader_.advance()) {
      case RequestReader::State::kMore: return read_more();
      case RequestReader::State::kHeadersDone:
        if (take_headers()) continue;
        break;
      case RequestReader::State::kDone: break;
      case RequestReader::State::kFailed:
        refused_ = true;
        if (reader_.error().reason == wire::reason::kBodyTooLarge) {
          // The surface decides what is said first: perhaps that the caller is not known at all.
          reader_.request().body_too_large = true;
          break;
        }
        send(host_.pipeline.refuse(reader_.request(), reader_.error()));
        return;
    }
    const bool inline_answer =
        on_worker || (match_.route != nullptr && match_.route->options.quick);
    if (!inline_answer && hand_over()) return;
    Reply reply = inline_answer ? handle() : host_.pipeline.refuse(reader_.request(), overloaded());
    if (!send(std::move(reply)) || !next()) return;
  }
}

// What the headers decide. False if the body will not be read.
bool Session::take_headers() {
  Request& request = reader_.request();
  request.peer_address = peer_.address;
  request.local_process = peer_.local_process;
  match_ = host_.pipeline.match(request);
  const size_t limit = match_.route != nullptr
                           ? match_.route->options.body_limit.value_or(match_.mount->body_limit)
                           : match_.mount->body_limit;
  reader_.set_body_limit(limit);
  if (reader_.declares_more_than(limit)) {
    request.body_too_large = true;
    refused_ = true;
    return false;
  }
  if (match_.route != nullptr && match_.route->options.worth_reading) {
    request.path_parameters = match_.parameters;
    refused_ = !match_.route->options.worth_reading(request);
    if (refused_) return false;
  }
  continue_ = reader_.expects_continue();
  return true;
}

// False if the write is under way and will read on by itself.
bool Session::send_continue() {
  continue_ = false;
  const size_t written = channel_->write_now(kContinue, {}).value_or(kContinue.size());
  if (written == kContinue.size()) return true;  // a broken connection shows at the next read
  channel_->write(kContinue.substr(written), [self = shared_from_this()](ErrorCodeOf ec, size_t) {
    if (!ec) self->read_more();
  });
  return false;
}

void Session::read_more() {
  if (continue_ && !send_continue()) return;
  const ServerSettings& settings = host_.settings;
  if (!reader_.has_begun()) {
    enter(Phase::kIdle, settings.idle_timeout);
  } else if (!reader_.headers_done()) {
    if (phase_.load() != Phase::kHeaders) enter(Phase::kHeaders, settings.header_timeout);
  } else {
    if (phase_.load() != Phase::kBody) body_began_ = std::chrono::steady_clock::now();
    const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - body_began_);
    const auto extra = std::chrono::seconds(reader_.request().body.size() / kBodyBytesPerSecond);
    const auto left = settings.body_timeout + extra - spent;
    enter(Phase::kBody, std::max<std::chrono::milliseconds>(left, std::chrono::milliseconds(1)));
  }
  if (host_.stopping.load() && phase_.load() == Phase::kIdle) abort();
  channel_->read(reader_.space(), [self = shared_from_this()](ErrorCodeOf ec, size_t count) {
    self->on_read(ec, count);
  });
}

void Session::on_read(ErrorCodeOf ec, size_t count) {
  if (ec) return;
  reader_.commit(count);
  run(false);
}

// To a worker; false if too many requests wait already.
bool Session::hand_over() {
  enter(Phase::kHandling, {});
  return host_.workers.push([self = shared_from_this()] {
    Reply reply = self->handle();
    if (self->send(std::move(reply)) && self->next()) self->run(true);
  });
}

Reply Session::handle() {
  enter(Phase::kHandling, {});
  Request& request = reader_.request();
  request.start_stream = [this](Reply reply) {
    return reply.events != nullptr && takes_stream() && begin_stream(std::move(reply));
  };
  request.is_connection_lost = [this] { return channel_->is_peer_gone(); };
  return host_.pipeline.handle(request, std::move(match_));
}

// True if everything went out and the connection stays; otherwise somebody else goes on, or it
// ends.
bool Session::send(Reply reply) {
  if (streaming_.load()) {
    // A handler that began a stream and then failed will not end it.
    if (!reply.already_streaming) stream_->source->stop();
    return false;
  }
  if (reply.events && takes_stream()) {
    if (begin_stream(std::move(reply))) return false;
    reply = host_.pipeline.refuse(reader_.request(), overloaded());
  } else if (reply.events) {
    reply.events->closed();
  }
  keep_alive_ = !refused_ && reader_.keep_alive() && !host_.stopping.load() && !reply.events;
  out_.clear();
  append_head(out_, reply, {.keep_alive = keep_alive_, .http_minor = reader_.request().http_minor});
  if (reader_.request().method == "HEAD") reply.body.clear();
  if (reply.body.size() <= kJoinedBody) {
    out_ += reply.body;
    reply.body.clear();
  }
  enter(Phase::kSending, host_.settings.write_timeout);
  const auto written = channel_->write_now(out_, reply.body);
  if (!written) return false;
  if (*written == out_.size() + reply.body.size()) return sent();
  out_ += reply.body;
  out_.erase(0, *written);
  channel_->write(out_, [self = shared_from_this()](ErrorCodeOf ec, size_t) {
    if (!ec && self->sent() && self->next()) self->run(false);
  });
  return false;
}

// True if the connection stays.
bool Session::sent() {
  if (keep_alive_) return true;
  linger();
  return false;
}

// Ready for the next request; false if the server stops and none is buffered.
bool Session::next() {
  reader_.next();
  match_ = {};
  if (out_.capacity() > 4 * kJoinedBody) out_ = {};
  phase_.store(Phase::kIdle);
  return true;
}

// Closing a socket with unread bytes makes the system drop what the client has not read yet. So say
// that nothing more comes, and read on for a moment.
void Session::linger() {
  enter(Phase::kClosing, host_.settings.linger);
  channel_->finish([self = shared_from_this()](ErrorCodeOf ec, size_t) {
    if (ec || !self->refused_) return self->abort();
    self->discard();
  });
}

void Session::discard() {
  if (out_.size() < kJoinedBody) out_.resize(kJoinedBody);
  channel_->read(out_, [self = shared_from_this()](ErrorCodeOf ec, size_t count) {
    if (ec) return;
    self->discarded_ += count;
    if (self->discarded_ < kMaxDiscarded) self->discard();
  });
}

void Session::sweep(TimePoint now) {
  if (streaming_.load()) return sweep_stream(now);
  if (now.time_since_epoch().count() < deadline_.load()) return;
  const Phase phase = phase_.load();
  if (phase == Phase::kHandling || phase == Phase::kStreaming) return;
  if (phase == Phase::kHeaders || phase == Phase::kBody) {
    // The session waits in a read that this thread would continue, so nobody else writes now.
    refused_ = true;
    Reply reply = host_.pipeline.refuse(reader_.request(), timed_out());
    std::string text;
    append_head(text, reply, {.keep_alive = false});
    static_cast<void>(channel_->write_now(text, reply.body));
  }
  abort();
}

void Session::stop() {
  if (streaming_.load()) {
    if (stream_) stream_->source->stop();
  } else if (phase_.load() == Phase::kIdle) {
    abort();
  }
}

}  // namespace holdfast::http
