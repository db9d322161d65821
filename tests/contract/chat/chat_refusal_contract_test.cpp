// How the chat surface words refusals and waiting, in both dialects, and when it refuses for haste.
#include <optional>

#include <gtest/gtest.h>

#include "chat_bodies.h"
#include "support/json.h"
#include "support/model_endpoint.h"
#include "support/process.h"

namespace holdfast::testing {
namespace {

const Headers kAna{{"x-sol-user-id", "ana"}};

class ChatRefusalTest : public ::testing::Test {
 protected:
  HttpAnswer chat(const std::string& body, Headers headers = {}) {
    headers.emplace("x-sol-user-id", "ana");
    return HttpClient(server_.port()).request("POST", "/v1/chat", body, headers);
  }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--rate-limits", "off"}};
};

TEST_F(ChatRefusalTest, EveryBadScopeIsListedAtItsPlace) {
  std::string body = chat_body("r", "Old times");
  const std::string scope = R"("domain_scope":"all")";
  body.replace(body.find(scope), scope.size(), R"("domain_scope":["ok","",5])");

  const auto refused = chat(body);

  EXPECT_EQ(refused.status, 400);
  const std::string place = "packet.retrieval_config.domain_scope";
  EXPECT_NE(refused.body.find("\"" + place + "[1]\""), std::string::npos) << refused.body;
  EXPECT_NE(refused.body.find("\"" + place + "[2]\""), std::string::npos) << refused.body;
}

TEST_F(ChatRefusalTest, AnEmptyUserOfAFlatBodyNamesNobody) {
  const auto answer = chat(R"({"threadId":"t","message":"Old times","meta":{"user_id":""}})");
  EXPECT_EQ(answer.status, 200) << answer.body;
}

TEST_F(ChatRefusalTest, AStructuredRefusalOfAFlatBodyHasItsId) {
  const auto refused = chat(R"({"threadId":"t","message":"","clientRequestId":"c"})",
                            {{"x-sol-error-format", "structured"}});
  EXPECT_EQ(text_at(refused, "request_id"), "c") << refused.body;
  EXPECT_EQ(text_at(refused, "error.code"), "invalid_request");
}

// Who waits is told with the urgency that the answer will have.
TEST_F(ChatRefusalTest, AFlatWaitIsAsUrgentAsItsMessage) {
  const auto pending = [&](const std::string& text) {
    const auto answer =
        chat(R"({"threadId":"t","notification_policy":"urgent","message":")" + text + "\"}",
             {{"Prefer", "respond-async"}});
    EXPECT_EQ(answer.status, 202) << answer.body;
    return text_at(answer, "notification_policy");
  };
  EXPECT_EQ(pending("Old times"), "alert");
  EXPECT_EQ(pending("Is this contract fine?"), "urgent");
  EXPECT_EQ(pending("I want to hurt myself"), "urgent");
}

TEST_F(ChatRefusalTest, EveryVisibleRequestIdComesBackAndOthersAreMade) {
  HttpClient client(server_.port());
  const auto id_for = [&](const std::string& sent) {
    const auto listed = client.request("GET", "/v1/memories", "",
                                       {{"x-sol-user-id", "ana"}, {"x-request-id", sent}});
    EXPECT_EQ(text_at(listed, "request_id"), listed.headers.at("x-request-id"));
    return listed.headers.at("x-request-id");
  };
  EXPECT_EQ(id_for("a/b!~\""), "a/b!~\"");
  EXPECT_EQ(id_for(std::string(128, 'x')), std::string(128, 'x'));
  for (const std::string& bad : {std::string(129, 'x'), std::string("two words")})
    EXPECT_EQ(id_for(bad).size(), 36U) << id_for(bad);
}

TEST_F(ChatRefusalTest, KindsThatAreNoneAreRefused) {
  HttpClient client(server_.port());
  EXPECT_EQ(client.request("GET", "/v1/memories?memory_kind=fact", "", kAna).status, 200);
  EXPECT_EQ(client.request("GET", "/v1/memories?memory_kind=qz", "", kAna).status, 400);
}

class ChatWithModelTest : public ::testing::Test {
 protected:
  static std::vector<std::string> arguments(const ModelEndpoint& model) {
    return {"--rate-limits",      "off",  "--chat-provider",   "openai",
            "--openai-model",     "tiny", "--openai-api-key",  "k",
            "--openai-json-mode", "0",    "--openai-base-url", model.base_url()};
  }
  static ModelEndpoint::Answer says(const char* text) {
    const Value message = Value::object({{"content", text}});
    return {.body = Value::object(
                {{"choices", Value::array({Value::object({{"message", message}})})}})};
  }

