// The chat surface with a model behind it: what becomes of its answers, and of calls under way.
#include <atomic>
#include <optional>

#include <gtest/gtest.h>

#include "chat_bodies.h"
#include "support/json.h"
#include "support/model_endpoint.h"
#include "support/process.h"

namespace holdfast::testing {
namespace {

Value model_says(const char* text) {
  const Value message = Value::object({{"content", text}});
  return Value::object(
      {{"model", "tiny"}, {"choices", Value::array({Value::object({{"message", message}})})}});
}

std::vector<std::string> answered_by(const ModelEndpoint& model) {
  return {"--rate-limits",      "off",  "--chat-provider",   "openai",
          "--openai-model",     "tiny", "--openai-api-key",  "k",
          "--openai-json-mode", "0",    "--openai-base-url", model.base_url()};
}

TEST(ChatModelTest, AnEndpointThatFailsForNowIsAskedAgainIfSo) {
  const TemporaryFolder folder;
  std::atomic<int> asked = 0;
  const ModelEndpoint model([&](const Value&) -> ModelEndpoint::Answer {
    if (++asked == 1) return {.status = 503};
    return {.body = model_says("All is well.")};
  });
  auto arguments = answered_by(model);
  arguments.insert(arguments.end(), {"--openai-retries", "1"});
  ServerProcess server(folder / "data", arguments);

  const auto answer =
      HttpClient(server.port())
          .request("POST", "/v1/chat", chat_body("r", "How is it?"), {{"x-sol-user-id", "ana"}});

  EXPECT_EQ(text_at(answer, "assistant_message.output_text"), "All is well.") << answer.body;
  EXPECT_EQ(asked, 2);
}

// A second request for the same is told 202 and whom to ask; whoever asks then is told to wait.
TEST(ChatModelTest, AChatUnderWayCanBeAskedFor) {
  const TemporaryFolder folder;
  const Headers ana{{"x-sol-user-id", "ana"}};
  std::optional<ServerProcess> server;
  HttpAnswer second;
  HttpAnswer polled;
  HttpAnswer foreign;
  HttpAnswer elsewhere;
  const ModelEndpoint model([&](const Value&) -> ModelEndpoint::Answer {
    HttpClient client(server->port());
    second = client.request("POST", "/v1/chat", chat_body("r", "How is it?"), ana);
    const std::string path = "/v1/transmissions/" + text_at(second, "transmission_id");
    polled = client.request("GET", path, "", ana);
    foreign = client.request("GET", path, "", {{"x-sol-user-id", "bob"}});
    elsewhere =
        client.request("GET", path, "", {{"x-sol-user-id", "ana"}, {"X-Holdfast-Space", "other"}});
    return {.body = model_says("All is well.")};
  });
  server.emplace(folder / "data", answered_by(model));
  HttpClient client(server->port());

  const auto first = client.request("POST", "/v1/chat", chat_body("r", "How is it?"), ana);

  EXPECT_EQ(first.status, 200) << first.body;
  EXPECT_EQ(second.status, 202) << second.body;
  EXPECT_EQ(polled.status, 200) << polled.body;
  EXPECT_EQ(at(polled, "pending"), Value(true));
  EXPECT_EQ(text_at(polled, "transmission.status"), "processing");
  EXPECT_EQ(foreign.status, 404) << foreign.body;
  EXPECT_EQ(elsewhere.status, 404) << elsewhere.body;
  const auto done = client.request(
      "GET", "/v1/transmissions/" + first.headers.at("x-sol-transmission-id"), "", ana);
  EXPECT_EQ(text_at(done, "assistant"), "All is well.") << done.body;
}

// Requests of one user in two spaces have nothing to do with each other.
TEST(ChatModelTest, AChatUnderWayIsUnknownInOtherSpaces) {
  const TemporaryFolder folder;
  std::optional<ServerProcess> server;
  HttpAnswer elsewhere;
  std::atomic<int> asked = 0;
  const ModelEndpoint model([&](const Value&) -> ModelEndpoint::Answer {
    if (++asked == 1) {
      HttpClient client(server->port());
      const Headers other{{"x-sol-user-id", "ana"}, {"X-Holdfast-Space", "other"}};
      client.request("POST", "/v1/memories", memory_body("m", "One thing."), other);
      Headers later = other;
      later["Prefer"] = "respond-async";
      elsewhere = client.request("POST", "/v1/chat", chat_body("r", "Another question?"), later);
    }
    return {.body = model_says("All is well.")};
  });
  server.emplace(folder / "data", answered_by(model));

  const auto here =
      HttpClient(server->port())
          .request("POST", "/v1/chat", chat_body("r", "How is it?"), {{"x-sol-user-id", "ana"}});

  EXPECT_EQ(here.status, 200) << here.body;
  EXPECT_EQ(elsewhere.status, 202) << elsewhere.body;
}

TEST(ChatModelTest, EveryAttemptIsInTheTraceFromCallToCheck) {
  const TemporaryFolder folder;
  std::atomic<int> asked = 0;
  const ModelEndpoint model([&](const Value&) -> ModelEndpoint::Answer {
    return {.body = model_says(++asked == 1 ? " " : "All is well.")};
  });
  ServerProcess server(folder / "data", answered_by(model));
  std::string body = chat_body("r", "How is it?");
  body.insert(body.find("\"packet_type\""), R"("trace_config":{"level":"debug"},)");

  const auto answer =
      HttpClient(server.port()).request("POST", "/v1/chat", body, {{"x-sol-user-id", "ana"}});

  EXPECT_EQ(text_at(answer, "audit.regen_count"), "1") << answer.body;
  const auto count = size_at(answer, "trace.events");
  std::vector<std::string> last;
  for (size_t i = count - 4; i < count; ++i)
    last.push_back(text_at(answer, "trace.events." + std::to_string(i) + ".phase"));
  EXPECT_EQ(last,
            (std::vector<std::string>{"model_call", "output_gates", "model_call", "output_gates"}));
}

TEST(ChatModelTest, AModelThatIsNotConfiguredCostsNothing) {
  const TemporaryFolder folder;
  const Headers ana{{"x-sol-user-id", "ana"}};
  ServerProcess server(folder / "data", {"--rate-limits", "off", "--chat-provider", "openai"});
  HttpClient client(server.port());

  const auto answer = client.request("POST", "/v1/chat", chat_body("r", "How is it?"), ana);

  EXPECT_EQ(text_at(answer, "error.code"), "provider_not_configured") << answer.body;
  EXPECT_EQ(text_at(client.request("GET", "/v1/usage/daily", "", ana), "totals.requests"), "0");
}

TEST(ChatModelTest, BlanksOfTheModelDoNotTakeTheRoomOfItsWords) {
  const TemporaryFolder folder;
  const ModelEndpoint model(
      [](const Value&) -> ModelEndpoint::Answer { return {.body = model_says("\n\n\n\nSure.")}; });
  ServerProcess server(folder / "data", answered_by(model));
  std::string body = chat_body("r", "How is it?");
  const std::string budget = R"("max_output_tokens":500)";
  body.replace(body.find(budget), budget.size(), R"("max_output_tokens":1)");

  const auto answer =
      HttpClient(server.port()).request("POST", "/v1/chat", body, {{"x-sol-user-id", "ana"}});

  EXPECT_EQ(text_at(answer, "assistant_message.output_text"), "Sure") << answer.body;
}

// A memory that is forgotten while a model still words the answer: whoever asked gets it, and it is
// not kept.
TEST(ChatModelTest, AnAnswerThatComesAfterItsMemoryWentIsNotKept) {
  const TemporaryFolder folder;
  const Headers ana{{"x-sol-user-id", "ana"}};
  std::string memory;
  std::optional<ServerProcess> server;
  const ModelEndpoint model([&](const Value&) -> ModelEndpoint::Answer {
    HttpClient(server->port()).request("DELETE", "/v1/memories/" + memory, "", ana);
    return {.body = model_says("Your vault word is qzforgetmeqz.")};
  });
  server.emplace(folder / "data", answered_by(model));
  HttpClient client(server->port());
  memory = text_at(client.request("POST", "/v1/memories",
                                  memory_body("r1", "My vault word is qzforgetmeqz."), ana),
                   "memory.memory_id");

  const auto answer =
      client.request("POST", "/v1/chat", chat_body("r2", "What is my vault word?"), ana);

  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_NE(answer.body.find("qzforgetmeqz"), std::string::npos) << answer.body;
  EXPECT_FALSE(folder_contains(server->data(), "qzforgetmeqz"));
  const auto shown = client.request(
      "GET", "/v1/transmissions/" + answer.headers.at("x-sol-transmission-id"), "", ana);
  EXPECT_EQ(shown.status, 200);
  EXPECT_EQ(shown.body.find("qzforgetmeqz"), std::string::npos) << shown.body;
}

}  // namespace
}  // namespace holdfast::testing
