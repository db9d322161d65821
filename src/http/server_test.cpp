#include "http/server.h"

#include <thread>

#include <poll.h>

#include "http/server_fixture.h"

namespace holdfast::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_F(ServerTest, AnswersManyRequestsOnOneConnection) {
  start();
  TestClient client(port_);

  for (int i = 0; i < 50; ++i) {
    const auto response = client.get("/echo/" + std::to_string(i));
    ASSERT_EQ(response.status, 200);
    ASSERT_EQ(response.body, std::to_string(i));
    EXPECT_TRUE(response.has("X-Request-ID: req_"));
    EXPECT_TRUE(response.has("X-Holdfast-Space: default"));
    EXPECT_TRUE(response.has("Date: "));
  }
  EXPECT_EQ(client.get("/quick").body, "quick");
  EXPECT_EQ(server_->connections(), 1U);
}

TEST_F(ServerTest, PipelinedRequestsAreAnsweredInOrder) {
  start();
  TestClient client(port_);
  std::string requests;
  for (int i = 0; i < 100; ++i) {
    const std::string path = i % 3 == 0 ? "/quick" : "/echo/" + std::to_string(i);
    requests += "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  client.send(requests);

  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(client.receive().body, i % 3 == 0 ? "quick" : std::to_string(i));
  }
}

