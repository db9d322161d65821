// A listening socket. Private to http/: includes Asio.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/result.h"
#include "http/server.h"

namespace holdfast::http {

// An accepted connection; whoever gets it owns the descriptor.
struct Accepted {
  int descriptor = -1;
  int family = 0;            // AF_INET, AF_INET6, AF_UNIX
  std::string address = {};  // of the peer, without its port
};

// A bound, listening descriptor. Owned by the caller.
Result<int> listen_tcp(const ListenAddress& address);
// Takes the place of a socket file that nobody listens on; refuses one that somebody does.
Result<int> listen_unix(const std::string& path);
uint16_t bound_port(int descriptor);

// Accepts on one descriptor until it is closed. Lives on its IO thread; kept alive by what it waits
// for.
class Listener : public std::enable_shared_from_this<Listener> {
 public:
  using OnAccept = std::function<void(Accepted)>;

  Listener(boost::asio::io_context& io, int descriptor, OnAccept on_accept);

  void start() { wait(); }
  // On the IO thread.
  void close();

 private:
  void wait();
  void accept_all();

  boost::asio::posix::stream_descriptor descriptor_;
  boost::asio::steady_timer pause_;
  const OnAccept on_accept_;
};

}  // namespace holdfast::http
