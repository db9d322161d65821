// Batches and keys when the server is killed in the middle of them.
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "contract/observations/observation_client.h"

namespace holdfast::testing {
namespace {

constexpr int kItems = 100;

std::string batch_body(const std::string& commit) {
  Value items = Value::array();
  for (int i = 0; i < kItems; ++i) {
    items.push(ObservationServer::body(Value::object(
        {{"title", commit + " item " + std::to_string(i)}, {"tags", Value::array({commit})}})));
  }
  return to_json(Value::object(
      {{"commit_id", commit}, {"observations", std::move(items)}, {"fail_on_error", true}}));
}

TEST(ObservationsCrashTest, AKilledBatchIsAllOrNothingAndItsCommitIdMakesOneSet) {
  ObservationServer api;
  int whole = 0;
  int lost = 0;
  for (int round = 0; round < 12; ++round) {
    const std::string commit = "crash" + std::to_string(round);
    const std::string body = batch_body(commit);
    HttpAnswer answer;
    std::thread caller(
        [&] { answer = api.send("ann", "POST", "/observations/batch", body, commit + ":a"); });
    // Later every round: before, during and after the write.
    std::this_thread::sleep_for(std::chrono::milliseconds(round * 2));
    api.server().stop(SIGKILL);
    caller.join();
    api.server().start();

    const auto total = [&] {
      return text_at(api.get("eve", "/observations?limit=1&tag=" + commit), "meta.total_count");
    };
    const std::string after = total();
    EXPECT_TRUE(after == "0" || after == std::to_string(kItems)) << after;
    if (answer.status == 201) {
      EXPECT_EQ(after, std::to_string(kItems)) << "acknowledged";
    }
    (after == "0" ? lost : whole) += 1;

    const auto again = api.send("ann", "POST", "/observations/batch", body, commit + ":b");
    EXPECT_EQ(again.status, 201) << again.body;
    EXPECT_EQ(again.headers.contains("x-idempotency-replayed"), after != "0");
    EXPECT_EQ(total(), std::to_string(kItems));
    EXPECT_EQ(size_at(again, "data.created"), static_cast<size_t>(kItems));
  }
  EXPECT_GT(lost + whole, 0);
}

TEST(ObservationsCrashTest, AnAnsweredBatchIsListedAtOnceHoweverManyWrite) {
  ObservationServer api;
  std::vector<std::thread> callers;
  for (int c = 0; c < 8; ++c) {
    callers.emplace_back([&, c] {
      for (int i = 0; i < 5; ++i) {
        const std::string commit = "many" + std::to_string(c * 100 + i);
        const auto made =
            api.send("ann", "POST", "/observations/batch", batch_body(commit), commit + ":a");
        EXPECT_EQ(made.status, 201) << made.body;
        const auto listed = api.get("eve", "/observations?limit=1&tag=" + commit);
        EXPECT_EQ(text_at(listed, "meta.total_count"), std::to_string(kItems));
      }
    });
  }
  for (auto& caller : callers) caller.join();
}

TEST(ObservationsCrashTest, AReplayedBatchIsTheSameToTheByte) {
  ObservationServer api;
  Value items = Value::array();
  items.push(ObservationServer::body(Value::object({{"title", R"(One "data": {} \\ item)"}})));
  items.push(ObservationServer::body(Value::object({{"title", "no"}})));
  const std::string body =
      to_json(Value::object({{"commit_id", R"("data":)"}, {"observations", std::move(items)}}));
  const auto first = api.send("ann", "POST", "/observations/batch", body, "same:a");
  ASSERT_EQ(first.status, 201) << first.body;
  ASSERT_EQ(size_at(first, "data.failed"), 1U);

  const auto expect_replay = [&] {
    const auto again = api.send("ann", "POST", "/observations/batch", body, "same:a");
    EXPECT_EQ(again.status, 201);
    EXPECT_TRUE(again.headers.contains("x-idempotency-replayed"));
    EXPECT_EQ(again.body, first.body);
  };
  expect_replay();
  api.server().restart(SIGKILL);
  expect_replay();
}

TEST(ObservationsCrashTest, ConcurrentRequestsWithOneKeyMakeOneObservation) {
  ObservationServer api;
  std::vector<HttpAnswer> answers(8);
  std::vector<std::thread> callers;
  const std::string body = to_json(ObservationServer::body());
  for (HttpAnswer& answer : answers) {
    callers.emplace_back(
        [&] { answer = api.send("ann", "POST", "/api/v2/observations", body, "same:key"); });
  }
  for (std::thread& caller : callers) caller.join();

  for (const HttpAnswer& answer : answers) {
    EXPECT_EQ(answer.status, 201);
    EXPECT_EQ(answer.body, answers.front().body);
  }
  EXPECT_EQ(text_at(api.get("eve", "/observations"), "meta.total_count"), "1");
}

TEST(ObservationsCrashTest, ConcurrentPatchesLoseNoMetadata) {
  ObservationServer api;
  const std::string id = api.made("ann");
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&, i] {
      const std::string body = R"({"metadata":{"k)" + std::to_string(i) + R"(":1}})";
      EXPECT_EQ(api.send("ann", "PATCH", "/observations/" + id, body, "patch:" + std::to_string(i))
                    .status,
                200);
    });
  }
  for (std::thread& caller : callers) caller.join();

  const Value metadata = at(api.get("ann", "/observations/" + id), "data.metadata");
  EXPECT_EQ(metadata.if_object()->size(), 8U);
}

}  // namespace
}  // namespace holdfast::testing
