#include "bench/load_client.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <unistd.h>

namespace holdfast::bench {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::exit(1);
}

struct Connection {
  int socket = -1;
  std::string received = {};
  Clock::time_point sent = {};
};

int connect_to(int port) {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  if (connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
    give_up("connect");
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  return descriptor;
}

void send_all(int descriptor, const std::string& bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t n = send(descriptor, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (n <= 0) give_up("send");
    at += static_cast<size_t>(n);
  }
}

// The length of the first complete answer in the buffer, or 0.
size_t answer_length(const std::string& buffer) {
  const size_t head = buffer.find("\r\n\r\n");
  if (head == std::string::npos) return 0;
  const size_t field = buffer.find("Content-Length: ");
  const size_t body =
      field != std::string::npos && field < head ? std::stoul(buffer.substr(field + 16, 20)) : 0;
  return buffer.size() >= head + 4 + body ? head + 4 + body : 0;
}

}  // namespace

double LoadResult::median() const {
  std::vector<double> sorted = millis;
  std::ranges::sort(sorted);
  return sorted.empty() ? 0 : sorted[sorted.size() / 2];
}

LoadResult run_load(const Load& load) {
  const int poll = epoll_create1(EPOLL_CLOEXEC);
  std::vector<Connection> connections(static_cast<size_t>(load.connections));
  LoadResult result;
  result.millis.reserve(static_cast<size_t>(load.requests));
  int64_t next = 0;
  const auto send_next = [&](Connection& connection) {
    const std::string bytes = load.request(next++);
    connection.sent = Clock::now();
    send_all(connection.socket, bytes);
  };
  for (size_t i = 0; i < connections.size(); ++i) {
    connections[i].socket = connect_to(load.port);
    epoll_event event{.events = EPOLLIN, .data = {.u64 = i}};
    epoll_ctl(poll, EPOLL_CTL_ADD, connections[i].socket, &event);
  }
  const auto start = Clock::now();
  for (auto& connection : connections) {
    if (next < load.requests) send_next(connection);
  }
  int64_t finished = 0;
  std::array<epoll_event, 64> events{};
  std::array<char, 65536> chunk{};
  while (finished < load.requests) {
    const int ready = epoll_wait(poll, events.data(), static_cast<int>(events.size()), 60'000);
    if (ready <= 0) give_up("epoll_wait");
    for (int i = 0; i < ready; ++i) {
      Connection& connection = connections[events[static_cast<size_t>(i)].data.u64];
      const ssize_t n = recv(connection.socket, chunk.data(), chunk.size(), 0);
      if (n <= 0) give_up("recv");
      connection.received.append(chunk.data(), static_cast<size_t>(n));
      const size_t length = answer_length(connection.received);
      if (length == 0) continue;
      result.millis.push_back(
          std::chrono::duration<double, std::milli>(Clock::now() - connection.sent).count());
      ++(connection.received[9] == '2' ? result.answers : result.refusals);
      connection.received.erase(0, length);
      ++finished;
      if (next < load.requests) send_next(connection);
    }
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  for (const auto& connection : connections) close(connection.socket);
  close(poll);
  return result;
}

std::string http_get(const std::string& target) {
  return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
}

std::string http_post(const std::string& target, const std::string& json,
                      const std::string& headers) {
  return "POST " + target + " HTTP/1.1\r\nHost: localhost\r\n" + headers +
         "Content-Type: application/json\r\nContent-Length: " + std::to_string(json.size()) +
         "\r\n\r\n" + json;
}

}  // namespace holdfast::bench
