#include "embed/openai_completer.h"

#include <gtest/gtest.h>

#include "embed/tiny_server_fake.h"

namespace holdfast::embed {
namespace {

OpenAiCompleterOptions options_for(const TinyServer& server) {
  return {.endpoint = {.base_url = server.url(), .api_key = "secret", .attempts = 1}, .model = "m"};
}

Result<Completion> ask(const TinyServer& server, const CompletionRequest& request) {
  return make_openai_completer(options_for(server))->complete(request, kNoDeadline);
}

TEST(OpenAiCompleterTest, SendsTheMessagesAndReadsTheAnswer) {
  TinyServer server({http(200, R"({"model":"m-7","choices":[{"message":{"content":"{}"},)"
                               R"("finish_reason":"length"}],"usage":{"prompt_tokens":5,)"
                               R"("completion_tokens":2}})")});

  const auto answer =
      ask(server, {.messages = {{"system", "Be brief."}, {"user", "Hi"}}, .max_tokens = 9});

  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->content, "{}");
  EXPECT_EQ(answer->model, "m-7");
  EXPECT_TRUE(answer->cut_short);
  EXPECT_EQ(answer->prompt_tokens, 5);
  EXPECT_EQ(answer->completion_tokens, 2);
  const std::string sent = server.last_request();
  EXPECT_NE(sent.find("POST /v1/chat/completions "), std::string::npos);
  EXPECT_NE(sent.find("Authorization: Bearer secret"), std::string::npos);
  EXPECT_NE(sent.find(R"({"role":"system","content":"Be brief."})"), std::string::npos);
  EXPECT_NE(sent.find(R"("max_tokens":9)"), std::string::npos);
  EXPECT_NE(sent.find(R"("response_format":{"type":"json_object"})"), std::string::npos);
}

TEST(OpenAiCompleterTest, TellsRefusalsApart) {
  const auto code = [](const std::string& response) {
    TinyServer server({response});
    return ask(server, {.messages = {{"user", "Hi"}}}).error().code;
  };
  EXPECT_EQ(code(http(401, "")), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(http(408, "")), ErrorCode::kUnavailable);
  EXPECT_EQ(code(http(500, "")), ErrorCode::kUnavailable);
  EXPECT_EQ(code(http(429, "", "Retry-After: 7\r\n")), ErrorCode::kRateLimited);
  EXPECT_EQ(code(http(200, "no json")), ErrorCode::kCorrupted);
  EXPECT_EQ(code(http(200, R"({"choices":[]})")), ErrorCode::kCorrupted);
  EXPECT_EQ(code(http(200, R"({"choices":[{"message":{}}]})")), ErrorCode::kCorrupted);
}

TEST(OpenAiCompleterTest, CopiesTheWaitThatTheEndpointAsksFor) {
  TinyServer server({http(429, "", "Retry-After: 7\r\n")});
  EXPECT_EQ(ask(server, {.messages = {{"user", "Hi"}}}).error().retry_after_seconds, 7);
}

TEST(OpenAiCompleterTest, ASilentEndpointIsATimeoutAndAMissingOneUnavailable) {
  TinyServer silent({""}, std::chrono::milliseconds(400));
  OpenAiCompleterOptions options = options_for(silent);
  options.endpoint.timeout = std::chrono::milliseconds(100);
  const auto late =
      make_openai_completer(options)->complete({.messages = {{"user", "Hi"}}}, kNoDeadline);
  EXPECT_EQ(late.error().code, ErrorCode::kDeadlineExceeded);

  options.endpoint.base_url = "http://127.0.0.1:1/v1";
  const auto nobody =
      make_openai_completer(options)->complete({.messages = {{"user", "Hi"}}}, kNoDeadline);
  EXPECT_EQ(nobody.error().code, ErrorCode::kUnavailable);
}

// Only what the endpoint itself says is wrong with a request is a refusal for good.
TEST(OpenAiCompleterTest, AnAnswerOfAnotherStatusIsUnusable) {
  for (const int status : {204, 206, 301, 304}) {
    TinyServer server({http(status, "{}")});
    EXPECT_EQ(ask(server, {}).error().code, ErrorCode::kCorrupted) << status;
  }
}

TEST(OpenAiCompleterTest, ACurfewEndsACallUnderWay) {
  TinyServer server({http(200, R"({"choices":[{"message":{"content":"late"}}]})")},
                    std::chrono::seconds(3));
  Curfew curfew;
  auto options = options_for(server);
  options.endpoint.curfew = &curfew;
  std::thread stopper([&] {
    while (server.requests() == 0) std::this_thread::yield();
    curfew.set(std::chrono::steady_clock::now());
  });

  const auto answer = make_openai_completer(options)->complete({}, kNoDeadline);

  stopper.join();
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(answer.error().reason, kStopping);
}

TEST(OpenAiCompleterTest, ACurfewEndsTheWaitForAnotherAttempt) {
  TinyServer server({http(503, "")});
  Curfew curfew;
  auto options = options_for(server);
  options.endpoint.curfew = &curfew;
  options.endpoint.attempts = 2;
  options.endpoint.first_backoff = options.endpoint.max_backoff = std::chrono::hours(1);
  std::thread stopper([&] {
    while (server.requests() == 0) std::this_thread::yield();
    curfew.set(std::chrono::steady_clock::now() + std::chrono::milliseconds(20));
  });

  const auto answer = make_openai_completer(options)->complete({}, kNoDeadline);

  stopper.join();
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(answer.error().reason, kStopping);
  EXPECT_EQ(server.requests(), 1);
}

}  // namespace
}  // namespace holdfast::embed
