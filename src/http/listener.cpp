#include "http/listener.h"

#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <netdb.h>
#include <unistd.h>

#include "base/log.h"

namespace holdfast::http {
namespace {

constexpr int kBacklog = 511;

// Closes unless released.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

std::string system_text(int problem) { return std::system_category().message(problem); }

Error cannot_listen(std::string message) {
  return Error{
      .code = ErrorCode::kUnavailable, .reason = "cannot_listen", .message = std::move(message)};
}

Error bind_error(const ListenAddress& address, int problem) {
  if (problem == EADDRINUSE) {
    return cannot_listen(fmt::format(
        "Port {} on {} is already in use; stop what uses it or choose another with --listen.",
        address.port, address.host));
  }
  return cannot_listen(fmt::format("Cannot listen on {} port {}: {}.", address.host, address.port,
                                   system_text(problem)));
}

std::string address_text(const sockaddr_storage& storage) {
  char text[INET6_ADDRSTRLEN] = {};
  if (storage.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(storage);
    ::inet_ntop(AF_INET, &v4.sin_addr, text, sizeof text);
  } else if (storage.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(storage);
    ::inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof text);
  } else {
    return "unix";
  }
  return text;
}

// True if somebody accepts connections there.
bool is_served(const sockaddr_un& address) {
  const Descriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return ::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

Result<int> listen_tcp(const ListenAddress& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(address.port);
  if (const int problem = ::getaddrinfo(address.host.c_str(), port.c_str(), &hints, &found);
      problem != 0) {
    return cannot_listen(
        fmt::format("'{}' is no address to listen on: {}.", address.host, ::gai_strerror(problem)));
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> list(found, ::freeaddrinfo);
  Descriptor descriptor(::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (descriptor.get() < 0) return bind_error(address, errno);
  const int on = 1;
  ::setsockopt(descriptor.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(descriptor.get(), found->ai_addr, found->ai_addrlen) != 0 ||
      ::listen(descriptor.get(), kBacklog) != 0) {
    return bind_error(address, errno);
  }
  return descriptor.release();
}

Result<int> listen_unix(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return cannot_listen(
        fmt::format("The socket path '{}' is longer than the {} bytes the system allows.", path,
                    sizeof address.sun_path - 1));
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  if (is_served(address))
    return cannot_listen(fmt::format("Another server already listens on '{}'.", path));
  ::unlink(path.c_str());
  Descriptor descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  // The file is made by bind: its mode must be right from its first moment. fchmod before bind
  // decides it on Linux.
  if (descriptor.get() < 0 || ::fchmod(descriptor.get(), S_IRUSR | S_IWUSR) != 0 ||
      ::bind(descriptor.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::chmod(path.c_str(), S_IRUSR | S_IWUSR) != 0 || ::listen(descriptor.get(), kBacklog) != 0) {
    return cannot_listen(fmt::format("Cannot listen on '{}': {}.", path, system_text(errno)));
  }
  return descriptor.release();
}

uint16_t bound_port(int descriptor) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return 0;
  if (storage.ss_family == AF_INET)
    return ntohs(reinterpret_cast<const sockaddr_in&>(storage).sin_port);
  if (storage.ss_family == AF_INET6)
    return ntohs(reinterpret_cast<const sockaddr_in6&>(storage).sin6_port);
  return 0;
}

Listener::Listener(boost::asio::io_context& io, int descriptor, OnAccept on_accept)
    : descriptor_(io, descriptor), pause_(io), on_accept_(std::move(on_accept)) {}

void Listener::close() {
  boost::system::error_code ignored;
  descriptor_.close(ignored);
  pause_.cancel();
}

void Listener::wait() {
  descriptor_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                         [self = shared_from_this()](boost::system::error_code ec) {
                           if (!ec) self->accept_all();
                         });
}

void Listener::accept_all() {
  while (descriptor_.is_open()) {
    sockaddr_storage storage{};
    socklen_t size = sizeof storage;
    const int accepted =
        ::accept4(descriptor_.native_handle(), reinterpret_cast<sockaddr*>(&storage), &size,
                  SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (accepted < 0) {
      if (errno == EAGAIN || errno == EWOULDBLOCK) return wait();
      if (errno == EINTR || errno == ECONNABORTED) continue;
      // No descriptors or memory left: asking again at once would only burn the processor.
      log::warn("cannot_accept", {{"detail", system_text(errno)}});
      pause_.expires_after(std::chrono::milliseconds(100));
      pause_.async_wait([self = shared_from_this()](boost::system::error_code ec) {
        if (!ec) self->accept_all();
      });
      return;
    }
    if (storage.ss_family != AF_UNIX) {
      const int on = 1;
      ::setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    on_accept_(
        {.descriptor = accepted, .family = storage.ss_family, .address = address_text(storage)});
  }
}

}  // namespace holdfast::http
