// Search by embeddings, end to end, with a small endpoint of our own: words of one meaning share a
// direction.
#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/json.h"
#include "support/process.h"

namespace holdfast::testing {
namespace {

// Answers POST /v1/embeddings, one connection at a time.
class EmbeddingEndpoint {
 public:
  EmbeddingEndpoint() : listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    EXPECT_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(listen(listener_, 16), 0);
    socklen_t size = sizeof(address);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~EmbeddingEndpoint() {
    shutdown(listener_, SHUT_RDWR);
    close(listener_);
    thread_.join();
  }
  std::string base_url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/v1"; }
  void set_broken(bool broken) { broken_ = broken; }

 private:
  void serve() {
    for (;;) {
      const int connection = accept(listener_, nullptr, nullptr);
      if (connection < 0) return;
      answer(connection);
      close(connection);
    }
  }

  void answer(int connection) {
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
    const Value body = parsed(request.substr(request.find("\r\n\r\n") + 4));
    Value data = Value::array();
    for (const Value& text : *body.find("input")->if_array())
      data.push(Value::object({{"embedding", vector_of(*text.if_string())}}));
    const std::string json = to_json(Value::object({{"data", std::move(data)}}));
    const std::string reply =
        broken_ ? "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                : "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: "
                  "close\r\nContent-Length: " +
                      std::to_string(json.size()) + "\r\n\r\n" + json;
    send(connection, reply.data(), reply.size(), MSG_NOSIGNAL);
  }

  static Value vector_of(const std::string& text) {
    const auto has = [&](const char* word) {
      return text.find(word) != std::string::npos ? 1.0 : 0.01;
    };
    return Value::array({has("car") + has("automobile"), has("bread") + has("bakery"),
                         has("rain") + has("weather"), 0.1});
  }

  int listener_;
  int port_ = 0;
  std::atomic<bool> broken_ = false;
  std::thread thread_;
};

std::vector<std::string> endpoint_arguments(const EmbeddingEndpoint& endpoint) {
  return {"--vector-mode",     "endpoint",       "--vector-base-url",
          endpoint.base_url(), "--vector-model", "tiny"};
}

void wait_until_caught_up(ServerProcess& server) {
  while (text_at(server.get("/health"), "vector_index_ready") != "true") std::this_thread::yield();
}

TEST(NativeVectorsTest, MeaningIsFoundWhereNoWordIsShared) {
  EmbeddingEndpoint endpoint;
  TemporaryFolder folder;
  ServerProcess server(folder / "data", endpoint_arguments(endpoint));
  server.post("/holdfast/v1/remember", R"({"id":"car","text":"the car needs new tyres"})");
  server.post("/holdfast/v1/remember", R"({"id":"bread","text":"bread is baked at five"})");
  wait_until_caught_up(server);

  const auto found =
      server.post("/holdfast/v1/search", R"({"query":"automobile","limit":1,"explain":true})");

  EXPECT_EQ(text_at(found, "hits.0.id"), "car") << found.body;
  EXPECT_EQ(text_at(found, "hits.0.why.ranks.0.stream"), "vector") << found.body;
}

TEST(NativeVectorsTest, ABrokenEndpointLeavesSearchLexicalAndIsMadeUpForLater) {
  EmbeddingEndpoint endpoint;
  TemporaryFolder folder;
  auto arguments = endpoint_arguments(endpoint);
  arguments.insert(arguments.end(), {"--vector-dimensions", "4"});
  endpoint.set_broken(true);
  ServerProcess server(folder / "data", arguments);
  server.post("/holdfast/v1/remember", R"({"id":"car","text":"the car needs new tyres"})");

  EXPECT_EQ(text_at(server.post("/holdfast/v1/search", R"({"query":"tyres"})"), "hits.0.id"),
            "car");
  EXPECT_EQ(size_at(server.post("/holdfast/v1/search", R"({"query":"automobile"})"), "hits"), 0U);

  endpoint.set_broken(false);
  server.restart(SIGKILL);
  wait_until_caught_up(server);
  EXPECT_EQ(text_at(server.post("/holdfast/v1/search", R"({"query":"automobile"})"), "hits.0.id"),
            "car");
  EXPECT_EQ(server.del("/holdfast/v1/objects/memory/car").status, 200);
  EXPECT_EQ(size_at(server.post("/holdfast/v1/search", R"({"query":"automobile"})"), "hits"), 0U);
}

}  // namespace
}  // namespace holdfast::testing
