// What is kept, or given to clients to keep, between requests.
#include <limits>

#include <gtest/gtest.h>

#include "mcp/changes.h"
#include "mcp/progress_gate.h"
#include "mcp/protocol.h"
#include "mcp/request_state.h"
#include "mcp/session_table.h"
#include "model/json_text.h"

namespace holdfast::mcp {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

const PrincipalId kAnna{"anna"};
const PrincipalId kBert{"bert"};

class RequestStateTest : public ::testing::Test {
 protected:
  StateScope scope(std::string_view item = "tool", const PrincipalId& principal = kAnna) {
    return {.method = "tools/call", .item = item, .arguments = arguments_, .principal = principal};
  }

  ManualClock clock_{Timestamp(std::chrono::hours(1000))};
  RequestStates states_{clock_};
  Value arguments_ = Value::object({{"a", 1}});
};

TEST_F(RequestStateTest, ComesBackAsItWasGiven) {
  const Value state = Value::object({{"step", 2}});
  const std::string sealed = states_.seal(scope(), state);

  EXPECT_EQ(states_.open(scope(), sealed), state);
  EXPECT_NE(states_.seal(scope(), state), sealed);
}

TEST_F(RequestStateTest, IsBoundToRequestCallerAndTime) {
  const std::string sealed = states_.seal(scope(), Value(1));

  EXPECT_FALSE(states_.open(scope("other"), sealed).has_value());
  EXPECT_FALSE(states_.open(scope("tool", kBert), sealed).has_value());
  const Value others = Value::object({{"a", 2}});
  EXPECT_FALSE(states_
                   .open({.method = "tools/call",
                          .item = "tool",
                          .arguments = others,
                          .principal = kAnna},
                         sealed)
                   .has_value());
  EXPECT_FALSE(RequestStates(clock_).open(scope(), sealed).has_value());
  clock_.advance(minutes(9));
  EXPECT_TRUE(states_.open(scope(), sealed).has_value());
  clock_.advance(minutes(1));
  EXPECT_FALSE(states_.open(scope(), sealed).has_value());
}

TEST_F(RequestStateTest, CannotBeAltered) {
  const std::string sealed = states_.seal(scope(), Value(1));
  for (size_t i = 0; i < sealed.size(); i += 7) {
    std::string altered = sealed;
    altered[i] = altered[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(states_.open(scope(), altered).has_value()) << i;
  }
  for (const char* text : {"", ".", "x", "x.y"}) EXPECT_FALSE(states_.open(scope(), text));
  EXPECT_FALSE(states_.open(scope(), sealed + "A"));
}

class SessionTableTest : public ::testing::Test {
 protected:
  ManualClock clock_{Timestamp(std::chrono::hours(1000))};
  SessionTable table_{clock_, 3};
  Changes changes_;
};

TEST_F(SessionTableTest, BelongsToItsPrincipal) {
  const auto session = table_.create(kAnna);

  EXPECT_EQ(table_.find(session->id(), kAnna), session);
  EXPECT_EQ(table_.find(session->id(), kBert), nullptr);
  EXPECT_FALSE(table_.remove(session->id(), kBert));
  EXPECT_TRUE(table_.remove(session->id(), kAnna));
  EXPECT_EQ(table_.find(session->id(), kAnna), nullptr);
}

TEST_F(SessionTableTest, ForgetsIdleSessionsOnly) {
  const auto idle = table_.create(kAnna);
  const auto used = table_.create(kAnna);
  const auto streaming = table_.create(kAnna);
  const auto stream = changes_.open_stream({});
  streaming->set_stream(stream);
  clock_.advance(minutes(40));
  EXPECT_NE(table_.find(used->id(), kAnna), nullptr);
  clock_.advance(minutes(40));

  EXPECT_EQ(table_.find(idle->id(), kAnna), nullptr);
  EXPECT_NE(table_.find(used->id(), kAnna), nullptr);
  EXPECT_NE(table_.find(streaming->id(), kAnna), nullptr);

  // The end of a stream is a use.
  clock_.advance(minutes(50));
  stream->close();
  clock_.advance(minutes(50));
  EXPECT_NE(table_.find(streaming->id(), kAnna), nullptr);
  EXPECT_EQ(table_.find(used->id(), kAnna), nullptr);
}

TEST_F(SessionTableTest, DropsTheOneIdleLongestWhenFull) {
  const auto busy = table_.create(kAnna);
  const auto request = busy->in_flight().begin("1");
  const auto oldest = table_.create(kAnna);
  const auto newer = table_.create(kAnna);

  const auto added = table_.create(kBert);

  EXPECT_EQ(table_.size(), 3U);
  EXPECT_EQ(table_.find(oldest->id(), kAnna), nullptr);
  EXPECT_NE(table_.find(busy->id(), kAnna), nullptr);
  EXPECT_NE(table_.find(newer->id(), kAnna), nullptr);
  EXPECT_FALSE(request->cancelled());
}

TEST_F(SessionTableTest, RemovalEndsWhatIsUnderWay) {
  const auto session = table_.create(kAnna);
  const auto request = session->in_flight().begin("1");
  bool ended = false;
  const auto stream = changes_.open_stream({});
  stream->attach([](const Value&) {}, [&] { ended = true; });
  session->set_stream(stream);

  table_.remove(session->id(), kAnna);

  EXPECT_TRUE(request->cancelled());
  EXPECT_TRUE(ended);
  EXPECT_EQ(changes_.open(), 0U);
}

TEST(ChangesTest, NothingOvertakesTheAcknowledgement) {
  Changes changes;
  std::vector<std::string> sent;
  const auto stream = changes.subscribe(kAnna, {.tools = true}, Value(7), Value("first"));
  changes.list_changed(ChangedList::kTools);
  changes.list_changed(ChangedList::kPrompts);

  stream->attach([&](const Value& message) { sent.push_back(to_json(message)); }, {});
  changes.list_changed(ChangedList::kTools);

  ASSERT_EQ(sent.size(), 3U);
  EXPECT_EQ(sent[0], "\"first\"");
  EXPECT_EQ(sent[1], sent[2]);
  EXPECT_NE(sent[1].find(R"("io.modelcontextprotocol/subscriptionId":7)"), std::string::npos);
}

TEST(ChangesTest, ResourceUpdatesGoToTheirSubscribers) {
  Changes changes;
  std::vector<std::string> sent;
  const auto stream = changes.open_stream(
      {.updates = [](const std::string& uri) { return uri == "test://a"; }});
  stream->attach([&](const Value& message) { sent.push_back(to_json(message)); }, {});

  changes.resource_updated("test://a");
  changes.resource_updated("test://b");
  changes.list_changed(ChangedList::kResources);
  stream->close();
  changes.resource_updated("test://a");

  EXPECT_EQ(sent, std::vector<std::string>{
                      R"({"jsonrpc":"2.0","method":"notifications/resources/updated",)"
                      R"("params":{"uri":"test://a"}})"});
}

TEST(ChangesTest, SubscriptionsOfAPrincipalAreBounded) {
  Changes changes;
  std::vector<std::shared_ptr<Subscription>> open;
  for (size_t i = 0; i < kMaxSubscriptions; ++i)
    open.push_back(changes.subscribe(kAnna, {}, Value(i), Value()));

  EXPECT_EQ(changes.subscribe(kAnna, {}, Value("one more"), Value()), nullptr);
  EXPECT_NE(changes.subscribe(kBert, {}, Value(0), Value()), nullptr);
  open.front()->close();
  EXPECT_NE(changes.subscribe(kAnna, {}, Value("again"), Value()), nullptr);
}

TEST(ProgressGateTest, SendsTenASecondAndTheLast) {
  ProgressGate gate;
  const ProgressGate::TimePoint start{};
  int sent = 0;
  for (int i = 0; i < 25; ++i) {
    if (gate.offer({.done = static_cast<double>(i)}, start + milliseconds(i))) ++sent;
  }

  EXPECT_EQ(sent, 10);
  EXPECT_EQ(gate.finish()->done, 24);
  EXPECT_FALSE(gate.finish().has_value());
  EXPECT_TRUE(gate.offer({.done = 30}, start + milliseconds(1000)).has_value());
}

TEST(ProgressGateTest, DropsWhatDoesNotGrow) {
  ProgressGate gate;
  const ProgressGate::TimePoint now{};
  EXPECT_TRUE(gate.offer({.done = 1}, now).has_value());
  EXPECT_FALSE(gate.offer({.done = 1}, now).has_value());
  EXPECT_FALSE(gate.offer({.done = 0.5}, now).has_value());
  EXPECT_FALSE(gate.offer({.done = std::numeric_limits<double>::quiet_NaN()}, now).has_value());
  EXPECT_TRUE(gate.offer({.done = 1.5}, now).has_value());
}

}  // namespace
}  // namespace holdfast::mcp