TEST_F(ServerTest, ReadsBodiesOfBothKinds) {
  start();
  TestClient client(port_);

  client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello");
  EXPECT_EQ(client.receive().body, "hello");
  client.send(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
  client.send("2\r\nde\r\n0\r\n\r\n");
  EXPECT_EQ(client.receive().body, "abcde");
  const std::string large(900'000, 'y');
  client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n" + large);
  EXPECT_EQ(client.receive().body, large);
}

TEST_F(ServerTest, LargeRepliesArriveWhole) {
  start();
  TestClient client(port_);

  EXPECT_EQ(client.get("/large").body.size(), 3'000'000U);
  EXPECT_EQ(client.get("/echo/after").body, "after");
}

TEST_F(ServerTest, SaysContinueWhenAsked) {
  start();
  TestClient client(port_);
  client.send(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: "
      "100-continue\r\n\r\n");

  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");

  client.send("ok");
  EXPECT_EQ(client.receive().body, "ok");
}

TEST_F(ServerTest, RefusesABodyTooLargeWithoutReadingIt) {
  start();
  TestClient client(port_);
  client.send(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999999\r\nExpect: "
      "100-continue\r\n\r\n");

  const auto response = client.receive();

  EXPECT_EQ(response.status, 413);
  EXPECT_TRUE(response.has("Connection: close"));
  EXPECT_EQ(client.read_to_end(), "");
}

TEST_F(ServerTest, ABodyThatIsNotWorthReadingIsNotRead) {
  start();
  TestClient client(server_->port());
  const std::string rest =
      " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n";
  client.send("PUT /ticket/good" + rest);
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("word");
  EXPECT_TRUE(client.read_until("\r\n\r\n").starts_with("HTTP/1.1 200"));
  TestClient other(server_->port());
  other.send("PUT /ticket/bad" + rest);
  EXPECT_TRUE(other.read_until("\r\n\r\n").starts_with("HTTP/1.1 401"));
}

TEST_F(ServerTest, RefusesChunksThatBecomeTooLarge) {
  start();
  TestClient client(port_);
  client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  const std::string chunk = "186A0\r\n" + std::string(100'000, 'x') + "\r\n";

  for (int i = 0; i < 12; ++i) client.send(chunk);

  EXPECT_EQ(client.receive().status, 413);
}

TEST_F(ServerTest, TheReplyReachesAClientThatSendsOnRegardless) {
  start();
  TestClient client(port_);
  client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\n");

  client.send(std::string(5'000'000, 'x'));

  EXPECT_EQ(client.receive().status, 413);
}

TEST_F(ServerTest, RefusesHeadersTooLarge) {
  start();
  TestClient client(port_);

  EXPECT_EQ(client.get("/quick", "X-Long: " + std::string(40'000, 'x') + "\r\n").status, 431);
}

TEST_F(ServerTest, RefusesWhatIsNoHttp) {
  start();
  for (const char* text :
       {"hello there\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\r\n\r\n\r\n\r\nGET\r\n\r\n"}) {
    TestClient client(port_);
    client.send(text);

    EXPECT_EQ(client.receive().status, 400) << text;
    client.read_to_end();
  }
  EXPECT_EQ(TestClient(port_).get("/quick").status, 200);
}

TEST_F(ServerTest, RefusesAForeignHost) {
  start();
  TestClient client(port_);
  client.send("GET /quick HTTP/1.1\r\nHost: evil.example\r\n\r\n");

  EXPECT_EQ(client.receive().status, 403);
}

TEST_F(ServerTest, HeadHasHeadersAndNoBody) {
  start();
  TestClient client(port_);
  client.send(
      "HEAD /echo/word HTTP/1.1\r\nHost: localhost\r\n\r\nGET /quick HTTP/1.1\r\nHost: "
      "localhost\r\n\r\n");

  const auto head = client.receive(/*head_only=*/true);

  EXPECT_TRUE(head.has("Content-Length: 4"));
  EXPECT_EQ(client.receive().body, "quick");
}

TEST_F(ServerTest, OldAndClosingClientsAreLetGo) {
  start();
  TestClient old(port_);
  old.send("GET /quick HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(old.receive().has("Connection: close"));
  EXPECT_EQ(old.read_to_end(), "");
  TestClient polite(port_);
  EXPECT_TRUE(polite.get("/quick", "Connection: close\r\n").has("Connection: close"));
  EXPECT_EQ(polite.read_to_end(), "");
  TestClient kept(port_);
  kept.send("GET /quick HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_TRUE(kept.receive().has("Connection: keep-alive"));
  EXPECT_EQ(kept.get("/quick").status, 200);
}

TEST_F(ServerTest, SlowClientsAreTimedOut) {
  start({.idle_timeout = milliseconds(60),
         .header_timeout = milliseconds(60),
         .body_timeout = milliseconds(60),
         .linger = milliseconds(60)});
  TestClient idle(port_);
  TestClient slow_header(port_);
  TestClient slow_body(port_);
  slow_header.send("GET /quick HT");
  slow_body.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhe");

  EXPECT_EQ(slow_header.receive().status, 408);
  EXPECT_EQ(slow_body.receive().status, 408);
  EXPECT_EQ(slow_body.read_to_end(), "");
  TestClient used(port_);
  EXPECT_EQ(used.get("/quick").status, 200);
  EXPECT_EQ(used.read_to_end(), "");
}

TEST_F(ServerTest, ClientsThatVanishHarmNobody) {
  start();
  for (int i = 0; i < 20; ++i) {
    TestClient client(port_);
    client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\nhalf");
    TestClient reader(port_);
    reader.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }

  EXPECT_EQ(TestClient(port_).get("/quick").status, 200);
}

TEST_F(ServerTest, StoppingFinishesTheRequestUnderWay) {
  start();
  TestClient busy(port_);
  busy.send("GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n");
  entered_.get_future().wait();
  TestClient idle(port_);
  ASSERT_EQ(idle.get("/quick").status, 200);

  auto stopped = std::async(std::launch::async, [this] { server_->stop(seconds(10)); });
  EXPECT_EQ(idle.read_to_end(), "");
  release_.set_value();

  const auto response = busy.receive();
  EXPECT_EQ(response.body, "waited");
  EXPECT_TRUE(response.has("Connection: close"));
  stopped.get();
  EXPECT_FALSE(TestClient(port_).connected());
  EXPECT_EQ(server_->connections(), 0U);
}

TEST_F(ServerTest, OverloadIsAnsweredAtOnce) {
  start({.worker_threads = 2, .max_waiting = 1});
  std::vector<std::unique_ptr<TestClient>> clients;
  std::vector<pollfd> waiting;
  for (int i = 0; i < 6; ++i) {
    clients.push_back(std::make_unique<TestClient>(port_));
    clients.back()->send("GET /hold HTTP/1.1\r\nHost: localhost\r\n\r\n");
    waiting.push_back({.fd = clients.back()->descriptor(), .events = POLLIN, .revents = 0});
  }

  // Two run and one waits; the other three hear of it before any of those is done.
  for (int refused = 0; refused < 3; ++refused) {
    ASSERT_GT(::poll(waiting.data(), waiting.size(), 20'000), 0);
    for (size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].revents == 0) continue;
      waiting[i].fd = -1;
      const auto response = clients[i]->receive();
      EXPECT_EQ(response.status, 503);
      EXPECT_TRUE(response.has("Retry-After: 1"));
      break;
    }
  }

  EXPECT_EQ(TestClient(port_).get("/quick").status, 200);
  hold_.set_value();
  for (size_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i].fd < 0) continue;
    EXPECT_EQ(clients[i]->receive().status, 200);
  }
}

TEST_F(ServerTest, ConnectionsBeyondTheLimitAreTurnedAway) {
  start({.max_connections = 2, .linger = milliseconds(50)});
  TestClient first(port_);
  TestClient second(port_);
  ASSERT_EQ(first.get("/quick").status, 200);
  ASSERT_EQ(second.get("/quick").status, 200);

  TestClient third(port_);

  EXPECT_EQ(third.receive().status, 503);
  EXPECT_EQ(third.read_to_end(), "");
  EXPECT_EQ(first.get("/quick").status, 200);
}

TEST_F(ServerTest, ABusyPortIsOneClearSentence) {
  start();

  const auto second = Server::start(*pipeline_, {.listen = {{"127.0.0.1", port_}}});

  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().message,
            "Port " + std::to_string(port_) +
                " on 127.0.0.1 is already in use; stop what uses it or choose another with "
                "--listen.");
  EXPECT_FALSE(Server::start(*pipeline_, {.listen = {{"no.such.host.invalid", 0}}}).has_value());
}

TEST_F(ServerTest, TheUnixSocketIsForLocalProcesses) {
  const std::string path = testing::TempDir() + "holdfast_" + std::to_string(::getpid()) + ".sock";
  start({.unix_socket = path});

  EXPECT_EQ(TestClient(path).get("/local").body, "local");
  EXPECT_EQ(TestClient(port_).get("/local").body, "remote");
  const auto second = Server::start(*pipeline_, {.unix_socket = path});
  ASSERT_FALSE(second.has_value());
  EXPECT_NE(second.error().message.find("already listens"), std::string::npos);
  server_->stop(seconds(1));
  EXPECT_NE(::access(path.c_str(), F_OK), 0);
}

TEST_F(ServerTest, ManyClientsAtOnce) {
  start({.io_threads = 2});
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;

  threads.reserve(8);
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([this, &good] {
      TestClient client(port_);
      for (int i = 0; i < 100; ++i) {
        if (client.get(i % 2 == 0 ? "/echo/word" : "/quick").status == 200) ++good;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();

  EXPECT_EQ(good, 800);
}

}  // namespace
}  // namespace holdfast::http
