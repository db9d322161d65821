#include "wire/schema.h"

#include <array>

#include <gtest/gtest.h>

#include "model/json_text.h"
#include "model/label.h"

namespace holdfast {

enum class Colour { kRed, kGreen };
template <>
struct EnumNames<Colour> {
  static constexpr std::array<std::pair<Colour, std::string_view>, 2> kNames = {
      {{Colour::kRed, "red"}, {Colour::kGreen, "green"}}};
};

namespace wire {
namespace {

struct Part {
  std::string repo;
  int64_t line_start = 0;
  std::optional<int64_t> line_end;
};

const Schema<Part>& part_schema() {
  static const Schema<Part> schema =
      Schema<Part>()
          .required("repo", &Part::repo, length(1, 10))
          .optional("line_start", &Part::line_start, at_least(1))
          .optional("line_end", &Part::line_end)
          .check([](const Part& part, Checks& checks) {
            if (checks.ok({"line_start", "line_end"}) && part.line_end &&
                *part.line_end < part.line_start) {
              checks.add("line_end", "order", {{"after", "line_start"}});
            }
          });
  return schema;
}

struct Thing {
  std::string name;
  SpaceId space;
  int limit = 25;
  int64_t big = 0;
  double score = 0;
  bool flag = false;
  Colour colour = Colour::kGreen;
  Timestamp at = {};
  std::vector<std::string> tags;
  std::vector<Part> parts;
  std::optional<Part> main_part;
  std::map<std::string, int64_t> counts;
  Value metadata;
  std::optional<std::string> note;
  std::optional<std::optional<std::string>> mood;
};

bool is_lower(std::string_view text) {
  return text.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
}

Schema<Thing> thing_schema() {
  return Schema<Thing>()
      .required("name", &Thing::name, trimmed(), length(2, 5), no_controls(), "What it is called.")
      .optional("space", &Thing::space, length(1, 64))
      .optional("limit", &Thing::limit, range(1, 100), "How many.")
      .optional("big", &Thing::big)
      .optional("score", &Thing::score, range(0.0, 1.0))
      .optional("flag", &Thing::flag)
      .optional("colour", &Thing::colour)
      .optional("at", &Thing::at)
      .optional("tags", &Thing::tags, items(0, 3), each(length(1, 4), matching("[a-z]+", is_lower)))
      .optional("parts", &Thing::parts, items(0, 2), part_schema())
      .optional("main_part", &Thing::main_part, part_schema())
      .optional("counts", &Thing::counts, each(at_least(0)))
      .optional("metadata", &Thing::metadata)
      .optional("note", &Thing::note, nullable(), max_length(5), alias("remark"))
      .optional("mood", &Thing::mood, max_length(5))
      .read_only({"id"});
}

// The issues as `path:rule`, or "ok".
std::string issues_of(const Schema<Thing>& schema, std::string_view text,
                      const Strictness& strictness = {}) {
  const auto body = parse_json(text);
  const auto thing = schema.read_body(*body, strictness);
  if (thing) return "ok";
  std::string all;
  for (const Issue& issue : thing.error().issues) {
    if (!all.empty()) all += ' ';
    all += issue.path_text() + ':' + issue.rule;
  }
  return all;
}
std::string issues_of(std::string_view text, const Strictness& strictness = {}) {
  return issues_of(thing_schema(), text, strictness);
}
Thing thing_of(std::string_view text, const Strictness& strictness = {}) {
  auto thing = thing_schema().read_body(*parse_json(text), strictness);
  EXPECT_TRUE(thing.has_value()) << text;
  return thing ? *thing : Thing{};
}

TEST(SchemaTest, ReadsEveryType) {
  const Thing thing = thing_of(
      R"({"name":" abc ","space":"s","limit":7,"big":9007199254740993,"score":1,"flag":true,
      "colour":"red","at":"2025-01-15T10:30:00Z","tags":["a","b"],"parts":[{"repo":"r","line_start":2}],
      "main_part":{"repo":"m"},"counts":{"x":1},"metadata":{"k":[null]},"note":"n","mood":"m"})");

