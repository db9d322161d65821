// The bytes of one connection: plain or TLS, over TCP or a Unix socket. Private to http/: includes
// Asio.
//
// Owned by one thread at a time: the IO thread while an operation is under way, whoever holds the
// request otherwise. Callbacks run on the IO thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>

namespace holdfast::http {

using ErrorCodeOf = boost::system::error_code;
using Socket = boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol,
                                                boost::asio::io_context::executor_type>;

class Channel {
 public:
  using Done = std::function<void(ErrorCodeOf, size_t)>;

  virtual ~Channel() = default;

  // The TLS handshake, or nothing.
  virtual void open(Done done) = 0;
  virtual void read(std::span<char> to, Done done) = 0;
  // Writes everything; `bytes` must stay until done.
  virtual void write(std::string_view bytes, Done done) = 0;
  // Writes what the system takes at once, without waiting: how much of both together. Nothing if
  // the connection is broken.
  virtual std::optional<size_t> write_now(std::string_view head, std::string_view body) = 0;
  // Says to the peer that nothing more will be written.
  virtual void finish(Done done) = 0;
  // Ends both directions; operations under way fail. Touches only the descriptor, so any thread may
  // call it.
  void abort() const;
  // The peer has closed its side. Any thread may ask; costs a system call.
  bool is_peer_gone() const;

  const boost::asio::io_context::executor_type& executor() const { return executor_; }

 protected:
  Channel(const boost::asio::io_context::executor_type& executor, int descriptor)
      : executor_(executor), descriptor_(descriptor) {}

 private:
  const boost::asio::io_context::executor_type executor_;
  const int descriptor_;
};

std::unique_ptr<Channel> make_plain_channel(Socket socket);
std::unique_ptr<Channel> make_tls_channel(Socket socket, boost::asio::ssl::context& context);

}  // namespace holdfast::http