  TemporaryFolder folder_;
};

TEST_F(ChatWithModelTest, AFlatFailureSaysItsSafeSentenceOnce) {
  const ModelEndpoint model([](const Value&) { return says("I sent it."); });
  ServerProcess server(folder_ / "data", arguments(model));

  const auto refused = HttpClient(server.port())
                           .request("POST", "/v1/chat",
                                    R"({"threadId":"t","message":"I want to hurt myself"})", kAna);

  EXPECT_EQ(text_at(refused, "error"), "driver_block_enforcement_failed") << refused.body;
  EXPECT_FALSE(text_at(refused, "assistant").empty());
  EXPECT_EQ(refused.body.find("fallback_text"), std::string::npos) << refused.body;
  EXPECT_EQ(text_at(refused, "notification_policy"), "urgent");
}

TEST_F(ChatWithModelTest, AWaitThatTheModelDoesNotNameIsNotNamed) {
  const ModelEndpoint model([](const Value&) -> ModelEndpoint::Answer { return {.status = 429}; });
  ServerProcess server(folder_ / "data", arguments(model));

  const auto refused =
      HttpClient(server.port()).request("POST", "/v1/chat", chat_body("r", "How is it?"), kAna);

  EXPECT_EQ(text_at(refused, "error.code"), "provider_rate_limited") << refused.body;
  EXPECT_EQ(refused.body.find("retry_after_ms"), std::string::npos) << refused.body;
}

TEST_F(ChatWithModelTest, RunsThatAnsweredNothingAreNotCounted) {
  const ModelEndpoint model([](const Value&) -> ModelEndpoint::Answer { return {.status = 500}; });
  std::vector<std::string> all = arguments(model);
  all.insert(all.end(), {"--chat-price-in-per-1k", "2"});
  ServerProcess server(folder_ / "data", all);
  HttpClient client(server.port());

  EXPECT_EQ(client.request("POST", "/v1/chat", chat_body("r", "How is it?"), kAna).status, 502);

  const auto usage = client.request("GET", "/v1/usage/daily", "", kAna);
  EXPECT_EQ(text_at(usage, "totals.requests"), "0") << usage.body;
  EXPECT_EQ(text_at(usage, "totals.input_tokens"), "0");
  EXPECT_EQ(size_at(usage, "recent_calls"), 0U);
}

TEST_F(ChatWithModelTest, TheWholeAnswerIsJudgedThenCut) {
  const std::string words = "word word word word word word word word word word word word ";
  const auto answer = [&](const std::string& text, const char* rule) {
    const ModelEndpoint model([&](const Value&) { return says(text.c_str()); });
    ServerProcess server(folder_ / ("data" + text.substr(text.rfind(' ') + 1)), arguments(model));
    std::string body = chat_body("r", "How is it?");
    const auto put = [&](const std::string& in, const std::string& instead) {
      ASSERT_NE(body.find(in), std::string::npos) << body;
      body.replace(body.find(in), in.size(), instead);
    };
    put(R"("max_output_tokens":500)", R"("max_output_tokens":10)");
    put(R"("max_regenerations":1)", R"("max_regenerations":0)");
    put(R"("message_ids":[],)",
        R"("message_ids":[],"driver_block_inline":[{"id":"B","version":"1","scope":"global",)"
        R"("source":"user_created","definition":"Validators:\n- )" +
            std::string(rule) + R"("}],)");
    return HttpClient(server.port()).request("POST", "/v1/chat", body, kAna);
  };
  EXPECT_EQ(answer(words + "banana", R"(Must-not: \"banana\")").status, 422);
  const auto cut = answer(words + "kiwi", R"(Must-have: \"kiwi\")");
  EXPECT_EQ(cut.status, 200) << cut.body;
  EXPECT_EQ(text_at(cut, "assistant_message.output_text"),
            "word word word word word word word word");
}

TEST_F(ChatWithModelTest, AnAddressThatIsNoneStopsTheServer) {
  for (const char* url : {"nourl", "ftp://x/v1", "http://"}) {
    const auto refused = run_holdfast(
        {"serve", "--data", folder_ / "data", "--listen", "127.0.0.1:0", "--openai-base-url", url});
    EXPECT_EQ(refused.status, 2) << url;
    EXPECT_NE(refused.err.find("OPENAI_BASE_URL"), std::string::npos) << refused.err;
  }
}

// The level belongs to the run that is under way, not to whoever asks for it again.
TEST_F(ChatWithModelTest, ARepetitionIsToldTheLevelOfTheRunUnderWay) {
  std::optional<ServerProcess> server;
  HttpAnswer second;
  const ModelEndpoint model([&](const Value&) {
    std::string body = chat_body("r", "How is it?");
    body.insert(body.find("\"packet_type\""), R"("trace_config":{"level":"debug"},)");
    second = HttpClient(server->port()).request("POST", "/v1/chat", body, kAna);
    return says("All is well.");
  });
  server.emplace(folder_ / "data", arguments(model));

  HttpClient(server->port()).request("POST", "/v1/chat", chat_body("r", "How is it?"), kAna);

  EXPECT_EQ(second.status, 202) << second.body;
  EXPECT_EQ(text_at(second, "trace.level"), "info") << second.body;
}

// A bucket that fills while time passes: nobody waits for the whole minute to be over.
TEST(ChatRateTest, ASpentBudgetComesBackStepByStep) {
  const TemporaryFolder folder;
  ServerProcess server(folder / "data", {"--test-clock", "--chat-requests-per-minute", "6"});
  HttpClient client(server.port());
  const auto list = [&] { return client.request("GET", "/v1/memories", "", kAna); };
  for (int i = 0; i < 6; ++i) ASSERT_EQ(list().status, 200);

  const auto refused = list();
  EXPECT_EQ(refused.status, 429);
  const int wait = std::stoi(refused.headers.at("retry-after"));
  EXPECT_GE(wait, 1);
  EXPECT_LE(wait, 10);

  client.request("POST", "/_test/clock", R"({"advance_seconds":)" + std::to_string(wait) + "}");
  EXPECT_EQ(list().status, 200);
  EXPECT_EQ(list().status, 429);
}

}  // namespace
}  // namespace holdfast::testing
