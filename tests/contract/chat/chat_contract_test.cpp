// The chat surface through a real socket: answers, repetitions, erasure, privacy, restarts.
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "chat_bodies.h"
#include "support/json.h"
#include "support/process.h"

namespace holdfast::testing {
namespace {

class ChatContractTest : public ::testing::Test {
 protected:
  HttpAnswer send(const std::string& method, const std::string& target,
                  const std::string& body = "", Headers headers = {}) {
    headers.emplace("x-sol-user-id", "ana");
    return HttpClient(server_.port()).request(method, target, body, headers);
  }
  std::string create(const std::string& request_id, const std::string& content,
                     const std::string& more = "") {
    const auto answer = send("POST", "/v1/memories", memory_body(request_id, content, more));
    EXPECT_EQ(answer.status, 200) << answer.body;
    return text_at(answer, "memory.memory_id");
  }
  HttpAnswer settled(const std::string& transmission) {
    for (int i = 0; i < 200; ++i) {
      auto answer = send("GET", "/v1/transmissions/" + transmission);
      if (answer.body.find("\"pending\":true") == std::string::npos) return answer;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    return {};
  }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--rate-limits", "off", "--test-clock"}};
};

TEST_F(ChatContractTest, AnAnswerIsRepeatedAlsoAfterAKill) {
  create("r0", "My sister Ana lives in Porto.");
  const auto first = send("POST", "/v1/chat", chat_body("r1", "Where does my sister Ana live?"));
  ASSERT_EQ(first.status, 200) << first.body;
  EXPECT_NE(text_at(first, "assistant_message.output_text").find("Porto"), std::string::npos);

  server_.restart(SIGKILL);

  const auto again = send("POST", "/v1/chat", chat_body("r1", "Where does my sister Ana live?"));
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(again.headers.at("x-sol-idempotent-replay"), "true");
  EXPECT_EQ(send("POST", "/v1/chat", chat_body("r1", "Something else")).status, 409);
  EXPECT_NE(send("GET", "/v1/usage/daily").body.find("\"requests\":1"), std::string::npos);
}

TEST_F(ChatContractTest, AnAnswerComesAsEventsWhenAskedFor) {
  create("r0", "My sister Ana lives in Porto.");
  const auto answer = send("POST", "/v1/chat", chat_body("r1", "Where does my sister Ana live?"),
                           {{"Accept", "text/event-stream"}});
  EXPECT_EQ(answer.status, 200);
  EXPECT_NE(answer.body.find("event: delta\ndata: {\"text\":\"Saved memory:"), std::string::npos)
      << answer.body;
  EXPECT_NE(answer.body.find("event: done\ndata: {\"request_id\":\"r1\""), std::string::npos);
}

TEST_F(ChatContractTest, WhatIsForgottenIsInNoFile) {
  const std::string id = create("r1", "The vault word is qzforgetmeqz.", R"(,"title":"qztitleqz")");
  send("PATCH", "/v1/memories/" + id,
       R"({"request_id":"r2","patch":{"snippet":"Now it is qzsecondqz."},)"
       R"("consent":{"explicit_user_consent":true}})");
  ASSERT_TRUE(folder_contains(server_.data(), "qzsecondqz"));

  EXPECT_EQ(send("DELETE", "/v1/memories/" + id).status, 204);
  EXPECT_EQ(send("DELETE", "/v1/memories/" + id).status, 204);

  EXPECT_EQ(send("GET", "/v1/memories/" + id).status, 404);
  server_.restart(SIGTERM);
  for (const char* word : {"qzforgetmeqz", "qztitleqz", "qzsecondqz"})
    EXPECT_FALSE(folder_contains(server_.data(), word)) << word;
  // A late repetition of the calls tells what happened and brings nothing back.
  EXPECT_EQ(create("r1", "The vault word is qzforgetmeqz.", R"(,"title":"qztitleqz")"), id);
  EXPECT_EQ(send("GET", "/v1/memories/" + id).status, 404);
  EXPECT_FALSE(folder_contains(server_.data(), "qzforgetmeqz"));
}

TEST_F(ChatContractTest, AnswersThatUsedAMemoryGoWithIt) {
  const std::string id = create("r1", "My vault word is qzforgetmeqz.");
  const std::string asked = chat_body("r2", "What is my vault word?");
  const auto first = send("POST", "/v1/chat", asked);
  ASSERT_NE(first.body.find("qzforgetmeqz"), std::string::npos) << first.body;
  const std::string transmission = first.headers.at("x-sol-transmission-id");

  EXPECT_EQ(send("DELETE", "/v1/memories/" + id).status, 204);

  EXPECT_FALSE(folder_contains(server_.data(), "qzforgetmeqz"));
  const auto shown = send("GET", "/v1/transmissions/" + transmission);
  EXPECT_EQ(shown.status, 200) << shown.body;
  EXPECT_EQ(shown.body.find("qzforgetmeqz"), std::string::npos);
  // A repetition is answered anew, by what is known now.
  const auto again = send("POST", "/v1/chat", asked);
  EXPECT_EQ(again.status, 200) << again.body;
  EXPECT_EQ(again.headers.at("x-sol-transmission-id"), transmission);
  EXPECT_EQ(again.body.find("qzforgetmeqz"), std::string::npos) << again.body;
  EXPECT_EQ(send("POST", "/v1/chat", asked).body, again.body);
}

TEST_F(ChatContractTest, UsageListsEveryRun) {
  const std::string id = create("r0", "My sister Ana lives in Porto.");
  const std::string question = "Where does my sister Ana live?";
  send("POST", "/v1/chat", chat_body("r1", question));
  send("POST", "/v1/chat", chat_body("r2", question));
  EXPECT_EQ(send("DELETE", "/v1/memories/" + id).status, 204);
  const auto made_again = send("POST", "/v1/chat", chat_body("r1", question));
  ASSERT_EQ(made_again.status, 200) << made_again.body;

  const auto usage = send("GET", "/v1/usage/daily");

  EXPECT_EQ(text_at(usage, "totals.requests"), "3") << usage.body;
  EXPECT_EQ(text_at(usage, "recent_calls.0.request_id"), "r1");
  EXPECT_EQ(text_at(usage, "recent_calls.1.request_id"), "r2");
  EXPECT_EQ(text_at(usage, "recent_calls.2.request_id"), "r1") << usage.body;
}

// A request id may be used anew when its answer is no longer kept. The transmission of old then has
// no answer to show, and not that of the other.
TEST_F(ChatContractTest, ATransmissionNeverShowsAnothersAnswer) {
  create("r0", "My sister Ana lives in Porto. My brother Rui lives in Faro.");
  const auto first = send("POST", "/v1/chat", chat_body("r1", "Where does my sister Ana live?"));
  const std::string old = first.headers.at("x-sol-transmission-id");
  EXPECT_NE(send("GET", "/v1/transmissions/" + old).body.find("Porto"), std::string::npos);
  ASSERT_EQ(send("POST", "/_test/clock", R"({"advance_seconds":604800})").status, 200);

  const auto other = send("POST", "/v1/chat", chat_body("r1", "Where does my brother Rui live?"));

  ASSERT_EQ(other.status, 200) << other.body;
  EXPECT_NE(other.headers.at("x-sol-transmission-id"), old);
  const auto shown = send("GET", "/v1/transmissions/" + old);
  EXPECT_EQ(shown.status, 200) << shown.body;
  EXPECT_EQ(shown.body.find("Faro"), std::string::npos) << shown.body;
}

TEST_F(ChatContractTest, AWindowIsNotStored) {
  const auto accepted = send(
      "POST", "/v1/memories/distill",
      R"({"request_id":"d1","thread_id":"t","trigger_message_id":"m","context_window":[)"
      R"({"message_id":"m","role":"user","content":"Chatter about qzwindowqz?","created_at":"2026-01-11T00:00:00Z"},)"
      R"({"message_id":"n","role":"user","content":"I keep my keys in the blue bowl.","created_at":"2026-01-11T00:01:00Z"}],)"
      R"("consent":{"explicit_user_consent":true}})");
  ASSERT_EQ(accepted.status, 202) << accepted.body;
  const auto done = settled(text_at(accepted, "transmission_id"));
  EXPECT_EQ(text_at(done, "fact"), "I keep my keys in the blue bowl.");
  EXPECT_EQ(text_at(done, "outputEnvelope.meta.ghost_kind"), "memory_artifact");
  server_.restart(SIGTERM);
  EXPECT_FALSE(folder_contains(server_.data(), "qzwindowqz"));
  EXPECT_NE(send("GET", "/v1/memories").body.find("blue bowl"), std::string::npos);
}

TEST_F(ChatContractTest, ADistillationWhoseWindowIsLostSaysSo) {
  // A transmission that another process had accepted: only its record is left.
  const std::string body =
      R"({"request_id":"d1","thread_id":"t","trigger_message_id":"m","context_window":[)"
      R"({"message_id":"m","role":"user","content":"I keep bees.","created_at":"2026-01-11T00:00:00Z"}],)"
      R"("consent":{"explicit_user_consent":true}})";
  const auto first = send("POST", "/v1/memories/distill", body);
  server_.restart(SIGKILL);
  const std::string id = text_at(first, "transmission_id");
  const auto state = send("GET", "/v1/transmissions/" + id);
  if (text_at(state, "transmission.status") == "failed") {
    EXPECT_EQ(text_at(state, "transmission.errorCode"), "context_missing");
  }
  const auto again = send("POST", "/v1/memories/distill", body);
  EXPECT_EQ(text_at(again, "transmission_id"), id);
  EXPECT_EQ(text_at(settled(id), "transmission.status"), "completed");
  EXPECT_NE(send("GET", "/v1/memories").body.find("I keep bees."), std::string::npos);
}

TEST_F(ChatContractTest, ConcurrentRepetitionsMakeOneMemory) {
  std::vector<std::thread> threads;
  std::vector<std::string> ids(8);
  for (size_t i = 0; i < ids.size(); ++i) {
    threads.emplace_back([&, i] { ids[i] = create("same", "One thing."); });
  }
  for (auto& thread : threads) thread.join();
  for (const std::string& id : ids) EXPECT_EQ(id, ids.front());
}

TEST_F(ChatContractTest, AConflictOfBatchDeletesNamesNoMemory) {
  create("m1", "One thing.");
  const auto remove = [&](const std::string& domain) {
    return send("POST", "/v1/memories/batch_delete",
                R"({"request_id":"b","filter":{"domain":")" + domain + R"("},"confirm":true})");
  };
  EXPECT_EQ(text_at(remove("d"), "deleted_count"), "1");

  const auto refused = remove("other");

  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(refused.body.find("memory_id"), std::string::npos) << refused.body;
}

TEST_F(ChatContractTest, ARepetitionMaySpellItsNumbersOtherwise) {
  const std::string id = create("m1", "One thing.", R"(,"importance":5)");
  EXPECT_EQ(create("m1", "One thing.", R"(,"importance":5.0)"), id);
}

TEST_F(ChatContractTest, AMessageThatDoesNotFitHasNoTransmission) {
  const auto refused = send("POST", "/v1/chat", chat_body("r", std::string(4004, 'x')));
  EXPECT_EQ(text_at(refused, "error.code"), "budget_exceeded") << refused.body;
  EXPECT_FALSE(text_at(refused, "error.details.fallback_text").empty()) << refused.body;
  EXPECT_FALSE(refused.headers.contains("x-sol-transmission-id"));
}

TEST_F(ChatContractTest, ADeferredChatThatDoesNotFitSaysSo) {
  const auto accepted = send("POST", "/v1/chat", chat_body("r", std::string(4004, 'x')),
                             {{"Prefer", "respond-async"}});
  ASSERT_EQ(accepted.status, 202) << accepted.body;

  const auto done = settled(text_at(accepted, "transmission_id"));

  EXPECT_EQ(text_at(done, "transmission.errorCode"), "budget_exceeded") << done.body;
  EXPECT_EQ(text_at(done, "transmission.statusCode"), "422");
  EXPECT_EQ(text_at(done, "transmission.retryable"), "false");
  EXPECT_EQ(text_at(send("GET", "/v1/usage/daily"), "totals.requests"), "0");
}

TEST_F(ChatContractTest, APageHasAtMostAHundredHoweverManyAreWanted) {
  create("m1", "One thing.");
  for (const char* limit : {"101", "99999999999999999999999"}) {
    const auto listed = send("GET", "/v1/memories?limit=" + std::string(limit));
    EXPECT_EQ(text_at(listed, "items.0.snippet"), "One thing.") << listed.body;
  }
  for (const char* limit : {"0", "00", "-1", "%2B1", "1.0", "", "x"})
    EXPECT_EQ(send("GET", "/v1/memories?limit=" + std::string(limit)).status, 400) << limit;
  EXPECT_EQ(send("GET", "/v1/memories?cursor=2030-01-01").status, 400);
  EXPECT_EQ(send("GET", "/v1/memories?cursor=2030-01-01T00:00:00Z").status, 200);
}

TEST_F(ChatContractTest, AnEmptyBodyIsNoJson) {
  for (const char* path : {"/v1/chat", "/v1/memories", "/v1/memories/clear_all"}) {
    const auto refused = send("POST", path, "", {{"Content-Type", "application/json"}});
    EXPECT_EQ(refused.status, 400);
    EXPECT_EQ(text_at(refused, "error.details.reason"), "malformed_json") << refused.body;
  }
}

TEST_F(ChatContractTest, AMissingUserIsListedWithTheOtherFaults) {
  const auto refused =
      HttpClient(server_.port())
          .request("POST", "/v1/chat", R"({"request_id":"r","thread_id":"t"})", {});
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("\"user_id\""), std::string::npos) << refused.body;
  EXPECT_NE(refused.body.find("\"budgets\""), std::string::npos) << refused.body;
}

TEST_F(ChatContractTest, RefusalsDoNotRepeatWhatWasSent) {
  const auto missing = send("GET", "/v1/memories/qzwordqz");
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(missing.body.find("qzwordqz"), std::string::npos) << missing.body;
  EXPECT_EQ(missing.body.find("chat_memory"), std::string::npos) << missing.body;
  const auto refused = send("POST", "/v1/chat", R"({"request_id":"r"})");
  EXPECT_NE(text_at(refused, "error.message").find("'details'"), std::string::npos) << refused.body;
}

TEST_F(ChatContractTest, EveryObjectOfTheFlatDialectButMetaIsClosed) {
  const auto flat = [&](const std::string& more) {
    return send("POST", "/v1/chat", R"({"threadId":"t","message":"Good old times")" + more + "}");
  };
  for (const char* name : {"providerHints", "evidence", "context"}) {
    const auto refused = flat(",\"" + std::string(name) + R"(":{"qz":1})");
    EXPECT_EQ(text_at(refused, "unrecognizedKeys.0"), "qz") << name << refused.body;
  }
  EXPECT_EQ(flat(R"(,"meta":{"qz":1})").status, 200);
  EXPECT_EQ(flat(R"(,"providerHints":{"model":"m","tier":"nano"},"context":{"thread_memento":{}})")
                .status,
            200);
  EXPECT_EQ(flat(R"(,"providerHints":{"tier":"huge"})").status, 400);
  const auto counted =
      flat(R"(,"evidence":{"captures":[{}],"supports":[{},{}],"claims":[{},{},{}]})");
  EXPECT_EQ(text_at(counted, "evidenceSummary.captures"), "1") << counted.body;
  EXPECT_EQ(text_at(counted, "evidenceSummary.supports"), "2");
  EXPECT_EQ(text_at(counted, "evidenceSummary.claims"), "3");
  std::string many = "{}";
  for (int i = 0; i < 25; ++i) many += ",{}";
  const auto overflow = flat(R"(,"evidence":{"captures":[)" + many + "]}");
  EXPECT_EQ(overflow.status, 400);
  EXPECT_EQ(text_at(overflow, "error"), "invalid_request");
  EXPECT_EQ(text_at(overflow, "code"), "capture_count_overflow") << overflow.body;
}

TEST_F(ChatContractTest, AFlatTraceHasEveryPhaseInOrder) {
  const auto answer =
      send("POST", "/v1/chat",
           R"({"threadId":"t","message":"Old times","traceConfig":{"level":"debug"}})");
  std::vector<std::string> phases;
  for (int i = 0; i < 12; ++i)
    phases.push_back(text_at(answer, "trace.events." + std::to_string(i) + ".phase"));
  EXPECT_EQ(phases,
            (std::vector<std::string>{
                "evidence_intake", "gate_url_extraction", "gate_normalize_modality", "gate_intent",
                "gate_sentinel", "policy_engine", "breakpoint", "gate_lattice",
                "enrichment_lattice", "compose_request", "model_call", "output_gates"}))
      << answer.body;
}

TEST_F(ChatContractTest, TooManyBlocksOfAFlatBodyAreDroppedNotRefused) {
  std::string refs = R"({"id":"DB-001","version":"1.0"})";
  for (int i = 0; i < 100; ++i) refs += R"(,{"id":"DB-001","version":"1.0"})";
  const auto answer =
      send("POST", "/v1/chat",
           R"({"threadId":"t","message":"Old times","driverBlockRefs":[)" + refs + "]}");
  EXPECT_EQ(text_at(answer, "driverBlocks.acceptedCount"), "15") << answer.body;
  EXPECT_EQ(text_at(answer, "driverBlocks.droppedCount"), "91");
}

TEST_F(ChatContractTest, AFlatBodyMayNotNameAnotherUser) {
  const auto flat = [&](const std::string& user) {
    return send("POST", "/v1/chat",
                R"({"threadId":"t","message":"Old times","meta":{"user_id":")" + user + "\"}}")
        .status;
  };
  EXPECT_EQ(flat("ana"), 200);
  EXPECT_EQ(flat("bob"), 403);
}

TEST_F(ChatContractTest, FlatIdsMayBeLongAndFlatConflictsAreShort) {
  const std::string id(200, 'c');
  const auto flat = [&](const std::string& text) {
    return send("POST", "/v1/chat",
                R"({"threadId":")" + std::string(200, 't') + R"(","clientRequestId":")" + id +
                    R"(","message":")" + text + "\"}");
  };
  const auto first = flat("One thing.");
  ASSERT_EQ(first.status, 200) << first.body;

