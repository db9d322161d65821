#include "http/request_reader.h"

#include <gtest/gtest.h>

#include "wire/transport.h"

namespace holdfast::http {
namespace {

using State = RequestReader::State;

// Feeds the text in pieces of `step` bytes; the last state.
State feed(RequestReader& reader, std::string_view text, size_t step, size_t body_limit = 1000) {
  State state = State::kMore;
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, step);
    text.remove_prefix(piece.size());
    EXPECT_TRUE(reader.append(piece));
    state = reader.advance();
    if (state == State::kHeadersDone) {
      reader.set_body_limit(body_limit);
      state = reader.advance();
    }
    if (state == State::kDone || state == State::kFailed) return state;
  }
  return state;
}

TEST(RequestReaderTest, ReadsARequestHoweverItIsCut) {
  for (const size_t step : {1UL, 2UL, 7UL, 1000UL}) {
    RequestReader reader(1024);

    ASSERT_EQ(
        feed(reader, "POST /a/b?x=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello", step),
        State::kDone);

    EXPECT_EQ(reader.request().method, "POST");
    EXPECT_EQ(reader.request().path, "/a/b");
    EXPECT_EQ(*reader.request().query.find("x"), "1");
    EXPECT_EQ(reader.request().headers.get("host"), "h");
    EXPECT_EQ(reader.request().body, "hello");
    EXPECT_TRUE(reader.keep_alive());
  }
}

TEST(RequestReaderTest, ReadsChunks) {
  for (const size_t step : {1UL, 3UL, 1000UL}) {
    RequestReader reader(1024);

    ASSERT_EQ(feed(reader,
                   "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n6\r\n "
                   "world\r\n0\r\n"
                   "Authorization: Bearer late\r\n\r\n",
                   step),
              State::kDone);

    EXPECT_EQ(reader.request().body, "hello world");
    EXPECT_FALSE(reader.request().headers.has("Authorization"));
  }
}

TEST(RequestReaderTest, ReadsOneAfterTheOther) {
  RequestReader reader(1024);
  ASSERT_TRUE(reader.append("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.0\r\n\r\n"));

  ASSERT_EQ(reader.advance(), State::kHeadersDone);
  ASSERT_EQ(reader.advance(), State::kDone);
  EXPECT_EQ(reader.request().path, "/1");
  reader.next();
  ASSERT_EQ(reader.advance(), State::kHeadersDone);
  ASSERT_EQ(reader.advance(), State::kDone);
  EXPECT_EQ(reader.request().path, "/2");
  EXPECT_FALSE(reader.keep_alive());
}

std::string failure(std::string_view text, size_t step = 1000) {
  RequestReader reader(1024);
  return feed(reader, text, step) == State::kFailed ? reader.error().reason : "read";
}

TEST(RequestReaderTest, RefusesWhatIsNoHttp) {
  for (const char* text :
       {"hello\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET / HTTP/2.0\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\nA: b\nC: d\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "\x16\x03\x01\x02\r\n\r\n"}) {
    EXPECT_EQ(failure(text), wire::reason::kMalformedRequest) << text;
  }
}

// The bytes of such a body would be read as the next request.
TEST(RequestReaderTest, RefusesBodiesWhoseEndIsNotClear) {
  for (const char* coding : {"gzip", "identity", "chunked, gzip", "gzip, chunked", "xchunked",
                             "\"chunked\"", "chunked, chunked", ""}) {
    const std::string header = std::string("Transfer-Encoding: ") + coding + "\r\n";
    for (const std::string& more : {std::string(), std::string("Content-Length: 5\r\n"),
                                    std::string("Transfer-Encoding: chunked\r\n")}) {
      EXPECT_EQ(failure("POST / HTTP/1.1\r\n" + header + more + "\r\n0\r\n\r\n"),
                wire::reason::kMalformedRequest)
          << header << more;
    }
  }
  EXPECT_EQ(failure("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            wire::reason::kMalformedRequest);
  EXPECT_EQ(failure("POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n"), "read");
}

TEST(RequestReaderTest, RefusesLongHeadersHoweverTheyCome) {
  std::string many = "GET / HTTP/1.1\r\n";
  while (many.size() < 2000) many += "A: bcdefgh\r\n";
  const std::string one = "GET / HTTP/1.1\r\nA: " + std::string(2000, 'x');
  const std::string line = "GET /" + std::string(2000, 'x');

  for (const size_t step : {1UL, 100UL, 1000UL}) {
    EXPECT_EQ(failure(many + "\r\n", step), wire::reason::kHeadersTooLarge) << step;
    EXPECT_EQ(failure(one, step), wire::reason::kHeadersTooLarge) << step;
    EXPECT_EQ(failure(line, step), wire::reason::kHeadersTooLarge) << step;
  }
}

TEST(RequestReaderTest, RefusesLongBodies) {
  RequestReader declared(1024);
  ASSERT_TRUE(declared.append("POST / HTTP/1.1\r\nContent-Length: 99\r\n\r\n"));
  ASSERT_EQ(declared.advance(), State::kHeadersDone);
  EXPECT_TRUE(declared.declares_more_than(98));
  EXPECT_FALSE(declared.declares_more_than(99));

  RequestReader chunked(1024);
  EXPECT_EQ(feed(chunked,
                 "POST / HTTP/1.1\r\nTransfer-Encoding: "
                 "chunked\r\n\r\n9\r\n123456789\r\n9\r\n123456789\r\n",
                 1000, 10),
            State::kFailed);
  EXPECT_EQ(chunked.error().reason, wire::reason::kBodyTooLarge);
}

TEST(RequestReaderTest, AnEndlessChunkExtensionIsRefused) {
  RequestReader reader(1024);
  State state = feed(reader, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;", 1000);

  for (int i = 0; i < 200 && state == State::kMore; ++i) {
    const auto space = reader.space();
    ASSERT_FALSE(space.empty());
    std::fill(space.begin(), space.end(), 'x');
    reader.commit(space.size());
    state = reader.advance();
  }

  EXPECT_EQ(state, State::kFailed);
}

TEST(RequestReaderTest, TargetsMayBeAbsolute) {
  Request request;
  set_target(request, "http://host:1/a?b=c#d");

  EXPECT_EQ(request.path, "/a");
  EXPECT_EQ(*request.query.find("b"), "c");
}

}  // namespace
}  // namespace holdfast::http
