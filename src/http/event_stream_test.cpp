#include "http/event_stream.h"

#include "http/server_fixture.h"

namespace holdfast::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Waits until the stream is over.
void wait_closed(EventQueue& queue) {
  std::promise<void> closed;
  queue.on_closed([&closed] { closed.set_value(); });
  EXPECT_EQ(closed.get_future().wait_for(seconds(20)), std::future_status::ready);
}

TEST(EventTest, DataOfSeveralLinesIsSplitAndNamesAreCleaned) {
  std::string text;
  append_event(text, {.id = "1\n2", .event = "a\r\nb", .data = "x\ny"});

  EXPECT_EQ(text, "id: 12\nevent: ab\ndata: x\ndata: y\n\n");
  text.clear();
  append_event(text, {.data = "x", .retry = 250});
  EXPECT_EQ(text, "retry: 250\ndata: x\n\n");
}

TEST(EventQueueTest, AReaderTooFarBehindIsGivenUp) {
  EventQueue queue(1000);

  EXPECT_TRUE(queue.push({.data = std::string(500, 'x')}));
  EXPECT_FALSE(queue.push({.data = std::string(500, 'x')}));
  EXPECT_FALSE(queue.push({.data = "x"}));
  std::vector<Event> events;
  EXPECT_EQ(queue.pull(events), EventSource::Pull::kEnd);
}

TEST_F(ServerTest, EventsAreDeliveredAsTheyHappen) {
  start();
  TestClient client(port_);
  client.send("GET /events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 41\r\n\r\n");

  const std::string head = client.read_until("\r\n\r\n");
  EXPECT_NE(head.find("Content-Type: text/event-stream"), std::string::npos);
  EXPECT_NE(head.find("X-Request-ID: req_"), std::string::npos);
  EXPECT_NE(client.read_until("\n\n").find("id: 1\nevent: hello\ndata: resumed after 41\n\n"),
            std::string::npos);
  const auto queue = queue_.get_future().get();
  EXPECT_EQ(server_->streams(), 1U);

  EXPECT_TRUE(queue->push({.id = "2", .data = "second"}));
  EXPECT_NE(client.read_until("\n\n").find("id: 2\ndata: second\n\n"), std::string::npos);
  queue->finish();
  EXPECT_EQ(client.read_to_end(), "\r\n0\r\n\r\n");
  wait_closed(*queue);
  EXPECT_FALSE(queue->push({.data = "late"}));
}

TEST_F(ServerTest, SilentStreamsCarryHeartbeats) {
  start({.heartbeat = milliseconds(30)});
  TestClient client(port_);
  client.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");

  client.read_until("resumed after \n\n");
  EXPECT_NE(client.read_until(": keep-alive\n\n").find(": keep-alive\n\n"), std::string::npos);
  EXPECT_NE(client.read_until(": keep-alive\n\n").find(": keep-alive\n\n"), std::string::npos);
}

TEST_F(ServerTest, AReaderThatGoesIsNoticed) {
  start();
  TestClient client(port_);
  client.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  client.read_until("\n\n");

  client.close();

  const auto queue = queue_.get_future().get();
  wait_closed(*queue);
  EXPECT_EQ(server_->streams(), 0U);
}

TEST_F(ServerTest, AReaderThatDoesNotReadIsDisconnected) {
  start({.write_timeout = milliseconds(100)});
  TestClient client(port_);
  client.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const auto queue = queue_.get_future().get();

  while (queue->push({.data = std::string(50'000, 'x')})) std::this_thread::yield();

  wait_closed(*queue);
}

TEST_F(ServerTest, StoppingEndsStreams) {
  start();
  TestClient client(port_);
  client.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  client.read_until("\n\n");

  server_->stop(seconds(10));

  EXPECT_TRUE(client.read_to_end().ends_with("0\r\n\r\n"));
  const auto queue = queue_.get_future().get();
  wait_closed(*queue);
}

TEST_F(ServerTest, AProducerMayOutliveTheServer) {
  start();
  TestClient client(port_);
  client.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  client.read_until("\n\n");
  const auto queue = queue_.get_future().get();

  server_.reset();

  EXPECT_FALSE(queue->push({.data = "nobody hears"}));
}

TEST_F(ServerTest, TooManyStreamsAreRefused) {
  start({.max_streams = 0});

  EXPECT_EQ(TestClient(port_).get("/events").status, 503);
}

TEST_F(ServerTest, HeadOfAStreamIsOnlyAHead) {
  start();
  TestClient client(port_);
  client.send("HEAD /events HTTP/1.1\r\nHost: localhost\r\n\r\n");

  EXPECT_EQ(client.receive(true).status, 200);
  EXPECT_EQ(client.read_to_end(), "");
  EXPECT_TRUE(queue_.get_future().get()->is_closed());
}

TEST_F(ServerTest, AnAnswerMayTurnIntoAStreamWhileItsHandlerRuns) {
  start();
  TestClient client(port_);
  client.send("POST /turning HTTP/1.1\r\nHost: localhost\r\n\r\n");

  const std::string all = client.read_to_end();

  EXPECT_NE(all.find("Content-Type: text/event-stream"), std::string::npos) << all;
  EXPECT_NE(all.find("data: half\n\n"), std::string::npos);
  EXPECT_NE(all.find("data: done\n\n"), std::string::npos);
  EXPECT_TRUE(all.ends_with("0\r\n\r\n"));
}

}  // namespace
}  // namespace holdfast::http
