// An HTTP server for tests of endpoints.
#pragma once

#include <algorithm>
#include <arpa/inet.h>
#include <atomic>
#include <chrono>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/mutex.h"

namespace holdfast::embed {

// Answers one connection after the other with the next of the given responses.
class TinyServer {
 public:
  // Waits that long before each answer.
  explicit TinyServer(std::vector<std::string> responses,
                      std::chrono::milliseconds pause = std::chrono::milliseconds(0))
      : responses_(std::move(responses)), pause_(pause) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_, 8), 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~TinyServer() {
    ::shutdown(listener_, SHUT_RDWR);
    ::close(listener_);
    thread_.join();
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/v1/"; }
  int requests() const { return requests_; }
  std::string last_request() {
    const MutexLock lock(mutex_);
    return last_;
  }

 private:
  void serve() {
    while (true) {
      const int client = ::accept(listener_, nullptr, nullptr);
      if (client < 0) return;
      std::string request;
      char buffer[4096];
      size_t wanted = std::string::npos;
      while (request.size() < wanted) {
        const ssize_t got = ::recv(client, buffer, sizeof buffer, 0);
        if (got <= 0) break;
        request.append(buffer, static_cast<size_t>(got));
        const size_t head = request.find("\r\n\r\n");
        const size_t length = request.find("Content-Length: ");
        if (head != std::string::npos && length != std::string::npos) {
          wanted = head + 4 + std::stoul(request.substr(length + 16));
        }
      }
      {
        const MutexLock lock(mutex_);
        last_ = request;
      }
      const size_t number = static_cast<size_t>(requests_++);
      const std::string& response = responses_[std::min(number, responses_.size() - 1)];
      std::this_thread::sleep_for(pause_);
      ::send(client, response.data(), response.size(), MSG_NOSIGNAL);
      ::close(client);
    }
  }

  std::vector<std::string> responses_;
  std::chrono::milliseconds pause_;
  int listener_ = -1;
  uint16_t port_ = 0;
  std::atomic<int> requests_ = 0;
  Mutex mutex_;
  std::string last_ HOLDFAST_GUARDED_BY(mutex_);
  std::thread thread_;
};

inline std::string http(int status, const std::string& body, const std::string& headers = "") {
  return "HTTP/1.1 " + std::to_string(status) +
         " X\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n" +
         headers + "\r\n" + body;
}

}  // namespace holdfast::embed
