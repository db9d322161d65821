// Query strings, headers, cursors, the plain dialect and OpenAPI.
#include <array>

#include <gtest/gtest.h>

#include "model/json_text.h"
#include "wire/control_characters.h"
#include "wire/cursor.h"
#include "wire/dialect.h"
#include "wire/openapi.h"
#include "wire/transport.h"

namespace holdfast::wire {
namespace {

TEST(QueryStringTest, DecodesAndKeepsOrderAndRepeats) {
  const auto query = QueryString::parse("a=1&b=x+y%2Bz&a=&c&&%C3%A9=%26");

  EXPECT_EQ(query.all(), (std::vector<QueryString::Parameter>{
                             {"a", "1"}, {"b", "x y+z"}, {"a", ""}, {"c", ""}, {"é", "&"}}));
  EXPECT_EQ(*query.find("a"), "1");
  EXPECT_EQ(query.find("z"), nullptr);
  EXPECT_TRUE(query.broken().empty());
}

TEST(QueryStringTest, ReportsWhatCannotBeDecoded) {
  const auto query = QueryString::parse("a=%&b=%1&c=%zz&d=%ff&ok=1");

  EXPECT_EQ(query.broken(), (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(query.all().size(), 1U);
}

TEST(QueryStringTest, EncodingReadsBack) {
  const std::string odd = "a b+c%/é\n";

  EXPECT_EQ(percent_decode(percent_encode(odd), true), odd);
}

TEST(ControlCharactersTest, AreFoundAtEveryPlace) {
  for (size_t size = 0; size < 40; ++size) {
    const std::string plain(size, 'a');
    EXPECT_EQ(find_control(plain), std::string::npos);
    for (size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text = plain;
        text[at] = static_cast<char>(byte);
        const bool control = byte < 0x20 || byte == 0x7f;
        EXPECT_EQ(find_control(text), control ? at : std::string::npos) << byte;
        EXPECT_EQ(find_control(text, at + 1), std::string::npos) << byte;
      }
    }
  }
}

TEST(ControlCharactersTest, SomeTakeTwoBytes) {
  EXPECT_TRUE(has_controls("\u00e4\u0085"));
  EXPECT_TRUE(has_controls("\u00a0\u009f"));
  EXPECT_TRUE(has_controls("\t"));
  EXPECT_FALSE(has_controls("\u00a0\u00e4\u4e2d"));
  EXPECT_FALSE(has_controls(""));
}

TEST(HeadersTest, NamesIgnoreCaseAndRepeatsAreKept) {
  Headers headers = {{"X-A", "1"}, {"x-a", "2"}, {"Mcp-Param-Q", "3"}};

  EXPECT_EQ(headers.get("X-a"), "1");
  EXPECT_EQ(headers.all("x-A").size(), 2U);
  EXPECT_EQ(headers.with_prefix("mcp-param-").size(), 1U);
  headers.set("x-a", "9");
  EXPECT_EQ(headers.all("X-A"), std::vector<std::string>{"9"});
}

TEST(CursorTest, ReadsBackWhatItMade) {
  const CursorCodec codec("secret", "list");
  const Value payload = Value::object({{"id", "obs_1"}, {"at", 5}});

  EXPECT_EQ(*codec.decode(codec.encode(payload)), payload);
}

TEST(CursorTest, EveryAlteredCharacterIsNoticed) {
  const CursorCodec codec("secret", "list");
  const std::string text = codec.encode(Value::object({{"id", "obs_1"}}));

  for (size_t i = 0; i < text.size(); ++i) {
    for (const char c : {'A', 'B', 'z', '=', '-', ' '}) {
      std::string altered = text;
      if (altered[i] == c) continue;
      altered[i] = c;
      const auto result = codec.decode(altered);
      ASSERT_FALSE(result.has_value()) << altered;
      EXPECT_EQ(result.error().reason, reason::kCursorInvalid);
    }
  }
}

TEST(CursorTest, OtherSecretsAndPurposesDoNotFit) {
  const std::string text = CursorCodec("secret", "list").encode(Value::object({{"id", 1}}));

  EXPECT_FALSE(CursorCodec("other", "list").decode(text).has_value());
  EXPECT_FALSE(CursorCodec("secret", "another").decode(text).has_value());
  for (const char* junk : {"", "e30", "bnVsbA", "W10", "eyJtYWMiOjF9", "not base64!"}) {
    EXPECT_FALSE(CursorCodec("secret", "list").decode(junk).has_value()) << junk;
  }
}

TEST(CursorTest, TheStandardAlphabetIsPaddedAndShowsTheObject) {
  const CursorCodec codec("secret", "list", CursorAlphabet::kStandard);
  std::string text = codec.encode(Value::object({{"id", "obs_12"}}));

  EXPECT_EQ(text.size() % 4, 0U);
  while (text.back() == '=') text.pop_back();
  EXPECT_TRUE(codec.decode(text).has_value());
}

TEST(DialectTest, PlainWordsFailuresAndIssues) {
  Error error = invalid_argument("Wrong.", {{.path = {{"tags"}, {"1", true}},
                                             .rule = "one_of",
                                             .params = {{"allowed", "a"}, {"allowed", "b"}},
                                             .value = "\"c\""}});

  const Answer answer = PlainDialect().failure({.request_id = "r1"}, error);

  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(
      answer.body,
      R"({"error":{"code":"invalid_argument","message":"Wrong.","request_id":"r1","issues":[{"location":"body",)"
      R"("path":"tags[1]","rule":"one_of","params":{"allowed":["a","b"]},"value":"c"}]}})");
}

TEST(DialectTest, TransportReasonsDecideTheStatus) {
  const PlainDialect dialect;
  const auto status = [&dialect](ErrorCode code, std::string_view why) {
    return dialect.failure({}, transport_error(code, why, "x")).status;
  };

  EXPECT_EQ(status(ErrorCode::kInvalidArgument, reason::kMethodNotAllowed), 405);
  EXPECT_EQ(status(ErrorCode::kTooLarge, reason::kHeadersTooLarge), 431);
  EXPECT_EQ(status(ErrorCode::kInvalidArgument, reason::kUnsupportedMediaType), 415);
  EXPECT_EQ(status(ErrorCode::kInternal, ""), 500);
}

TEST(DialectTest, SuccessWithoutContentHasNoBody) {
  const Answer answer = PlainDialect().success({}, 204, Value());

  EXPECT_TRUE(answer.body.empty() && answer.content_type.empty());
}

struct Ask {
  std::string id;
  std::string text;
};

TEST(OpenApiTest, DescribesRoutes) {
  const Operation<Ask, Nothing> operation{
      .name = "ask",
      .summary = "Ask.",
      .request = Schema<Ask>().path("id", &Ask::id).required("text", &Ask::text, length(1, 9)),
      .response_schema = Value::object({{"type", "object"}}),
      .success_status = 201,
      .further_statuses = {200}};
  RouteDescription route = describe(operation, {});
  route.method = "POST";
  route.path = "/v1/{id}/{rest...}";
  route.surface = "native";
  route.needs_token = true;

  const Value document = openapi_document({.title = "Holdfast", .version = "1"}, {route});

  EXPECT_EQ(*document.find("openapi"), Value("3.1.0"));
  const Value* post = document.find("paths")->find("/v1/{id}/{rest}")->find("post");
  ASSERT_NE(post, nullptr);
  EXPECT_EQ(*post->find("operationId"), Value("native_ask"));
  EXPECT_EQ(post->find("parameters")->if_array()->size(), 2U);
  EXPECT_NE(to_json(*post).find(
                R"("requestBody":{"required":true,"content":{"application/json":{"schema":)"),
            std::string::npos);
  for (const char* status : {"200", "201", "default"})
    EXPECT_NE(post->find("responses")->find(status), nullptr) << status;
  EXPECT_NE(to_json(*post).find(R"("security":[{"bearer":[]}])"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::wire
