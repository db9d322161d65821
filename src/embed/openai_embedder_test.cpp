#include "embed/openai_embedder.h"

#include <arpa/inet.h>
#include <atomic>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/mutex.h"

namespace holdfast::embed {
namespace {

// Answers one connection after the other with the next of the given responses.
class TinyServer {
 public:
  explicit TinyServer(std::vector<std::string> responses) : responses_(std::move(responses)) {
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
      ::send(client, response.data(), response.size(), MSG_NOSIGNAL);
      ::close(client);
    }
  }

  std::vector<std::string> responses_;
  int listener_ = -1;
  uint16_t port_ = 0;
  std::atomic<int> requests_ = 0;
  Mutex mutex_;
  std::string last_ HOLDFAST_GUARDED_BY(mutex_);
  std::thread thread_;
};

std::string http(int status, const std::string& body, const std::string& headers = "") {
  return "HTTP/1.1 " + std::to_string(status) +
         " X\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n" +
         headers + "\r\n" + body;
}

const std::string kTwo =
    R"({"data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[1.5,-2]}]})";

OpenAiOptions options_for(const TinyServer& server) {
  return {.base_url = server.url(),
          .api_key = "secret",
          .model = "m",
          .dimensions = 2,
          .timeout = std::chrono::seconds(5),
          .attempts = 3,
          .first_backoff = std::chrono::milliseconds(1),
          .max_backoff = std::chrono::milliseconds(5)};
}

TEST(OpenAiEmbedderTest, ReturnsVectorsInTheOrderOfTheTexts) {
  TinyServer server({http(200, kTwo)});
  const auto embedder = make_openai_embedder(options_for(server));

  const auto vectors = embedder->embed({"one", "two \"quoted\""}, kNoDeadline);

  ASSERT_TRUE(vectors.has_value());
  EXPECT_EQ(*vectors, (std::vector<Vector>{{1.5F, -2.0F}, {0.0F, 1.0F}}));
  EXPECT_NE(server.last_request().find("POST /v1/embeddings "), std::string::npos);
  EXPECT_NE(server.last_request().find("Authorization: Bearer secret"), std::string::npos);
  EXPECT_NE(server.last_request().find(R"("two \"quoted\"")"), std::string::npos);
}

TEST(OpenAiEmbedderTest, TriesAgainAfterPassingFailuresOnly) {
  TinyServer passing({http(429, "", "Retry-After: 1\r\n"), http(503, ""), http(200, kTwo)});
  EXPECT_TRUE(
      make_openai_embedder(options_for(passing))->embed({"a", "b"}, kNoDeadline).has_value());
  EXPECT_EQ(passing.requests(), 3);

  TinyServer lasting({http(500, "")});
  const auto given_up = make_openai_embedder(options_for(lasting))->embed({"a", "b"}, kNoDeadline);
  EXPECT_EQ(given_up.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(lasting.requests(), 3);

  TinyServer refusing({http(400, "")});
  const auto refused = make_openai_embedder(options_for(refusing))->embed({"a", "b"}, kNoDeadline);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refusing.requests(), 1);
}

TEST(OpenAiEmbedderTest, RefusesAnswersThatCannotBeRight) {
  for (const std::string body :
       {"", "no json", "[]", R"({"data":[]})", R"({"data":[{"embedding":[1,2]}]})",
        R"({"data":[{"index":0,"embedding":[1,2]},{"index":0,"embedding":[1,2]}]})",
        R"({"data":[{"index":0,"embedding":[1,2]},{"index":7,"embedding":[1,2]}]})",
        R"({"data":[{"embedding":[1,2,3]},{"embedding":[1,2]}]})",
        R"({"data":[{"embedding":[1,"2"]},{"embedding":[1,2]}]})"}) {
    TinyServer server({http(200, body)});
    const auto vectors = make_openai_embedder(options_for(server))->embed({"a", "b"}, kNoDeadline);
    ASSERT_FALSE(vectors.has_value()) << body;
    EXPECT_EQ(vectors.error().code, ErrorCode::kCorrupted) << body;
  }
}

TEST(OpenAiEmbedderTest, ObeysTheDeadlineAndTheSizeLimit) {
  TinyServer server({http(503, "")});
  auto options = options_for(server);
  options.first_backoff = options.max_backoff = std::chrono::seconds(60);
  const auto late = make_openai_embedder(options)->embed(
      {"a"}, std::chrono::steady_clock::now() + std::chrono::seconds(2));
  EXPECT_EQ(late.error().code, ErrorCode::kDeadlineExceeded);

  TinyServer large({http(200, std::string(100'000, ' '))});
  auto small = options_for(large);
  small.max_response_bytes = 1000;
  EXPECT_EQ(make_openai_embedder(small)->embed({"a"}, kNoDeadline).error().code,
            ErrorCode::kCorrupted);
}

}  // namespace
}  // namespace holdfast::embed
