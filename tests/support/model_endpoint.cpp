#include "support/model_endpoint.h"

#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <sys/socket.h>

#include <unistd.h>

#include "support/json.h"

namespace holdfast::testing {

ModelEndpoint::ModelEndpoint(Handler handler)
    : handler_(std::move(handler)), listener_(socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof(address));
  listen(listener_, 16);
  socklen_t size = sizeof(address);
  getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

ModelEndpoint::~ModelEndpoint() {
  shutdown(listener_, SHUT_RDWR);
  close(listener_);
  thread_.join();
}

void ModelEndpoint::serve() {
  for (;;) {
    const int connection = accept(listener_, nullptr, nullptr);
    if (connection < 0) return;
    answer(connection);
    close(connection);
  }
}

void ModelEndpoint::answer(int connection) {
  std::string request;
  std::array<char, 8192> chunk{};
  size_t wanted = std::string::npos;
  while (request.size() < wanted) {
    const ssize_t n = recv(connection, chunk.data(), chunk.size(), 0);
    if (n <= 0) return;
    request.append(chunk.data(), static_cast<size_t>(n));
    const size_t head = request.find("\r\n\r\n");
    if (head == std::string::npos) continue;
    const size_t field = request.find("Content-Length: ");
    wanted = head + 4 + std::stoul(request.substr(field + 16));
  }
  const Answer said = handler_(parsed(request.substr(request.find("\r\n\r\n") + 4)));
  const std::string json = to_json(said.body);
  const std::string reply = "HTTP/1.1 " + std::to_string(said.status) +
                            " X\r\nContent-Type: application/json\r\nConnection: "
                            "close\r\nContent-Length: " +
                            std::to_string(json.size()) + "\r\n\r\n" + json;
  send(connection, reply.data(), reply.size(), MSG_NOSIGNAL);
}

}  // namespace holdfast::testing
