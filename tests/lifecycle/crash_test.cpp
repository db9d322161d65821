// SIGKILL during load, in a loop: every acknowledged write is there, the index equals the store,
// nothing is doubled.
#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "support/json.h"
#include "support/process.h"

namespace holdfast::testing {
namespace {

constexpr int kRounds = 5;
constexpr int kWriters = 6;
constexpr int kWritesBeforeKill = 400;

// Writers that send until the server dies, each write with a key of its own; what was in flight is
// sent again later under the same key.
class Load {
 public:
  void run(ServerProcess& server) {
    acknowledged_this_round_ = 0;
    std::vector<std::thread> threads;
    for (int writer = 0; writer < kWriters; ++writer) {
      threads.emplace_back(
          [this, writer, port = server.port()] { write_until_dead(writer, port); });
    }
    while (acknowledged_this_round_ < kWritesBeforeKill) std::this_thread::yield();
    server.process().signal(SIGKILL);
    for (auto& thread : threads) thread.join();
    server.process().wait();
  }

  void repeat_unanswered(ServerProcess& server) {
    HttpClient client(server.port());
    for (const std::string& key : unanswered_) {
      const auto answer = send(client, key);
      ASSERT_EQ(answer.status, 201) << answer.body;
      acknowledged_.insert(text_at(answer, "object.id"));
    }
    unanswered_.clear();
  }

  const std::set<std::string>& acknowledged() const { return acknowledged_; }

 private:
  static HttpAnswer send(HttpClient& client, const std::string& key) {
    return client.request("POST", "/holdfast/v1/remember",
                          R"({"text":"write number )" + key + "\"}", {{"Idempotency-Key", key}});
  }

  void write_until_dead(int writer, int port) {
    HttpClient client(port);
    for (int i = 0;; ++i) {
      const std::string key =
          "w" + std::to_string(writer) + "-" + std::to_string(round_counter_.fetch_add(1));
      const auto answer = send(client, key);
      const std::lock_guard<std::mutex> lock(mutex_);
      if (answer.status != 201) {
        unanswered_.push_back(key);
        return;
      }
      acknowledged_.insert(text_at(answer, "object.id"));
      ++acknowledged_this_round_;
    }
  }

  std::mutex mutex_;
  std::set<std::string> acknowledged_;
  std::vector<std::string> unanswered_;
  std::atomic<int> acknowledged_this_round_ = 0;
  std::atomic<int> round_counter_ = 0;
};

TEST(CrashTest, KillsUnderLoadLoseAndDoubleNothing) {
  TemporaryFolder folder;
  ServerProcess server(folder / "data");
  Load load;

  for (int round = 0; round < kRounds; ++round) {
    load.run(server);
    server.start();
    HttpClient client(server.port());
    for (const std::string& id : load.acknowledged()) {
      ASSERT_EQ(client.get("/holdfast/v1/objects/memory/" + id).status, 200)
          << "lost after round " << round << ": " << id;
    }
    load.repeat_unanswered(server);
    const auto verified = server.post("/holdfast/v1/verify", "{}");
    ASSERT_EQ(text_at(verified, "sound"), "true") << verified.body;
    EXPECT_EQ(text_at(server.get("/holdfast/v1/stats"), "objects.memory"),
              std::to_string(load.acknowledged().size()));
  }
}

}  // namespace
}  // namespace holdfast::testing
