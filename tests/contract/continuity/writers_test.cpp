// Many writers of one subject, and writers whose server is killed.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "contract/continuity/calls.h"

namespace holdfast::testing {
namespace {

constexpr int kWriters = 8;
constexpr int kRounds = 12;

std::string second(int number) {
  return fmt::format("2026-01-01T00:{:02}:{:02}Z", number / 60, number % 60);
}

TEST(WritersTest, OneWinsEveryTimestamp) {
  const TemporaryFolder folder;
  ServerProcess server(folder / "data", {"--rate-limits", "off"});
  std::vector<std::atomic<int>> wins(kRounds);
  std::vector<std::atomic<int>> winner(kRounds);
  std::atomic<int> others = 0;
  std::vector<std::thread> threads;
  for (int writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer] {
      Relay relay(server.port());
      for (int round = 0; round < kRounds; ++round) {
        const auto answer = relay.upsert(
            {.at = second(round), .loop = fmt::format("writer {} in round {}", writer, round)});
        if (answer.status == 200) {
          ++wins[static_cast<size_t>(round)];
          winner[static_cast<size_t>(round)] = writer;
        } else if (answer.status != 409) {
          ++others;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(others, 0);
  // A slow writer finds its timestamp too old, so a round may have no winner; it never has two.
  for (const auto& count : wins) EXPECT_LE(count, 1);
  EXPECT_EQ(wins.back(), 1);
  const auto read = server.post("/v1/continuity/read", subject_text("thread", "parser"));
  EXPECT_EQ(text_at(read, "capsule.continuity.open_loops.0"),
            fmt::format("writer {} in round {}", winner.back().load(), kRounds - 1));
  const auto history = server.get("/holdfast/v1/objects/capsule/thread%3Aparser/history?limit=100");
  int written = 0;
  for (const auto& count : wins) written += count;
  EXPECT_EQ(size_at(history, "revisions"), static_cast<size_t>(written)) << history.body;
}

TEST(WritersTest, PatchesOfOneCapsuleAreAllOrNothing) {
  const TemporaryFolder folder;
  ServerProcess server(folder / "data", {"--rate-limits", "off"});
  Relay relay(server.port());
  ASSERT_EQ(relay.upsert({}).status, 200);
  const auto refused = relay.post(
      "/v1/continuity/patch", subject_text("thread", "parser",
                                           R"(,"updated_at":"2026-01-02T00:00:00Z","operations":[
        {"target":"continuity.open_loops","action":"append","value":"a"},
        {"target":"continuity.open_loops","action":"remove","match":"nope"}])"));
  EXPECT_EQ(refused.status, 404);
  const auto read = relay.post("/v1/continuity/read", subject_text("thread", "parser"));
  EXPECT_EQ(size_at(read, "capsule.continuity.open_loops"), 1U);
  EXPECT_EQ(text_at(read, "capsule.updated_at"), "2026-01-01T00:00:00Z");
}

// Whatever was acknowledged is there after a kill, whole.
TEST(WritersTest, AcknowledgedUpsertsSurviveAKill) {
  const TemporaryFolder folder;
  ServerProcess server(folder / "data", {"--rate-limits", "off"});
  std::vector<std::set<std::string>> acknowledged(kWriters);
  std::vector<std::thread> threads;
  const int port = server.port();
  for (int writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer] {
      Relay relay(port);
      for (int n = 0; n < 100'000; ++n) {
        const std::string id = fmt::format("s{}-{}", writer, n);
        const auto answer = relay.upsert({.id = id, .loop = "loop of " + id});
        if (answer.status != 200) return;  // the server is gone
        acknowledged[static_cast<size_t>(writer)].insert(id);
      }
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  server.stop(SIGKILL);
  for (std::thread& thread : threads) thread.join();
  server.start();
  Relay relay(server.port());
  size_t kept = 0;
  for (const auto& ids : acknowledged) {
    for (const std::string& id : ids) {
      const auto read = relay.post("/v1/continuity/read", subject_text("thread", id));
      ASSERT_EQ(read.status, 200) << id;
      EXPECT_EQ(text_at(read, "capsule.continuity.open_loops.0"), "loop of " + id);
      ++kept;
    }
  }
  EXPECT_GT(kept, 0U);
  // Lists are made from what is stored, so a capsule is listed exactly if it can be read.
  const auto listed = relay.post("/v1/continuity/list", R"({"limit":200})");
  EXPECT_GE(size_at(listed, "capsules"), std::min<size_t>(kept, 200));
}

}  // namespace
}  // namespace holdfast::testing
