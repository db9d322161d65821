// The HTTP/1.1 server: listeners, connections, time-outs and threads around a Pipeline.
//
//   HOLDFAST_TRY(const auto server, http::Server::start(pipeline, {.listen = {{"127.0.0.1",
//   7070}}})); … server->port() … server->stop(std::chrono::seconds(10));
//
// One IO thread reads and frames requests; handlers run on the worker pool and write their small
// replies themselves, so a request costs one change of threads. Requests of one connection are
// answered one at a time, in order. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "http/pipeline.h"

namespace holdfast::http {

struct ListenAddress {
  std::string host = "127.0.0.1";  // a name or an address; the first address of a name is used
  uint16_t port = 0;               // 0: any free one
};

struct ServerSettings {
  std::vector<ListenAddress> listen = {};
  std::string unix_socket = {};      // a path; peers are trusted as local processes; mode 0600
  std::string tls_certificate = {};  // PEM files; both or none. The Unix socket never speaks TLS
  std::string tls_key = {};

  size_t io_threads = 1;
  size_t worker_threads = 64;  // durable writes wait for the disk; started as needed
  size_t max_waiting = 1024;   // requests that wait for a worker; beyond: 503
  size_t max_connections = 1024;
  size_t max_streams = 64;
  size_t header_limit = size_t{32} * 1024;

  std::chrono::milliseconds idle_timeout{75'000};  // between requests
  std::chrono::milliseconds header_timeout{
      15'000};  // from the first byte of a request to the end of its headers
  // For the body: this long, and a second more for every 100 KiB that came.
  std::chrono::milliseconds body_timeout{30'000};
  std::chrono::milliseconds write_timeout{30'000};  // for a reader to take a reply
  std::chrono::milliseconds heartbeat{15'000};      // a comment on event streams that are silent
  std::chrono::milliseconds linger{
      2'000};  // reading on after a refusal, so that the client gets to see it
};

class Server {
 public:
  // Listens when it returns. `pipeline` outlives the server.
  // Errors: kUnavailable for an address that is taken or not ours, kInvalidArgument for unusable
  // TLS files or paths; the message is one sentence for the operator.
  static Result<std::unique_ptr<Server>> start(const Pipeline& pipeline,
                                               const ServerSettings& settings);
  // Stops without grace.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Of the first address.
  uint16_t port() const;

  size_t connections() const;
  size_t streams() const;
  size_t waiting() const;

  // Stops accepting, closes idle connections, ends event streams, lets requests under way finish
  // for up to `grace`, then cuts the rest. Handlers still running are waited for. Safe to call
  // twice; not from a handler.
  void stop(std::chrono::milliseconds grace);

 private:
  struct Parts;  // keeps Asio out of this header
  explicit Server(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace holdfast::http
