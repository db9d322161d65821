#include "http/channel.h"

#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

namespace holdfast::http {
namespace asio = boost::asio;

namespace {

class PlainChannel : public Channel {
 public:
  explicit PlainChannel(Socket socket)
      : Channel(socket.get_executor(), socket.native_handle()), socket_(std::move(socket)) {}

  void open(Done done) override {
    asio::post(executor(), [done = std::move(done)] { done({}, 0); });
  }
  void read(std::span<char> to, Done done) override {
    socket_.async_read_some(asio::buffer(to.data(), to.size()), std::move(done));
  }
  void write(std::string_view bytes, Done done) override {
    asio::async_write(socket_, asio::buffer(bytes.data(), bytes.size()), std::move(done));
  }
  std::optional<size_t> write_now(std::string_view head, std::string_view body) override {
    iovec parts[2] = {{const_cast<char*>(head.data()), head.size()},
                      {const_cast<char*>(body.data()), body.size()}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = body.empty() ? 1 : 2;
    while (true) {
      const ssize_t sent =
          ::sendmsg(socket_.native_handle(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent >= 0) return static_cast<size_t>(sent);
      if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
      if (errno != EINTR) return std::nullopt;
    }
  }
  void finish(Done done) override {
    ErrorCodeOf ec;
    socket_.shutdown(Socket::shutdown_send, ec);
    asio::post(executor(), [done = std::move(done), ec] { done(ec, 0); });
  }

 private:
  Socket socket_;
};

class TlsChannel : public Channel {
 public:
  TlsChannel(Socket socket, asio::ssl::context& context)
      : Channel(socket.get_executor(), socket.native_handle()),
        stream_(std::move(socket), context) {}

  void open(Done done) override {
    stream_.async_handshake(asio::ssl::stream_base::server,
                            [done = std::move(done)](ErrorCodeOf ec) { done(ec, 0); });
  }
  void read(std::span<char> to, Done done) override {
    stream_.async_read_some(asio::buffer(to.data(), to.size()), std::move(done));
  }
  void write(std::string_view bytes, Done done) override {
    asio::async_write(stream_, asio::buffer(bytes.data(), bytes.size()), std::move(done));
  }
  // Encrypting is the stream's business: nothing is written past it.
  std::optional<size_t> write_now(std::string_view, std::string_view) override { return 0; }
  // Ends when the peer has said so too.
  void finish(Done done) override {
    stream_.async_shutdown([done = std::move(done)](ErrorCodeOf ec) { done(ec, 0); });
  }

 private:
  asio::ssl::stream<Socket> stream_;
};

}  // namespace

void Channel::abort() const { ::shutdown(descriptor_, SHUT_RDWR); }

bool Channel::is_peer_gone() const {
  pollfd state{.fd = descriptor_, .events = POLLRDHUP, .revents = 0};
  return ::poll(&state, 1, 0) > 0;
}

std::unique_ptr<Channel> make_plain_channel(Socket socket) {
  return std::make_unique<PlainChannel>(std::move(socket));
}

std::unique_ptr<Channel> make_tls_channel(Socket socket, asio::ssl::context& context) {
  return std::make_unique<TlsChannel>(std::move(socket), context);
}

}  // namespace holdfast::http
