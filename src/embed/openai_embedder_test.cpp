#include "embed/openai_embedder.h"

#include <gtest/gtest.h>

#include "embed/tiny_server_fake.h"

namespace holdfast::embed {
namespace {

const std::string kTwo =
    R"({"data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[1.5,-2]}]})";

OpenAiOptions options_for(const TinyServer& server) {
  return {.endpoint = {.base_url = server.url(),
                       .api_key = "secret",
                       .timeout = std::chrono::seconds(5),
                       .attempts = 3,
                       .first_backoff = std::chrono::milliseconds(1),
                       .max_backoff = std::chrono::milliseconds(5)},
          .model = "m",
          .dimensions = 2};
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
  options.endpoint.first_backoff = options.endpoint.max_backoff = std::chrono::seconds(60);
  const auto late = make_openai_embedder(options)->embed(
      {"a"}, std::chrono::steady_clock::now() + std::chrono::seconds(2));
  EXPECT_EQ(late.error().code, ErrorCode::kDeadlineExceeded);

  TinyServer large({http(200, std::string(100'000, ' '))});
  auto small = options_for(large);
  small.endpoint.max_response_bytes = 1000;
  EXPECT_EQ(make_openai_embedder(small)->embed({"a"}, kNoDeadline).error().code,
            ErrorCode::kCorrupted);
}

}  // namespace
}  // namespace holdfast::embed
