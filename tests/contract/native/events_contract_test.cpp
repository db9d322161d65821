// The journal as server-sent events.
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/json.h"
#include "support/process.h"

namespace holdfast::testing {
namespace {

// A raw reader of an event stream.
class EventReader {
 public:
  EventReader(int port, const std::string& extra_headers)
      : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    const std::string request =
        "GET /holdfast/v1/events HTTP/1.1\r\nHost: localhost\r\n" + extra_headers + "\r\n";
    EXPECT_EQ(send(socket_, request.data(), request.size(), 0),
              static_cast<ssize_t>(request.size()));
  }
  ~EventReader() { close(socket_); }

  // Reads until the text has come; everything read so far.
  const std::string& read_until(const std::string& wanted) {
    std::array<char, 4096> chunk{};
    while (received_.find(wanted) == std::string::npos) {
      const ssize_t n = recv(socket_, chunk.data(), chunk.size(), 0);
      if (n < 0 && errno == EINTR) continue;  // the process was stopped for a while
      if (n <= 0) break;
      received_.append(chunk.data(), static_cast<size_t>(n));
    }
    return received_;
  }

 private:
  int socket_;
  std::string received_;
};

TEST(NativeEventsTest, ChangesArriveAndAStreamResumesWhereItEnded) {
  TemporaryFolder folder;
  ServerProcess server(folder / "data");
  EventReader live(server.port(), "");
  live.read_until("\r\n\r\n");
  const auto first = server.post("/holdfast/v1/remember", R"({"id":"m1","text":"one"})");
  const std::string position = text_at(first, "object.position");

  const std::string seen = live.read_until("\"m1\"");
  EXPECT_NE(seen.find("text/event-stream"), std::string::npos);
  EXPECT_NE(seen.find("id: " + position), std::string::npos) << seen;
  EXPECT_NE(seen.find("event: created"), std::string::npos);

  server.post("/holdfast/v1/remember", R"({"id":"m2","text":"two"})");
  EventReader resumed(server.port(), "Last-Event-ID: " + position + "\r\n");
  const std::string rest = resumed.read_until("\"m2\"");
  EXPECT_NE(rest.find("\"m2\""), std::string::npos);
  EXPECT_EQ(rest.find("\"m1\""), std::string::npos);
}

TEST(NativeEventsTest, ALastEventIdThatIsNoneIsRefusedAndOneFromBeyondTheEndGoesOnFromHere) {
  TemporaryFolder folder;
  ServerProcess server(folder / "data");
  for (const char* id : {"abc", "12x", "-1", "99999999999999999999"}) {
    const auto answer = HttpClient(server.port())
                            .request("GET", "/holdfast/v1/events", "", {{"Last-Event-ID", id}});
    EXPECT_EQ(answer.status, 400) << id;
  }
  EventReader ahead(server.port(), "Last-Event-ID: 1000000\r\n");
  ahead.read_until("\r\n\r\n");

  server.post("/holdfast/v1/remember", R"({"id":"m1","text":"one"})");

  EXPECT_NE(ahead.read_until("\"m1\"").find("\"m1\""), std::string::npos);
}

TEST(NativeEventsTest, ARevokedTokenSeesNothingMore) {
  TemporaryFolder folder;
  ServerProcess server(folder / "data", {"--auth", "tokens"});
  const std::map<std::string, std::string> owner = {
      {"Authorization", "Bearer " + server.first_token()}};
  HttpClient client(server.port());
  const auto made = client.request("POST", "/holdfast/v1/tokens", R"({"name":"t"})", owner);
  EventReader live(server.port(), "Authorization: Bearer " + text_at(made, "token") + "\r\n");
  live.read_until("\r\n\r\n");
  client.request("DELETE", "/holdfast/v1/tokens/" + text_at(made, "id"), "", owner);

  client.request("POST", "/holdfast/v1/remember", R"({"id":"m1","text":"one"})", owner);

  EXPECT_EQ(live.read_until("\"m1\"").find("\"m1\""), std::string::npos);
}

TEST(NativeEventsTest, StoppingEndsStreamsAndExitsCleanly) {
  TemporaryFolder folder;
  ServerProcess server(folder / "data");
  EventReader live(server.port(), "");
  live.read_until("\r\n\r\n");

  EXPECT_EQ(server.stop(SIGTERM), 0);
}

}  // namespace
}  // namespace holdfast::testing
