#include <condition_variable>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include "mcp/lines.h"
#include "mcp/server_fake.h"
#include "mcp/stdio_server.h"

namespace holdfast::mcp {
namespace {

using std::chrono::milliseconds;

TEST(LineReaderTest, CutsLinesWhereverTheBytesAreCut) {
  for (size_t step = 1; step < 12; ++step) {
    std::vector<std::string> lines;
    LineReader reader(100, {.line = [&](std::string_view line) { lines.emplace_back(line); },
                            .too_long = [] { FAIL(); }});
    const std::string text = "one\ntwo\r\n\nlast";
    for (size_t at = 0; at < text.size(); at += step) reader.feed(text.substr(at, step));
    reader.finish();
    EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "", "last"}));
  }
}

TEST(LineReaderTest, SkipsALineThatIsTooLongAndGoesOn) {
  int too_long = 0;
  std::vector<std::string> lines;
  LineReader reader(5, {.line = [&](std::string_view line) { lines.emplace_back(line); },
                        .too_long = [&] { ++too_long; }});
  reader.feed("12345\n123456");
  reader.feed("7890\nok\n");
  EXPECT_EQ(too_long, 1);
  EXPECT_EQ(lines, (std::vector<std::string>{"12345", "ok"}));
}

// Keeps what was written and lets tests wait for it.
class Transcript {
 public:
  void add(const Value& message) {
    const std::lock_guard lock(mutex_);
    messages_.push_back(message);
    changed_.notify_all();
  }
  // The first message of that id or method that is written, or null after ten seconds.
  Value wait_for(std::string_view name, const Value& wanted) {
    std::unique_lock lock(mutex_);
    Value found;
    changed_.wait_for(lock, std::chrono::seconds(10), [&] {
      for (const Value& message : messages_) {
        const Value* value = message.find(name);
        if (value != nullptr && *value == wanted) found = message;
      }
      return !found.is_null();
    });
    return found;
  }
  size_t size() {
    const std::lock_guard lock(mutex_);
    return messages_.size();
  }
  Value last() {
    const std::lock_guard lock(mutex_);
    return messages_.empty() ? Value() : messages_.back();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Value> messages_;
};

class StdioTest : public ::testing::Test {
 protected:
  StdioTest() {
    Group group = fake_group();
    group.features.list_changed = true;
    group.tools.push_back({.name = "waiting",
                           .description = "Waits until it is cancelled.",
                           .run = [](const ToolCall& call) -> Result<ToolResult> {
                             while (call.client.pause(milliseconds(1000))) {
                             }
                             return ToolResult{.text = "cancelled"};
                           }});
    group.tools.push_back({.name = "asking",
                           .description = "Asks its client.",
                           .run = [](const ToolCall& call) -> Result<ToolResult> {
                             HOLDFAST_TRY(const Value answer,
                                          call.client.ask("elicitation/create", Value::object()));
                             return ToolResult{.text = to_json(answer)};
                           }});
    EXPECT_TRUE(registry_.add(std::move(group)).has_value());
  }