  const auto refused = flat("Another thing.");

  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(refused.body, R"({"error":"idempotency_conflict","transmissionId":")" +
                              text_at(first, "transmissionId") +
                              R"(","notification_policy":"alert"})");
}

TEST_F(ChatContractTest, UnownedPathsBelowV1AreWordedHere) {
  const auto answer = send("GET", "/v1/nothing");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(text_at(answer, "error.code"), "not_found");
}

TEST_F(ChatContractTest, AvoidedMemoriesDoNotCrowdOutOthers) {
  for (int i = 0; i < 10; ++i) {
    const std::string n = std::to_string(i);
    create("b" + n, "My bicycle spot " + n + " is with Bruno.");
  }
  create("m", "My bicycle spot, when it rains and the road to town is closed, is behind the mill.");
  std::string body = chat_body("r", "Where is my bicycle spot?");
  const std::string before = R"("capsule_summary":"")";
  body.insert(body.find(before) + before.size(),
              R"(,"cfb_inference":{"scope_guard":{"avoid_topics":["Bruno"]}})");

  const auto answer = send("POST", "/v1/chat", body);

  EXPECT_NE(text_at(answer, "assistant_message.output_text").find("mill"), std::string::npos)
      << answer.body;
  EXPECT_EQ(answer.body.find("Bruno"), std::string::npos) << answer.body;
}

