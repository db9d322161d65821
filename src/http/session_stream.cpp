// Event streams: everything here runs on the IO thread, except pulling, which may read from
// storage.
#include <utility>

#include <boost/asio/post.hpp>

#include "http/reply_writer.h"
#include "http/session.h"

namespace holdfast::http {
namespace {

constexpr std::string_view kHeartbeat = ": keep-alive\n\n";

}  // namespace

// Any thread that holds the session. False if there are too many streams.
bool Session::begin_stream(Reply reply) {
  if (host_.streams.fetch_add(1) >= host_.settings.max_streams || host_.stopping.load()) {
    host_.streams.fetch_sub(1);
    return false;
  }
  auto stream = std::make_unique<Stream>();
  stream->source = std::move(reply.events);
  stream->chunked = reader_.request().http_minor == 1;
  reply.events = stream->source;  // an event reply has no Content-Length
  append_head(stream->out, reply,
              {.keep_alive = false, .http_minor = 1, .chunked = stream->chunked});
  stream_ = std::move(stream);
  enter(Phase::kStreaming, {});
  streaming_.store(true);
  boost::asio::post(channel_->executor(), [self = shared_from_this()] { self->open_stream(); });
  return true;
}

void Session::open_stream() {
  stream_->source->set_wake(
      [weak = weak_from_this(), executor = channel_->executor(), waker = stream_->waker] {
        MutexLock lock(waker->mutex);
        if (!waker->alive) return;
        boost::asio::post(executor, [weak] {
          if (const auto self = weak.lock()) self->pump();
        });
      });
  if (host_.stopping.load()) stream_->source->stop();
  watch_reader();
  stream_->wanted = true;
  write_stream();
}

void Session::watch_reader() {
  channel_->read(stream_->in, [self = shared_from_this()](ErrorCodeOf ec, size_t) {
    if (ec) return self->stream_over();
    if (!self->stream_->over) self->watch_reader();
  });
}

// Asks the source for what is ready, unless that is going on.
void Session::pump() {
  Stream& stream = *stream_;
  if (stream.over || stream.last) return;
  if (stream.writing || stream.pulling) {
    stream.wanted = true;
    return;
  }
  stream.wanted = false;
  stream.pulling = true;
  const bool accepted =
      host_.workers.push_always([self = shared_from_this(), source = stream.source] {
        std::vector<Event> events;
        const EventSource::Pull result = source->pull(events);
        boost::asio::post(self->channel_->executor(), [self, events = std::move(events), result] {
          self->pulled(events, result);
        });
      });
  if (!accepted) {
    stream.pulling = false;
    stream_over();
  }
}

void Session::pulled(const std::vector<Event>& events, EventSource::Pull result) {
  Stream& stream = *stream_;
  stream.pulling = false;
  if (stream.over) return release_stream();
  std::string text;
  for (const Event& event : events) append_event(text, event);
  if (!text.empty() && stream.chunked) {
    append_chunk(stream.out, text);
  } else {
    stream.out += text;
  }
  stream.last = result == EventSource::Pull::kEnd;
  if (stream.last && stream.chunked) stream.out += kLastChunk;
  if (result == EventSource::Pull::kMore) stream.wanted = true;
  if (!stream.out.empty()) return write_stream();
  if (stream.last) return stream_over();
  if (stream.wanted) pump();
}

void Session::write_stream() {
  Stream& stream = *stream_;
  stream.writing = true;
  stream.written_at = std::chrono::steady_clock::now();
  enter(Phase::kStreaming, host_.settings.write_timeout);
  channel_->write(stream.out, [self = shared_from_this()](ErrorCodeOf ec, size_t) {
    Stream& done = *self->stream_;
    done.writing = false;
    done.out.clear();
    if (ec || done.last) return self->stream_over();
    if (done.wanted) self->pump();
  });
}

// The connection ends, and the source hears of it once no pull is under way.
void Session::stream_over() {
  if (stream_->over) return;
  stream_->over = true;
  abort();
  if (!stream_->pulling) release_stream();
}

void Session::release_stream() {
  if (!stream_ || stream_->released) return;
  stream_->released = true;
  {
    MutexLock lock(stream_->waker->mutex);
    stream_->waker->alive = false;
  }
  host_.streams.fetch_sub(1);
  stream_->source->closed();
}

void Session::sweep_stream(TimePoint now) {
  if (!stream_ || stream_->over) return;
  Stream& stream = *stream_;
  if (stream.writing) {
    // A reader that does not take what it asked for is not waited for.
    if (now.time_since_epoch().count() >= deadline_.load()) abort();
    return;
  }
  if (stream.pulling || now - stream.written_at < host_.settings.heartbeat) return;
  if (stream.chunked) {
    append_chunk(stream.out, kHeartbeat);
  } else {
    stream.out += kHeartbeat;
  }
  write_stream();
}

}  // namespace holdfast::http