  // What may take long runs beside the test.
  void line(std::string_view text) {
    if (auto work = server_.line(text)) threads_.emplace_back([work] { work()(); });
  }
  void send(std::string_view method, const Value& params, const Value& id) {
    line(request_text(method, params, id));
  }
  Value ask(std::string_view method, const Value& params, const Value& id) {
    send(method, params, id);
    return out_.wait_for("id", id);
  }
  void handshake(const char* version = "2025-11-25") {
    ask("initialize",
        Value::object({{"protocolVersion", version},
                       {"capabilities", Value::object({{"elicitation", Value::object()}})}}),
        "init");
    line(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }
  static Value call(std::string_view tool) { return Value::object({{"name", tool}}); }

  Registry registry_;
  Changes changes_;
  ManualClock clock_{Timestamp(std::chrono::hours(1000))};
  Transcript out_;
  StdioServer server_{{.registry = registry_,
                       .changes = changes_,
                       .identity = {"fake", "1", "Fake"},
                       .clock = clock_},
                      fake_call(),
                      [this](const Value& message) { out_.add(message); }};
  std::vector<std::jthread> threads_;  // last: they use everything above
};

TEST_F(StdioTest, NothingButPingAndModernRequestsBeforeTheHandshake) {
  EXPECT_EQ(member(ask("tools/list", {}, 1), "error.code"), Value(code::kInvalidParams));
  EXPECT_EQ(to_json(member(ask("ping", {}, 2), "result")), "{}");
  EXPECT_FALSE(member(ask("server/discover", modern_params(), 3), "result").is_null());
  EXPECT_EQ(member(ask("server/discover", {}, 4), "error.code"), Value(code::kInvalidParams));
  handshake();
  EXPECT_FALSE(member(ask("tools/list", {}, 5), "result").is_null());
  EXPECT_EQ(member(ask("initialize", *parse_json(R"({"protocolVersion":"2025-11-25"})"), 6),
                   "error.code"),
            Value(code::kInvalidRequest));
}

TEST_F(StdioTest, BadLinesAreAnsweredWithoutAnId) {
  for (const auto& [line, wanted] :
       {std::pair{"{", code::kParse}, std::pair{"7", code::kInvalidRequest},
        std::pair{"[]", code::kInvalidRequest},
        std::pair{R"({"jsonrpc":"1.0","id":5,"method":"ping"})", code::kInvalidRequest}}) {
    this->line(line);
    EXPECT_EQ(member(out_.last(), "error.code"), Value(wanted)) << line;
    EXPECT_EQ(out_.last().find("id"), nullptr) << line;
  }
  server_.line_too_long();
  EXPECT_EQ(member(out_.last(), "error.code"), Value(code::kInvalidRequest));
  const size_t before = out_.size();
  line("");
  line(" \t");
  line(R"({"jsonrpc":"2.0","method":"notifications/nonsense"})");
  line(R"({"jsonrpc":"2.0","id":77,"result":{}})");
  EXPECT_EQ(out_.size(), before);
}

TEST_F(StdioTest, ACancelledRequestIsNeverAnsweredAndBlocksNothing) {
  handshake();
  for (const bool modern : {false, true}) {
    send("tools/call", modern ? modern_params(R"({"name":"waiting"})") : call("waiting"), "slow");
    EXPECT_EQ(to_json(member(ask("ping", {}, modern ? "p1" : "p0"), "result")), "{}");
    line(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}})");
  }
  server_.finish(milliseconds(5000));
  EXPECT_TRUE(out_.wait_for("id", "p1").is_object());
  const size_t before = out_.size();
  EXPECT_EQ(before, 3U);  // the handshake and two pings
}

TEST_F(StdioTest, AServersRequestGetsItsAnswer) {
  handshake();
  send("tools/call", call("asking"), 9);
  const Value asked = out_.wait_for("method", "elicitation/create");
  ASSERT_TRUE(asked.is_object());
  line(to_json(response_message(*asked.find("id"), Value::object({{"action", "accept"}}))));
  EXPECT_NE(to_json(out_.wait_for("id", 9)).find("accept"), std::string::npos);
}

TEST_F(StdioTest, WhatWaitsForItsClientEndsWithTheInput) {
  handshake();
  send("tools/call", call("asking"), 9);
  ASSERT_TRUE(out_.wait_for("method", "elicitation/create").is_object());

  server_.finish(milliseconds(5000));

  EXPECT_EQ(member(out_.wait_for("id", 9), "result.isError"), Value(true));
}

TEST_F(StdioTest, SubscriptionsSayGoodByeInTwoMessages) {
  send("subscriptions/listen", modern_params(R"({"notifications":{"toolsListChanged":true}})"), 4);
  send("subscriptions/listen", modern_params(R"({"notifications":{}})"), 5);
  line(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}})");
  changes_.list_changed(ChangedList::kTools);
  EXPECT_EQ(out_.size(), 3U);

  server_.finish(milliseconds(100));

  EXPECT_EQ(out_.size(), 5U);
  EXPECT_EQ(member(out_.wait_for("method", "notifications/cancelled"), "params.requestId"),
            Value(4));
  EXPECT_EQ(member(out_.last(), "id"), Value(4));
  EXPECT_EQ(member(out_.last(), "result.resultType"), Value("complete"));
}

TEST_F(StdioTest, BatchesAfterAgreeingOnThem) {
  handshake("2025-03-26");
  line(R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"x"}])");
  server_.finish(milliseconds(5000));
  ASSERT_TRUE(out_.last().is_array());
  EXPECT_EQ(out_.last().if_array()->size(), 2U);
}

TEST_F(StdioTest, SessionsHearOfChanges) {
  handshake();
  changes_.list_changed(ChangedList::kPrompts);
  EXPECT_EQ(member(out_.last(), "method"), Value("notifications/prompts/list_changed"));
}

}  // namespace
}  // namespace holdfast::mcp
