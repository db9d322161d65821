// Schemas over the query, the path, headers and whole bodies.
#include <gtest/gtest.h>

#include "model/json_text.h"
#include "wire/schema.h"

namespace holdfast::wire {
namespace {

struct ListRequest {
  std::string id;
  std::string key;
  int limit = 25;
  bool explain = false;
  std::optional<double> score;
  std::vector<std::string> tags;
  std::optional<std::string> cursor;
  std::string title;
};

Schema<ListRequest> list_schema() {
  return Schema<ListRequest>()
      .path("id", &ListRequest::id, length(1, 8))
      .required_header("idempotency-key", &ListRequest::key, length(1, 8))
      .query("limit", &ListRequest::limit, range(1, 100))
      .query("explain", &ListRequest::explain)
      .query("score", &ListRequest::score)
      .query("tag", &ListRequest::tags, comma_list(), each(min_length(1)))
      .query("cursor", &ListRequest::cursor, empty_is_absent(), min_length(3))
      .optional("title", &ListRequest::title);
}

struct Parsed {
  Headers headers = {{"Idempotency-Key", "k1"}};
  std::vector<PathParameter> path = {{"id", "x"}};
  std::string body = {};

  Result<ListRequest> read(std::string_view query_text, const Strictness& strictness = {}) const {
    const QueryString query = QueryString::parse(query_text);
    const Value value = body.empty() ? Value() : *parse_json(body);
    return list_schema().read({.body = body.empty() ? nullptr : &value,
                               .query = &query,
                               .path = &path,
                               .headers = &headers},
                              strictness);
  }
};

std::string issues_of(const Result<ListRequest>& result) {
  if (result) return "ok";
  std::string all;
  for (const Issue& issue : result.error().issues) {
    if (!all.empty()) all += ' ';
    all += issue.location + '.' + issue.path_text() + ':' + issue.rule;
  }
  return all;
}

TEST(RequestPartsTest, TextsBecomeWhatTheirFieldsDeclare) {
  const auto request = Parsed().read("limit=7&explain=true&score=0.5&tag=a,b&tag=c&cursor=");

  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(request->id, "x");
  EXPECT_EQ(request->key, "k1");
  EXPECT_EQ(request->limit, 7);
  EXPECT_TRUE(request->explain);
  EXPECT_EQ(request->score, 0.5);
  EXPECT_EQ(request->tags, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_FALSE(request->cursor);
}

TEST(RequestPartsTest, IssuesNameTheirPart) {
  Parsed parsed;
  parsed.headers = {};
  parsed.path = {{"id", "much-too-long"}};
  parsed.body = R"({"title":1})";

  EXPECT_EQ(
      issues_of(parsed.read("limit=0&explain=maybe&tag=a,&x=1&x=2&cursor=ab&%zz=1")),
      "path.id:length_max header.idempotency-key:required query.limit:range_min query.explain:type "
      "query.tag[1]:length_min query.cursor:length_min body.title:type query.%25zz:encoding "
      "query.x:unknown");
}

TEST(RequestPartsTest, ARepeatedSingleParameterIsADuplicate) {
  EXPECT_EQ(issues_of(Parsed().read("limit=1&limit=2")), "query.limit:duplicate");
}

TEST(RequestPartsTest, IntegersInTheQueryAreExact) {
  for (const char* text :
       {"limit=", "limit=1.0", "limit=+1", "limit=0x1", "limit=1a", "limit=%201", "limit=1e1"}) {
    EXPECT_EQ(issues_of(Parsed().read(text)), "query.limit:type") << text;
  }
  EXPECT_EQ(issues_of(Parsed().read("limit=99999999999999999999999")), "query.limit:range_max");
  EXPECT_EQ(issues_of(Parsed().read("limit=-99999999999999999999999")), "query.limit:range_min");
}

TEST(RequestPartsTest, UnknownParametersFollowTheSurface) {
  EXPECT_EQ(issues_of(Parsed().read("x=1", {.reject_unknown_parameters = false})), "ok");
}

TEST(RequestPartsTest, ParametersAreDescribed) {
  const auto parameters = list_schema().parameters();

  ASSERT_EQ(parameters.size(), 7U);
  EXPECT_EQ(parameters[0].source, Source::kPath);
  EXPECT_TRUE(parameters[0].required);
  EXPECT_EQ(parameters[2].name, "limit");
  EXPECT_EQ(to_json(parameters[2].schema),
            R"({"type":"integer","minimum":1,"maximum":100,"default":25})");
}

struct Item {
  std::string content;
};
struct Batch {
  std::vector<Item> items;
};

TEST(RequestPartsTest, ABodyMayBeAnArray) {
  const auto schema =
      Schema<Batch>().whole_body(&Batch::items, items(0, 2),
                                 Schema<Item>().required("content", &Item::content, min_length(1)));

  const auto good = schema.read_body(*parse_json(R"([{"content":"a"}])"), {});
  const auto bad = schema.read_body(*parse_json(R"([{"content":"a"},{}])"), {});
  const auto wrong = schema.read_body(*parse_json("{}"), {});
  const auto none = schema.read({}, {});

  EXPECT_EQ(good->items.at(0).content, "a");
  EXPECT_EQ(bad.error().issues.at(0).path_text(), "[1].content");
  EXPECT_EQ(wrong.error().issues.at(0).rule, rule::kType);
  EXPECT_EQ(none.error().issues.at(0).rule, rule::kRequired);
}

TEST(RequestPartsTest, AMissingBodyIsOneIssue) {
  const auto schema =
      Schema<Item>().required("content", &Item::content).required("again", &Item::content);

  const auto result = schema.read({}, {});

  ASSERT_EQ(result.error().issues.size(), 1U);
  EXPECT_EQ(result.error().issues[0].rule, rule::kRequired);
  EXPECT_EQ(result.error().issues[0].path_text(), "");
}

struct Raw {
  QueryString query;
};

TEST(RequestPartsTest, AQueryLanguageOfItsOwnGetsEverything) {
  const auto schema = Schema<Raw>().query_all(&Raw::query);
  const QueryString query = QueryString::parse("type!=other&tag=a&tag=b");

  const auto raw = schema.read({.query = &query}, {});

  EXPECT_EQ(raw->query.all().front(), (QueryString::Parameter{"type!", "other"}));
  EXPECT_EQ(raw->query.values("tag").size(), 2U);
}

}  // namespace
}  // namespace holdfast::wire