  EXPECT_EQ(thing.name, "abc");
  EXPECT_EQ(thing.space, SpaceId{"s"});
  EXPECT_EQ(thing.limit, 7);
  EXPECT_EQ(thing.big, 9007199254740993);
  EXPECT_EQ(thing.score, 1.0);
  EXPECT_TRUE(thing.flag);
  EXPECT_EQ(thing.colour, Colour::kRed);
  EXPECT_EQ(format_seconds(thing.at), "2025-01-15T10:30:00Z");
  EXPECT_EQ(thing.tags, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(thing.parts.size(), 1U);
  EXPECT_EQ(thing.parts[0].line_start, 2);
  EXPECT_EQ(thing.main_part->repo, "m");
  EXPECT_EQ(thing.counts.at("x"), 1);
  EXPECT_EQ(to_json(thing.metadata), R"({"k":[null]})");
  EXPECT_EQ(thing.note, "n");
  EXPECT_EQ(thing.mood, std::optional<std::string>("m"));
}

TEST(SchemaTest, AbsentFieldsKeepTheirDefaults) {
  const Thing thing = thing_of(R"({"name":"abc"})");

  EXPECT_EQ(thing.limit, 25);
  EXPECT_EQ(thing.colour, Colour::kGreen);
  EXPECT_FALSE(thing.note || thing.mood || thing.main_part);
}

TEST(SchemaTest, EachRuleReportsItself) {
  EXPECT_EQ(issues_of("{}"), "name:required");
  EXPECT_EQ(issues_of(R"({"name":" a "})"), "name:length_min");
  EXPECT_EQ(issues_of(R"({"name":"abcdef"})"), "name:length_max");
  EXPECT_EQ(issues_of("{\"name\":\"äöüßé\"}"), "ok");
  EXPECT_EQ(issues_of(R"({"name":"a\u0000b"})"), "name:format");
  EXPECT_EQ(issues_of("{\"name\":\"a\\u0085b\"}"), "name:format");
  EXPECT_EQ(issues_of(R"({"name":5})"), "name:type");
  EXPECT_EQ(issues_of(R"({"name":"abc","limit":0})"), "limit:range_min");
  EXPECT_EQ(issues_of(R"({"name":"abc","limit":101})"), "limit:range_max");
  EXPECT_EQ(issues_of(R"({"name":"abc","limit":18446744073709551615})"), "limit:range_max");
  EXPECT_EQ(issues_of(R"({"name":"abc","big":18446744073709551615})"), "big:range_max");
  EXPECT_EQ(issues_of(R"({"name":"abc","big":-1e300})"), "big:range_min");
  EXPECT_EQ(issues_of(R"({"name":"abc","limit":2.5})"), "limit:type");
  EXPECT_EQ(issues_of(R"({"name":"abc","limit":"2"})"), "limit:type");
  EXPECT_EQ(issues_of(R"({"name":"abc","score":1.5})"), "score:range_max");
  EXPECT_EQ(issues_of(R"({"name":"abc","score":"x"})"), "score:type");
  EXPECT_EQ(issues_of(R"({"name":"abc","flag":1})"), "flag:type");
  EXPECT_EQ(issues_of(R"({"name":"abc","colour":"blue"})"), "colour:one_of");
  EXPECT_EQ(issues_of(R"({"name":"abc","colour":3})"), "colour:type");
  EXPECT_EQ(issues_of(R"({"name":"abc","at":"yesterday"})"), "at:format");
  EXPECT_EQ(issues_of(R"({"name":"abc","tags":"a"})"), "tags:type");
  EXPECT_EQ(issues_of(R"({"name":"abc","tags":["a","","B"]})"),
            "tags[1]:length_min tags[2]:pattern");
  EXPECT_EQ(issues_of(R"({"name":"abc","tags":["a","b","c","d"]})"), "tags:items_max");
  EXPECT_EQ(issues_of(R"({"name":"abc","counts":{"x":-1}})"), "counts.x:range_min");
  EXPECT_EQ(issues_of(R"({"name":"abc","id":1,"other":2})"), "id:read_only other:unknown");
  EXPECT_EQ(issues_of("[]"), ":type");
}

TEST(SchemaTest, LengthsAreCodePointsWhateverTheyTake) {
  const std::string wide = "\xF0\x9F\x99\x82";  // four bytes
  EXPECT_TRUE(has_length("", 0, 0));
  EXPECT_FALSE(has_length("", 1, 1));
  EXPECT_TRUE(has_length("ab" + wide, 3, 3));
  EXPECT_FALSE(has_length("ab" + wide, 4, 9));
  EXPECT_FALSE(has_length("ab" + wide, 0, 2));
  EXPECT_TRUE(has_length(wide + wide + wide, 3, 3));
  EXPECT_FALSE(has_length(wide + wide + wide, 4, SIZE_MAX));
  EXPECT_FALSE(has_length(wide + wide + wide, 0, 2));
  // Bytes that continue nothing count for nothing, so the first ones do not decide.
  EXPECT_TRUE(has_length(std::string(40, '\x80') + "abc", 3, 3));
}

TEST(SchemaTest, MembersInAnyOrderAreFoundAndOthersReported) {
  EXPECT_EQ(issues_of(R"({"name":"abc","limit":7,"flag":true})"), "ok");
  EXPECT_EQ(issues_of(R"({"flag":true,"limit":7,"name":"abc"})"), "ok");
  EXPECT_EQ(issues_of(R"({"name":"abc","more":1,"limit":7})"), "more:unknown");
  EXPECT_EQ(issues_of(R"({"more":1,"name":"abc","limit":7})"), "more:unknown");
  EXPECT_EQ(issues_of(R"({"name":"abc","more":1,"id":"x"})"), "more:unknown id:read_only");
  EXPECT_EQ(thing_of(R"({"limit":7,"name":"abc"})").limit, 7);
}

TEST(SchemaTest, TrimmedTextsAreJudgedAndStoredWithoutTheirEnds) {
  EXPECT_EQ(thing_of(R"({"name":"\u00a0abcde\u2003"})").name, "abcde");
  EXPECT_EQ(thing_of(R"({"name":"abc\u00e4 "})").name, "abc\u00e4");
  EXPECT_EQ(issues_of(R"({"name":" a "})"), "name:length_min");
}

TEST(SchemaTest, ReportsEveryIssueInDeclarationOrderWithNestedPaths) {
  EXPECT_EQ(
      issues_of(
          R"({"zzz":1,"parts":[{"repo":""},{"line_start":0,"x":1},{"repo":"r","line_start":5,"line_end":4}],
                          "limit":"a","main_part":[]})"),
      "name:required limit:type parts:items_max parts[0].repo:length_min parts[1].repo:required "
      "parts[1].line_start:range_min parts[1].x:unknown parts[2].line_end:order main_part:type "
      "zzz:unknown");
}

TEST(SchemaTest, IssuesCarryLocationParamsAndValue) {
  const auto result =
      thing_schema().read_body(*parse_json(R"({"name":"abcdef","colour":"blue"})"), {});

  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().reason, reason::kValidation);
  const Issue& length = result.error().issues.at(0);
  EXPECT_EQ(length.location, "body");
  EXPECT_EQ(length.param("max"), "5");
  EXPECT_EQ(length.param("actual"), "6");
  EXPECT_EQ(length.value, "\"abcdef\"");
  const Issue& colour = result.error().issues.at(1);
  EXPECT_EQ(colour.params, (std::vector<Issue::Param>{{"allowed", "red"}, {"allowed", "green"}}));
}

TEST(SchemaTest, TheNumberOfIssuesIsBounded) {
  std::string text = R"({"name":"abc","tags":[)";
  for (int i = 0; i < 5000; ++i) text += "1,";
  text += "1]}";

  const auto result = thing_schema().read_body(*parse_json(text), {});

  EXPECT_EQ(result.error().issues.size(), Reading::kMaxIssues);
}

TEST(SchemaTest, NullFollowsTheSurface) {
  EXPECT_EQ(issues_of(R"({"name":null,"limit":null})"), "name:required");
  EXPECT_EQ(issues_of(R"({"name":null,"limit":null})", {.null_is_absent = false}),
            "name:type limit:type");
  EXPECT_EQ(issues_of(R"({"name":"abc","note":null,"mood":null})", {.null_is_absent = false}),
            "ok");
}

TEST(SchemaTest, AnOptionalOfAnOptionalTellsNullFromAbsent) {
  const Thing null = thing_of(R"({"name":"abc","mood":null})");
  const Thing absent = thing_of(R"({"name":"abc"})");

  EXPECT_TRUE(null.mood.has_value() && !null.mood->has_value());
  EXPECT_FALSE(absent.mood.has_value());
}

TEST(SchemaTest, IntegralDoublesAndCoercionFollowTheSurface) {
  EXPECT_EQ(thing_of(R"({"name":"abc","limit":3.0})").limit, 3);
  EXPECT_EQ(issues_of(R"({"name":"abc","limit":3.0})", {.integral_doubles = false}), "limit:type");
  const Thing thing = thing_of(R"({"name":"abc","limit":"3","score":"0.5","flag":"Yes"})",
                               {.coerce_scalars = true});
  EXPECT_EQ(thing.limit, 3);
  EXPECT_EQ(thing.score, 0.5);
  EXPECT_TRUE(thing.flag);
  EXPECT_EQ(issues_of(R"({"name":3})", {.coerce_scalars = true}), "name:type");
  EXPECT_EQ(issues_of(R"({"name":"abc","at":"2025-01-15"})"), "ok");
  EXPECT_EQ(issues_of(R"({"name":"abc","at":"2025-01-15"})", {.bare_dates = false}), "at:format");
  const Timestamp now = Timestamp(std::chrono::hours(100));
  EXPECT_EQ(issues_of(R"({"name":"abc","at":"now-2h"})"), "at:format");
  EXPECT_EQ(issues_of(R"({"name":"abc","at":"now-2x"})", {.now = now}), "at:format");
  EXPECT_EQ(thing_of(R"({"name":"abc","at":"now-2h"})", {.now = now}).at,
            now - std::chrono::hours(2));
}

TEST(SchemaTest, UnknownMembersFollowTheSurfaceUnlessTheSchemaSpeaks) {
  EXPECT_EQ(issues_of(R"({"name":"abc","x":1})", {.reject_unknown_members = false}), "ok");
  EXPECT_EQ(issues_of(R"({"name":"abc","id":1})", {.reject_unknown_members = false}),
            "id:read_only");
  EXPECT_EQ(issues_of(thing_schema().ignore_unknown(), R"({"name":"abc","x":1})"), "ok");
  EXPECT_EQ(issues_of(thing_schema().reject_unknown(), R"({"name":"abc","x":1})",
                      {.reject_unknown_members = false}),
            "x:unknown");
  EXPECT_EQ(issues_of(R"({"name":"abc","x":null,"id":null})"), "x:unknown id:read_only");
  EXPECT_EQ(issues_of(R"({"name":"abc","x":null,"id":null})", {.unknown_nulls_are_absent = true}),
            "ok");
}

TEST(SchemaTest, UnknownFirstFollowsTheDocument) {
  EXPECT_EQ(
      issues_of(R"({"main_part":{"b":1},"parts":[{"repo":"r"},{"a":1,"repo":"r"}],"c":1})",
                {.unknown_first = true}),
      "main_part.b:unknown parts[1].a:unknown c:unknown name:required main_part.repo:required");
}

TEST(SchemaTest, AnAliasIsASecondName) {
  EXPECT_EQ(thing_of(R"({"name":"abc","remark":"r"})").note, "r");
  EXPECT_EQ(issues_of(R"({"name":"abc","remark":"r","note":"r"})"), "ok");
  EXPECT_EQ(issues_of(R"({"name":"abc","remark":"r","note":"n"})"), "remark:alias_conflict");
}

TEST(SchemaTest, NoEchoKeepsTheValueOutOfIssues) {
  struct Secret {
    std::string text;
    std::string other;
  };
  const auto schema = Schema<Secret>()
                          .required("text", &Secret::text, max_length(1), no_echo())
                          .required("other", &Secret::other, max_length(1));

  const auto result = schema.read_body(*parse_json(R"({"text":"hush","other":"loud"})"), {});

  EXPECT_EQ(result.error().issues.at(0).value, "");
  EXPECT_EQ(result.error().issues.at(1).value, "\"loud\"");
}

TEST(SchemaTest, ACustomReaderReadsUnions) {
  struct Scope {
    std::vector<std::string> domains;
  };
  const auto schema = Schema<Scope>().required(
      "domain_scope", &Scope::domains,
      read_by<std::vector<std::string>>(
          [](const Value& value, std::vector<std::string>& out, Reading& reading) {
            if (const auto* text = value.if_string()) {
              out = {*text};
            } else if (const auto* list = value.if_array()) {
              for (const Value& item : *list)
                out.push_back(item.is_string() ? *item.if_string() : "");
            } else {
              reading.add_type("string or array", value);
            }
          },
          Value::object({{"type", Value::array({"string", "array"})}})));

  EXPECT_EQ(schema.read_body(*parse_json(R"({"domain_scope":"a"})"), {})->domains.size(), 1U);
  EXPECT_EQ(schema.read_body(*parse_json(R"({"domain_scope":["a","b"]})"), {})->domains.size(), 2U);
  EXPECT_EQ(schema.read_body(*parse_json(R"({"domain_scope":1})"), {}).error().issues.at(0).rule,
            rule::kType);
}

TEST(SchemaTest, TheJsonSchemaSaysWhatTheRulesSay) {
  const std::string text = to_json(thing_schema().json_schema());

  for (
      const char* piece :
      {R"("name":{"type":"string","minLength":2,"maxLength":5,"description":"What it is called."})",
       R"("limit":{"type":"integer","minimum":1,"maximum":100,"description":"How many.","default":25})",
       R"("score":{"type":"number","minimum":0.0,"maximum":1.0,"default":0.0})",
       R"("colour":{"type":"string","enum":["red","green"],"default":"green"})",
       R"("at":{"type":"string","format":"date-time"})",
       R"("tags":{"type":"array","items":{"type":"string","minLength":1,"maxLength":4,"pattern":"[a-z]+"},"maxItems":3})",
       R"("note":{"type":["string","null"],"maxLength":5})", R"("metadata":{})",
       R"("counts":{"type":"object","additionalProperties":{"type":"integer","minimum":0}})",
       R"("required":["name"],"additionalProperties":false)",
       R"("required":["repo"],"additionalProperties":false)"}) {
    EXPECT_NE(text.find(piece), std::string::npos) << piece << "\nin " << text;
  }
  EXPECT_EQ(to_json(thing_schema().json_schema({.reject_unknown_members = false}))
                .find("additionalProperties\":false"),
            std::string::npos);
}

}  // namespace
}  // namespace wire
}  // namespace holdfast
