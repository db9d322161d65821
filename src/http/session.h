// One connection. Private to http/: includes Asio.
//
// A session is owned by one thread at a time. The IO thread reads and frames; the worker that
// answers also writes the reply if the system takes it at once, and begins the next read. An event
// stream stays on the IO thread. Whoever holds the session keeps it alive: pending operations and
// jobs hold shared pointers, and the last one closes the socket.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/mutex.h"
#include "base/worker_pool.h"
#include "http/channel.h"
#include "http/pipeline.h"
#include "http/request_reader.h"
#include "http/server.h"

namespace holdfast::http {

class Session;

// The sessions of one IO thread. Thread-safe.
class SessionList {
 public:
  void add(Session* session);
  void remove(Session* session);
  std::vector<std::shared_ptr<Session>> all() const;

 private:
  mutable Mutex mutex_;
  std::unordered_set<Session*> sessions_ HOLDFAST_GUARDED_BY(mutex_);
};

// What all sessions of a server share; outlives them.
struct SessionHost {
  const Pipeline& pipeline;
  const ServerSettings settings;
  WorkerPool workers;
  std::atomic<bool> stopping = false;
  std::atomic<size_t> connections = 0;
  std::atomic<size_t> streams = 0;
  Mutex mutex = {};  // with `gone`: a session went
  CondVar gone = {};
};

struct Peer {
  std::string address = {};
  bool local_process = false;
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  Session(std::unique_ptr<Channel> channel, SessionHost& host, SessionList& list, Peer peer);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start();
  // Answers 503 and closes: there are too many connections.
  void turn_away();

  // On the IO thread.
  void sweep(TimePoint now);
  void stop();
  void abort() const { channel_->abort(); }

 private:
  enum class Phase { kIdle, kHeaders, kBody, kHandling, kSending, kStreaming, kClosing };

  // Carries wakes of a source to the session's IO thread for as long as there is one: sources
  // outlive servers. Shared by the session and the source.
  struct Waker {
    Mutex mutex = {};
    bool alive HOLDFAST_GUARDED_BY(mutex) = true;
  };

  struct Stream {
    std::shared_ptr<EventSource> source = {};
    std::shared_ptr<Waker> waker = std::make_shared<Waker>();
    std::string out = {};
    char in[256] = {};  // what a reader sends is of no interest, only that it goes
    TimePoint written_at = {};
    bool chunked = true;
    bool writing = true;  // until the head is out
    bool pulling = false;
    bool wanted = false;    // a wake came while busy
    bool last = false;      // the source has ended
    bool over = false;      // so has the connection
    bool released = false;  // closed() was said
  };

  void run(bool on_worker);
  bool take_headers();
  void read_more();
  bool send_continue();
  void on_read(ErrorCodeOf ec, size_t count);
  bool hand_over();
  Reply handle();
  bool takes_stream() { return reader_.request().method != "HEAD"; }
  bool send(Reply reply);
  bool sent();
  bool next();
  void linger();
  void discard();
  void enter(Phase phase, std::chrono::milliseconds limit);

  // session_stream.cpp
  bool begin_stream(Reply reply);
  void open_stream();
  void watch_reader();
  void pump();
  void pulled(const std::vector<Event>& events, EventSource::Pull result);
  void write_stream();
  void stream_over();
  void release_stream();
  void sweep_stream(TimePoint now);

  const std::unique_ptr<Channel> channel_;
  SessionHost& host_;
  SessionList& list_;
  const Peer peer_;
  RequestReader reader_;
  RouteMatch match_;
  bool refused_ = false;    // the rest of the request will not be read
  bool continue_ = false;   // the client waits for 100
  bool keep_alive_ = true;  // of the reply being sent
  std::string out_;
  size_t discarded_ = 0;
  TimePoint body_began_ = {};
  std::unique_ptr<Stream> stream_;
  std::atomic<bool> streaming_ = false;
  std::atomic<Phase> phase_ = Phase::kIdle;
  std::atomic<TimePoint::rep> deadline_;
};

}  // namespace holdfast::http
