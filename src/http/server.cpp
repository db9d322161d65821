#include "http/server.h"

#include <algorithm>
#include <future>
#include <sys/socket.h>
#include <thread>
#include <utility>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <unistd.h>

#include "base/log.h"
#include "http/listener.h"
#include "http/session.h"
#include "http/tls.h"

namespace holdfast::http {
namespace asio = boost::asio;

namespace {

// Connections beyond the limit that are told so; further ones are just closed.
constexpr size_t kTurnedAway = 64;

// One thread with its event loop and its sessions.
struct IoLoop {
  SessionList sessions = {};  // before `io`, whose end is also that of its sessions
  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> work = asio::make_work_guard(io);
  asio::steady_timer timer{io};
  std::thread thread = {};
};

// Often enough that no time-out is late by more than a quarter of itself.
std::chrono::milliseconds sweep_interval(const ServerSettings& settings) {
  const auto shortest =
      std::min({settings.idle_timeout, settings.header_timeout, settings.body_timeout,
                settings.write_timeout, settings.heartbeat, settings.linger});
  return std::clamp<std::chrono::milliseconds>(shortest / 4, std::chrono::milliseconds(5),
                                               std::chrono::milliseconds(1000));
}

}  // namespace

struct Server::Parts {
  Parts(const Pipeline& pipeline, const ServerSettings& settings)
      : host{.pipeline = pipeline,
             .settings = settings,
             .workers = WorkerPool(settings.worker_threads, settings.max_waiting)} {
    for (size_t i = 0; i < std::max<size_t>(1, settings.io_threads); ++i)
      loops.push_back(std::make_unique<IoLoop>());
  }

  void add_listener(int descriptor, bool tls_allowed);
  void accept(const Accepted& accepted, bool tls_allowed);
  void sweep(IoLoop& loop);
  void run();
  // Runs on every IO thread, and returns when it has on all.
  void on_every_loop(const std::function<void(IoLoop&)>& action);
  bool wait_until_empty(std::chrono::milliseconds grace);

  SessionHost host;
  std::unique_ptr<asio::ssl::context> tls;
  std::vector<std::unique_ptr<IoLoop>> loops;        // after `host`: sessions die with their loop
  std::vector<std::shared_ptr<Listener>> listeners;  // shared with their pending waits
  size_t next_loop = 0;
  uint16_t port = 0;
  bool stopped = false;
};

void Server::Parts::add_listener(int descriptor, bool tls_allowed) {
  listeners.push_back(std::make_shared<Listener>(
      loops.front()->io, descriptor,
      [this, tls_allowed](const Accepted& accepted) { accept(accepted, tls_allowed); }));
}

void Server::Parts::accept(const Accepted& accepted, bool tls_allowed) {
  const size_t open = host.connections.load();
  const bool too_many = open >= host.settings.max_connections;
  const bool secure = tls && tls_allowed;
  if (open >= host.settings.max_connections + kTurnedAway || (too_many && secure)) {
    ::close(accepted.descriptor);
    return;
  }
  IoLoop& loop = *loops[next_loop++ % loops.size()];
  Socket socket(loop.io.get_executor());
  boost::system::error_code ec;
  socket.assign(asio::generic::stream_protocol(accepted.family, 0), accepted.descriptor, ec);
  if (ec) {
    ::close(accepted.descriptor);
    return;
  }
  // Asio then tries to read before it waits. Otherwise each read begun by a worker changes the
  // descriptor's entry in epoll, which wakes the loop for nothing.
  socket.non_blocking(true, ec);
  auto channel =
      secure ? make_tls_channel(std::move(socket), *tls) : make_plain_channel(std::move(socket));
  const auto session = std::make_shared<Session>(
      std::move(channel), host, loop.sessions,
      Peer{.address = accepted.address, .local_process = accepted.family == AF_UNIX});
  asio::post(loop.io, [session, too_many] { too_many ? session->turn_away() : session->start(); });
}

void Server::Parts::sweep(IoLoop& loop) {
  loop.timer.expires_after(sweep_interval(host.settings));
  loop.timer.async_wait([this, &loop](boost::system::error_code ec) {
    if (ec) return;
    const auto now = std::chrono::steady_clock::now();
    for (const auto& session : loop.sessions.all()) session->sweep(now);
    sweep(loop);
  });
}

void Server::Parts::run() {
  for (const auto& listener : listeners) listener->start();
  for (const auto& loop : loops) {
    sweep(*loop);
    loop->thread = std::thread([io = &loop->io] { io->run(); });
  }
}

void Server::Parts::on_every_loop(const std::function<void(IoLoop&)>& action) {
  for (const auto& loop : loops) {
    std::promise<void> done;
    asio::post(loop->io, [&action, &loop, &done] {
      action(*loop);
      done.set_value();
    });
    done.get_future().wait();
  }
}

bool Server::Parts::wait_until_empty(std::chrono::milliseconds grace) {
  const auto deadline = std::chrono::steady_clock::now() + grace;
  MutexLock lock(host.mutex);
  while (host.connections.load() > 0) {
    if (!host.gone.wait_until(lock, deadline)) return host.connections.load() == 0;
  }
  return true;
}

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Server::~Server() {
  try {
    stop(std::chrono::milliseconds(0));
  } catch (const std::exception& problem) {
    log::error("stop_failed", {{"detail", problem.what()}});
  }
}

Result<std::unique_ptr<Server>> Server::start(const Pipeline& pipeline,
                                              const ServerSettings& settings) {
  auto parts = std::make_unique<Parts>(pipeline, settings);
  if (!settings.tls_certificate.empty() || !settings.tls_key.empty()) {
    HOLDFAST_TRY(parts->tls, make_tls_context(settings.tls_certificate, settings.tls_key));
  }
  for (const ListenAddress& address : settings.listen) {
    HOLDFAST_TRY(const int descriptor, listen_tcp(address));
    if (parts->port == 0) parts->port = bound_port(descriptor);
    parts->add_listener(descriptor, true);
  }
  if (!settings.unix_socket.empty()) {
    HOLDFAST_TRY(const int descriptor, listen_unix(settings.unix_socket));
    parts->add_listener(descriptor, false);
  }
  parts->run();
  return std::unique_ptr<Server>(new Server(std::move(parts)));
}

uint16_t Server::port() const { return parts_->port; }
size_t Server::connections() const { return parts_->host.connections.load(); }
size_t Server::streams() const { return parts_->host.streams.load(); }
size_t Server::waiting() const { return parts_->host.workers.waiting(); }

void Server::stop(std::chrono::milliseconds grace) {
  Parts& parts = *parts_;
  if (parts.stopped) return;
  parts.stopped = true;
  parts.host.stopping = true;
  parts.on_every_loop([&parts](IoLoop& loop) {
    if (&loop == parts.loops.front().get()) {
      for (const auto& listener : parts.listeners) listener->close();
    }
    for (const auto& session : loop.sessions.all()) session->stop();
  });
  const std::string& unix_socket = parts.host.settings.unix_socket;
  if (!unix_socket.empty()) ::unlink(unix_socket.c_str());
  if (!parts.wait_until_empty(grace)) {
    if (grace.count() > 0) log::warn("connections_cut", {{"count", parts.host.connections.load()}});
    parts.on_every_loop([](IoLoop& loop) {
      for (const auto& session : loop.sessions.all()) session->abort();
    });
  }
  parts.host.workers.stop();
  for (const auto& loop : parts.loops) {
    loop->work.reset();
    loop->io.stop();
    loop->thread.join();
  }
}

}  // namespace holdfast::http
