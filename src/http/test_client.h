// A blocking client on a raw socket, for tests that care about bytes and their order.
#pragma once

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <unistd.h>

namespace holdfast::http {

class TestClient {
 public:
  explicit TestClient(uint16_t port) : descriptor_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connect(reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  explicit TestClient(const std::string& path) : descriptor_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    connect(reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  ~TestClient() { close(); }
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;

  bool connected() const { return connected_; }
  int descriptor() const { return descriptor_; }

  // False if the server has gone.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }
  void close() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }

  // Reads up to and including `mark`; what came before it, or everything if the connection ended
  // first.
  std::string read_until(std::string_view mark) {
    while (true) {
      if (const size_t at = buffer_.find(mark); at != std::string::npos)
        return take(at + mark.size());
      if (!fill()) return take(buffer_.size());
    }
  }
  std::string read_exactly(size_t count) {
    while (buffer_.size() < count && fill()) {
    }
    return take(std::min(count, buffer_.size()));
  }
  std::string read_to_end() {
    while (fill()) {
    }
    return take(buffer_.size());
  }

  struct Response {
    int status = 0;
    std::string head = {};
    std::string body = {};

    bool has(std::string_view line) const { return head.find(line) != std::string::npos; }
  };
  // One response with a Content-Length (none counts as zero).
  Response receive(bool head_only = false) {
    Response response;
    response.head = read_until("\r\n\r\n");
    if (response.head.size() > 12) response.status = std::stoi(response.head.substr(9, 3));
    constexpr std::string_view kLength = "Content-Length: ";
    if (const size_t at = response.head.find(kLength); at != std::string::npos && !head_only) {
      response.body = read_exactly(std::stoul(response.head.substr(at + kLength.size())));
    }
    return response;
  }
  Response get(std::string_view path, std::string_view more_headers = {}) {
    send("GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n" +
         std::string(more_headers) + "\r\n");
    return receive();
  }

 private:
  void connect(const sockaddr* address, socklen_t size) {
    // A test that waits this long has failed.
    const timeval limit{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    connected_ = ::connect(descriptor_, address, size) == 0;
  }
  bool fill() {
    char bytes[4096];
    ssize_t count = 0;
    // A receive with a time-out is interrupted when the process was stopped for a while.
    do {
      count = ::recv(descriptor_, bytes, sizeof bytes, 0);
    } while (count < 0 && errno == EINTR);
    if (count > 0) buffer_.append(bytes, static_cast<size_t>(count));
    return count > 0;
  }
  std::string take(size_t count) {
    std::string taken = buffer_.substr(0, count);
    buffer_.erase(0, count);
    return taken;
  }

  int descriptor_;
  bool connected_ = false;
  std::string buffer_;
};

}  // namespace holdfast::http