TEST_F(ChatContractTest, WordsShareABeginningOfFourLettersInEveryScript) {
  create("m1", "Которые книги лежат дома?");

  const auto found = [&](const std::string& id, const std::string& text) {
    return send("POST", "/v1/chat", chat_body(id, text)).body.find("\"memory_id\"") !=
           std::string::npos;
  };

  EXPECT_FALSE(found("r1", "Где мой кот?"));
  EXPECT_TRUE(found("r2", "Сколько книг?"));
}

// As talkative as it can be.
TEST(ChatLogTest, WhatPeopleSayIsNotLogged) {
  const TemporaryFolder folder;
  const Headers ana{{"x-sol-user-id", "ana"}};
  ::testing::internal::CaptureStderr();  // which the server inherits
  {
    ServerProcess server(folder / "data",
                         {"--rate-limits", "off", "--log-level", "debug", "--access-log", "all"});
    HttpClient client(server.port());
    const auto made = client.request("POST", "/v1/memories",
                                     memory_body("r1", "The vault word is qzmemoryqz."), ana);
    client.request("POST", "/v1/chat", chat_body("r2", "What is my vault word, qzmessageqz?"), ana);
    client.request("POST", "/v1/chat", chat_body("r3", "qzrefusedqz", R"(,"qzkeyqz":1)"), ana);
    client.request("POST", "/v1/memories/distill",
                   R"({"request_id":"d","thread_id":"t","trigger_message_id":"m",)"
                   R"("context_window":[{"message_id":"m","role":"user","content":)"
                   R"("My cat is called qzwindowqz.","created_at":"2026-01-11T00:00:00Z"}],)"
                   R"("consent":{"explicit_user_consent":true}})",
                   ana);
    client.request("DELETE", "/v1/memories/" + text_at(made, "memory.memory_id"), "", ana);
    server.stop();
  }
  const std::string logged = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(logged.find("/v1/memories/distill"), std::string::npos) << logged;
  for (const char* word : {"qzmemoryqz", "qzmessageqz", "qzrefusedqz", "qzwindowqz"})
    EXPECT_EQ(logged.find(word), std::string::npos) << logged;
}

}  // namespace
}  // namespace holdfast::testing
