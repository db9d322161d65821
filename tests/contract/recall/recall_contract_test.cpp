// The recall surface through a real socket: what is known after a kill is what is known without.
#include <chrono>
#include <csignal>
#include <map>
#include <thread>

#include <gtest/gtest.h>

#include "support/json.h"
#include "support/process.h"

namespace holdfast::testing {
namespace {

constexpr int kItems = 40;

std::string item(int number) {
  const std::string n = std::to_string(number);
  return R"({"source_type":"chat","source_id":"m)" + n +
         R"(","content_type":"text/plain","content":"We decided to paint depot )" + n +
         R"( in colour )" + std::to_string(number * 7) +
         R"(.","artifact_kind":"assistant_output","role":"assistant","container_ref":"yard",)"
         R"("thread_ref":"t)" +
         std::to_string(number % 4) + R"(","visibility":"container"})";
}

HttpAnswer send(int port, const std::string& method, const std::string& target,
                const std::string& body = "") {
  return HttpClient(port).request(method, target, body, {});
}

bool is_idle(int port) {
  const auto health = send(port, "GET", "/debug/queue/health");
  return health.status == 200 && at(health, "status_counts.pending").is_null() &&
         size_at(health, "leased_thread_scopes") == 0;
}

void drain(int port) {
  for (int i = 0; i < 400 && !is_idle(port); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  EXPECT_TRUE(is_idle(port));
}

// The types that every item gave, and the ids of its decisions.
std::map<int, std::string> memories(int port) {
  std::map<int, std::string> out;
  for (int number = 0; number < kItems; ++number) {
    const auto stored = send(port, "POST", "/items", "[" + item(number) + "]");
    EXPECT_EQ(text_at(stored, "0.processing_status"), "completed") << stored.body;
    const auto answer =
        send(port, "GET", "/items/" + text_at(stored, "0.source_item_id") + "/processing");
    out[number] = text_at(answer, "memory_object_types");
    const Value made = at(answer, "produced_memory_provenance");
    for (const Value& one : *made.if_array()) {
      if (at(one, "memory_kind") == Value("decision"))
        out[number] += " " + to_json(at(one, "memory_object_id"));
    }
  }
  return out;
}

TEST(RecallContractTest, AKillChangesNothing) {
  TemporaryFolder folder;
  std::map<int, std::string> undisturbed;
  {
    ServerProcess server{folder / "calm", {"--rate-limits", "off"}};
    for (int number = 0; number < kItems; ++number)
      send(server.port(), "POST", "/items", "[" + item(number) + "]");
    drain(server.port());
    undisturbed = memories(server.port());
  }
  ServerProcess server{folder / "rough", {"--rate-limits", "off"}};
  for (int number = 0; number < kItems; ++number) {
    const auto stored = send(server.port(), "POST", "/items", "[" + item(number) + "]");
    ASSERT_EQ(stored.status, 200) << stored.body;
    if (number % 10 == 9) server.restart(SIGKILL);
  }
  drain(server.port());
  EXPECT_EQ(memories(server.port()), undisturbed);
}

TEST(RecallContractTest, AForeignContainerLearnsNothing) {
  TemporaryFolder folder;
  ServerProcess server{folder / "data", {"--rate-limits", "off"}};
  send(server.port(), "POST", "/items", "[" + item(1) + "]");
  drain(server.port());
  const auto answer =
      send(server.port(), "POST", "/query/debug",
           R"({"text":"paint depot colour","container_ref":"sea","visibility":"container"})");
  EXPECT_EQ(text_at(answer, "decision_reason"), "no_relevant_memory") << answer.body;
  EXPECT_EQ(size_at(answer, "trace.visibility.excluded_candidates"), 0U);
  EXPECT_EQ(answer.body.find("yard"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::testing
