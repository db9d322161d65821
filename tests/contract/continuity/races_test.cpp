// Callers that want the same thing at the same moment: one gets it, the others are told so.
#include <algorithm>
#include <functional>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "contract/continuity/calls.h"

namespace holdfast::testing {
namespace {

constexpr size_t kCallers = 8;

// The answers of many callers who ask at once.
std::vector<HttpAnswer> all_at_once(int port, const std::function<HttpAnswer(Relay&)>& ask) {
  std::vector<HttpAnswer> answers(kCallers);
  std::vector<std::thread> threads;
  for (HttpAnswer& answer : answers) {
    threads.emplace_back([&, port] {
      Relay relay(port);
      answer = ask(relay);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return answers;
}

size_t with_status(const std::vector<HttpAnswer>& answers, int status) {
  return static_cast<size_t>(
      std::ranges::count(answers, status, [](const HttpAnswer& one) { return one.status; }));
}

class RacesTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--rate-limits", "off"}};
};

TEST_F(RacesTest, OneReminderIsCreatedOnce) {
  const auto answers = all_at_once(server_.port(), [](Relay& relay) {
    return relay.post("/v1/schedule/items",
                      R"({"kind":"reminder","title":"t","due_at":"2099-01-01T00:00:00Z"})");
  });
  EXPECT_EQ(with_status(answers, 201), 1U);
  EXPECT_EQ(with_status(answers, 200), kCallers - 1);
  EXPECT_EQ(text_at(server_.get("/v1/schedule/items"), "total"), "1");
}

TEST_F(RacesTest, AVersionIsReplacedOnce) {
  const auto made =
      server_.post("/v1/coordination/shared/create", R"({"title":"t","constraints":["c"]})");
  ASSERT_EQ(made.status, 200) << made.body;
  const std::string id = text_at(made, "shared.shared_id");
  const auto answers = all_at_once(server_.port(), [&](Relay& relay) {
    return relay.post("/v1/coordination/shared/" + id + "/update",
                      R"({"expected_version":1,"title":"u","constraints":["d"]})");
  });
  EXPECT_EQ(with_status(answers, 200), 1U);
  EXPECT_EQ(with_status(answers, 409), kCallers - 1);
  EXPECT_EQ(text_at(server_.get("/v1/coordination/shared/" + id), "shared.version"), "2");
}

TEST_F(RacesTest, OneKeyHasOneAnswer) {
  const auto answers = all_at_once(server_.port(), [](Relay& relay) {
    return relay.upsert({.envelope = R"(,"idempotency_key":"once")"});
  });
  EXPECT_EQ(with_status(answers, 200), kCallers);
  std::set<std::string> bodies;
  for (const HttpAnswer& answer : answers) bodies.insert(answer.body);
  EXPECT_EQ(bodies.size(), 1U);
  const auto other =
      Relay(server_.port()).upsert({.loop = "another", .envelope = R"(,"idempotency_key":"once")"});
  EXPECT_EQ(other.status, 409);
  EXPECT_EQ(text_at(other, "detail"), "Idempotency key was already used with a different request");
}

TEST_F(RacesTest, OneTaskIsCreatedOnceAndMovedWhole) {
  const auto made = all_at_once(server_.port(), [](Relay& relay) {
    return relay.post("/v1/tasks", R"({"task_id":"k","title":"t","owner_peer":"p"})");
  });
  EXPECT_EQ(with_status(made, 200), 1U);
  EXPECT_EQ(with_status(made, 409), kCallers - 1);
}

}  // namespace
}  // namespace holdfast::testing
