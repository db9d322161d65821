#include "mcp/rpc.h"

#include <gtest/gtest.h>

#include "mcp/protocol.h"
#include "model/json_text.h"

namespace holdfast::mcp {
namespace {

tl::expected<Message, Refusal> read(std::string_view text) {
  auto json = read_json_text(text);
  EXPECT_TRUE(json.has_value()) << text;
  return read_message(std::move(*json));
}

TEST(RpcTest, TellsRequestsNotificationsAndResponsesApart) {
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","id":1,"method":"m"})")->kind, Message::Kind::kRequest);
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","method":"m"})")->kind, Message::Kind::kNotification);
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","id":"a","result":{}})")->kind, Message::Kind::kResponse);
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","id":"a","error":{"code":1}})")->kind,
            Message::Kind::kResponse);
}

TEST(RpcTest, KeepsTheTypeOfAnId) {
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","id":-7,"method":"m"})")->id, Value(-7));
  EXPECT_EQ(read(R"({"jsonrpc":"2.0","id":"","method":"m"})")->id, Value(""));
  EXPECT_NE(id_key(Value(1)), id_key(Value("1")));
}

TEST(RpcTest, RefusesWrongShapesAndEchoesOnlyLegalIds) {
  struct Case {
    const char* text;
    Value id;
  };
  const Case cases[] = {
      {"7", {}},
      {"null", {}},
      {"{}", {}},
      {R"({"id":1,"method":"m"})", 1},
      {R"({"jsonrpc":"1.0","id":"x","method":"m"})", "x"},
      {R"({"jsonrpc":"2.0","id":null,"method":"m"})", {}},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"m"})", {}},
      {R"({"jsonrpc":"2.0","id":1.0,"method":"m"})", {}},
      {R"({"jsonrpc":"2.0","id":true,"method":"m"})", {}},
      {R"({"jsonrpc":"2.0","id":{},"method":"m"})", {}},
      {R"({"jsonrpc":"2.0","id":4,"method":5})", 4},
      {R"({"jsonrpc":"2.0","id":4})", 4},
      {R"({"jsonrpc":"2.0","result":{}})", {}},
  };
  for (const Case& wrong : cases) {
    const auto message = read(wrong.text);
    ASSERT_FALSE(message.has_value()) << wrong.text;
    EXPECT_EQ(message.error().error.code, code::kInvalidRequest) << wrong.text;
    EXPECT_EQ(message.error().error.status, 400) << wrong.text;
    EXPECT_EQ(message.error().id, wrong.id) << wrong.text;
  }
}

TEST(RpcTest, RefusesWhatIsNoJson) {
  for (const std::string& text :
       {std::string(""), std::string("{"), std::string("{'a':1}"), std::string("\xff\xfe{}"),
        std::string("{} x"), std::string(100'000, '[')}) {
    const auto json = read_json_text(text);
    ASSERT_FALSE(json.has_value());
    EXPECT_EQ(json.error().code, code::kParse);
  }
}

TEST(RpcTest, AcceptsDeepMessages) {
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  EXPECT_TRUE(read_json_text(deep).has_value());
}

TEST(RpcTest, NeverWritesANullId) {
  EXPECT_EQ(to_json(error_message({}, {.code = -1, .message = "m"})),
            R"({"jsonrpc":"2.0","error":{"code":-1,"message":"m"}})");
  EXPECT_EQ(to_json(error_message("a", {.code = -1, .message = "m", .data = 3})),
            R"({"jsonrpc":"2.0","id":"a","error":{"code":-1,"message":"m","data":3}})");
}

}  // namespace
}  // namespace holdfast::mcp
