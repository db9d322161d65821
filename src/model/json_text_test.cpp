#include "model/json_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/canonical_json.h"
#include "model/codec.h"

namespace holdfast {
namespace {

std::string reason_of(std::string_view text, const JsonLimits& limits = {}) {
  const auto value = parse_json(text, limits);
  return value ? "accepted" : value.error().reason;
}

TEST(JsonTextTest, AMemberMayBeGivenAsCanonicalText) {
  const auto canonical_of = [](std::string_view text) {
    const Value value = *parse_json(text);
    const Value* known = value.find("list");
    const std::string list = known != nullptr ? to_canonical_json(*known) : "";
    std::string out = "before{";
    append_canonical_json(out, value, {.name = "list", .text = list});
    return out;
  };
  for (const std::string_view text :
       {R"({"z":1.0,"list":[{"b":1,"a":2.5},"\u0001\""],"a":{"list":[2,1]}})", R"({"list":null})",
        R"({"z":1,"a":2})", "{}", R"(["list"])", "1", R"({"lis":1,"list2":2,"list":3})"})
    EXPECT_EQ(canonical_of(text), "before{" + to_canonical_json(*parse_json(text))) << text;
}

TEST(JsonTextTest, RoundTripsInOrder) {
  const std::string text = R"({"z":1,"a":[true,false,null,"é\n\"",1.5,-7],"m":{}})";

  EXPECT_EQ(to_json(*parse_json(text)), text);
}

TEST(JsonTextTest, IntegersStayExactAndApartFromDoubles) {
  EXPECT_EQ(to_json(*parse_json("[9223372036854775807,-9223372036854775808,18446744073709551615]")),
            "[9223372036854775807,-9223372036854775808,18446744073709551615]");
  EXPECT_EQ(to_json(*parse_json("[1.0,1,1e2]")), "[1.0,1,100.0]");
}

TEST(JsonTextTest, DoublesReadToTheNearest) {
  for (const char* text : {"0.1", "1e-7", "123456.789", "5e-324", "1.7976931348623157e+308",
                           "2.2250738585072014e-308"}) {
    EXPECT_EQ(*parse_json(text)->if_double(), std::strtod(text, nullptr)) << text;
  }
  EXPECT_EQ(reason_of("1e999"), json_reason::kSyntax);
}

TEST(JsonTextTest, RefusesWhatIsNotJson) {
  for (const char* text :
       {"", " ", "{", "[1,]", "{\"a\":1,}", "nul", "NaN", "'a'", "1 2", "{\"a\" 1}", "\"\\ud800\"",
        "\"\\udc00x\"", "// c\n1", "\"a\nb\"", "01", "+1", ".5", "1."}) {
    EXPECT_EQ(reason_of(text), json_reason::kSyntax) << text;
  }
  EXPECT_NE(reason_of("\"\xc0\xaf\""), "accepted");
}

TEST(JsonTextTest, ReportsDuplicatesAndDepth) {
  EXPECT_EQ(reason_of(R"({"a":1,"b":{"a":2,"a":3}})"), json_reason::kDuplicate);
  EXPECT_EQ(to_json(*parse_json(R"({"a":1,"b":2,"a":3})", {.allow_duplicates = true})),
            R"({"a":3,"b":2})");
  const std::string deep = std::string(65, '[') + std::string(65, ']');
  EXPECT_EQ(parse_json(deep, {.max_depth = 64}).error().reason, json_reason::kDepth);
  EXPECT_TRUE(parse_json(deep.substr(1, 128), {.max_depth = 64}));
  EXPECT_EQ(reason_of(deep), "accepted");
  EXPECT_EQ(reason_of(std::string(513, '[') + std::string(513, ']')), json_reason::kDepth);
}

TEST(JsonTextTest, FindsDuplicatesInLargeObjects) {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) text += "\"k" + std::to_string(i) + "\":1,";

  EXPECT_EQ(reason_of(text + "\"k500\":2}"), json_reason::kDuplicate);
  EXPECT_EQ(reason_of(text + "\"x\":2}"), "accepted");
}

TEST(JsonTextTest, TheLastOfTwoMembersTakesThePlaceOfTheFirst) {
  const JsonLimits lenient{.allow_duplicates = true};
  EXPECT_EQ(
      to_json(*parse_json(R"({"a":{"x":[1,{"y":2}]},"b":3,"a":{"z":[4,5]},"c":[]})", lenient)),
      R"({"a":{"z":[4,5]},"b":3,"c":[]})");
  std::string many = "{";
  for (int i = 0; i < 100; ++i) many += fmt::format(R"("m{}":[{}],)", i, i);
  const auto value = parse_json(many + R"("m7":{"late":true}})", lenient);
  ASSERT_EQ(value->if_object()->size(), 100U);
  EXPECT_EQ(to_json((*value->if_object())[7].value), R"({"late":true})");
}

TEST(JsonTextTest, EscapesWhereverTheyStand) {
  const std::pair<char, std::string> escapes[] = {
      {'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\x1f', "\\u001f"}, {'\0', "\\u0000"}};
  for (size_t length = 0; length < 20; ++length) {
    for (size_t at = 0; at < length; ++at) {
      for (const auto& [byte, written] : escapes) {
        // Bytes next to those that are escaped, and beyond ASCII, stay as they are.
        std::string text(length, "!# [~\x7f"[at % 6]);
        std::string expected = text;
        text[at] = byte;
        expected.replace(at, 1, written);
        EXPECT_EQ(to_json(text + "é\xff\x80"), '"' + expected + "é\xff\x80\"");
      }
    }
  }
}

TEST(JsonTextTest, CanonicalTextsOfEqualValuesAreEqual) {
  const Value a = *parse_json(R"({"b":[1,2.0],"a":{"y":1,"x":"é"}})");
  const Value b = *parse_json(R"({"a":{"x":"é","y":1.0},"b":[1.0,2]})");

  EXPECT_TRUE(json_equal(a, b));
  EXPECT_EQ(to_canonical_json(a), to_canonical_json(b));
  EXPECT_FALSE(json_equal(a, *parse_json(R"({"b":[2,1],"a":{"y":1,"x":"é"}})")));

  for (const auto& [whole, real] :
       {std::pair("10000000000000000", "1e16"),
        std::pair("-9223372036854775808", "-9223372036854775808.0"),
        std::pair("9223372036854775808", "9223372036854775808.0"),
        std::pair("36893488147419103232", "3.6893488147419103232e19"), std::pair("0", "-0.0")}) {
    EXPECT_EQ(to_canonical_json(*parse_json(whole)), to_canonical_json(*parse_json(real)));
  }
  EXPECT_NE(to_canonical_json(*parse_json("9007199254740993")),
            to_canonical_json(*parse_json("9007199254740992.0")));
}

TEST(JsonTextTest, WhatMustBeEscapedIsFoundWhereverItStands) {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    std::string escaped(1, c);
    if (byte < 0x20 || c == '"' || c == '\\') {
      const size_t known = std::string_view("\"\\\n\r\t\b\f").find(c);
      escaped = known != std::string_view::npos ? std::string("\\") + "\"\\nrtbf"[known]
                                                : fmt::format("\\u{:04x}", byte);
    }
    for (size_t before = 0; before < 20; ++before) {
      const std::string plain(before, 'x');
      std::string out;
      append_json_string(out, plain + c + "\x80yz" + c);
      EXPECT_EQ(out, '"' + plain + escaped + "\x80yz" + escaped + '"') << byte << " at " << before;
    }
  }
}

TEST(JsonTextTest, LongTextsAreEscapedToTheirEnd) {
  for (size_t size = 480; size < 1100; ++size) {
    std::string text;
    std::string escaped;
    for (size_t i = 0; i < size; ++i) {
      const bool quote = i % 7 == size % 5 || i % 11 == 3;
      text += quote ? "\"" : i % 13 == 0 ? "\x01" : "x";
      escaped += quote ? "\\\"" : i % 13 == 0 ? "\\u0001" : "x";
    }
    std::string out;
    append_json_string(out, text);
    ASSERT_EQ(out, '"' + escaped + '"');
  }
}

enum class Colour { kRed, kBlue };

struct Inner {
  int64_t count = 0;
  bool operator==(const Inner&) const = default;
};

struct Outer {
  std::string name = {};
  std::optional<Timestamp> due = std::nullopt;
  Colour colour = Colour::kRed;
  std::vector<Inner> inners = {};
  Value extra = {};
  std::optional<Inner> one = {};
  std::optional<std::vector<std::string>> words = {};
  bool sure = false;
  double share = 0;
  bool operator==(const Outer&) const = default;
};

}  // namespace

template <>
struct EnumNames<Colour> {
  static constexpr std::array<std::pair<Colour, std::string_view>, 2> kNames = {
      {{Colour::kRed, "red"}, {Colour::kBlue, "blue"}}};
};

template <>
const Codec<Inner>& codec_of<Inner>() {
  static const Codec<Inner> codec = Codec<Inner>().field("count", &Inner::count);
  return codec;
}

namespace {

const Codec<Outer>& outer_codec() {
  static const Codec<Outer> codec = Codec<Outer>()
                                        .field("name", &Outer::name)
                                        .field("due", &Outer::due)
                                        .field("colour", &Outer::colour)
                                        .field("inners", &Outer::inners)
                                        .field("extra", &Outer::extra)
                                        .field("one", &Outer::one)
                                        .field("words", &Outer::words)
                                        .field("sure", &Outer::sure)
                                        .field("share", &Outer::share);
  return codec;
}

TEST(CodecTest, ReadsWhatItWrote) {
  const Outer outer{.name = "n",
                    .due = from_micros(1'736'937'000'123'456),
                    .colour = Colour::kBlue,
                    .inners = {{1}, {2}},
                    .extra = Value::object({{"k", 1.5}}),
                    .one = Inner{-7},
                    .words = {{"a \"quoted\" word", std::string(3000, 'x') + "\n", ""}},
                    .sure = true,
                    .share = 0.1};

  EXPECT_EQ(*outer_codec().decode_text(outer_codec().encode_text(outer)), outer);
  EXPECT_EQ(*outer_codec().decode_text(outer_codec().encode_text(Outer{})), Outer{});
}

TEST(CodecTest, TheTextIsThatOfTheValue) {
  const Outer outer{.name = "\"quoted\"\n",
                    .due = from_micros(1),
                    .inners = {{-1}, {INT64_MAX}},
                    .extra = Value::array({nullptr, true, 1.0, "é", Value::object({{"{", "}"}})})};

  EXPECT_EQ(outer_codec().encode_text(outer), to_json(outer_codec().encode(outer)));
  EXPECT_EQ(outer_codec().encode_text({}),
            R"({"name":"","colour":"red","inners":[],"extra":null,"sure":false,"share":0.0})");
}

TEST(CodecTest, AbsentMembersKeepDefaultsAndUnknownOnesAreSkipped) {
  EXPECT_EQ(outer_codec().decode_text(R"({"name":"x","newer":1})")->name, "x");
  EXPECT_EQ(*outer_codec().decode_text(R"({"newer":{"a":[1,{"name":"no"}],"b":null},"name":"x"})"),
            (Outer{.name = "x"}));
  EXPECT_EQ(*outer_codec().decode_text(R"({"one":null,"due":null,"words":null})"), Outer{});
}

TEST(CodecTest, MembersComeInAnyOrder) {
  const auto outer = outer_codec().decode_text(
      R"({"share":18446744073709551615,"inners":[{"count":2}],"name":"é\u0041","colour":"blue"})");

  ASSERT_TRUE(outer.has_value());
  EXPECT_EQ(outer->name, "éA");
  EXPECT_EQ(outer->colour, Colour::kBlue);
  EXPECT_EQ(outer->inners, std::vector<Inner>{{2}});
  EXPECT_EQ(outer->share, 18446744073709551615.0);
}

TEST(CodecTest, ReadsFromAValueWhatItReadsFromItsText) {
  const std::string text =
      R"({"name":"n","due":"2026-01-02T03:04:05Z","one":{"count":3},"words":["a",""],"share":1,)"
      R"("extra":{"deep":[[],{"x":[1.5,18446744073709551615,-1,true,null,"t"]}],"e":0.1e-7,"tiny":1e-400}})";
  const Value value = *parse_json(text);

  const auto outer = outer_codec().decode_text(text);

  ASSERT_TRUE(outer.has_value());
  EXPECT_EQ(*outer, *outer_codec().decode(value));
  EXPECT_EQ(outer->extra, *value.find("extra"));
}

TEST(CodecTest, WhatCannotBeReadIsCorruptionAndSaysWhere) {
  for (const std::string_view text :
       {R"({"name":5})", R"({"colour":"green"})", R"({"colour":1})", R"({"inners":{}})",
        R"({"inners":[1]})", R"({"inners":[{"count":1.0}]})", R"({"one":[]})", R"({"due":"soon"})",
        R"({"words":[null]})", R"({"name":null})", R"({"sure":0})", R"({"share":"1"})"}) {
    const auto from_text = outer_codec().decode_text(text);
    ASSERT_FALSE(from_text.has_value()) << text;
    EXPECT_EQ(from_text.error().code, ErrorCode::kCorrupted) << text;
    const std::string member(text.substr(2, text.find('"', 2) - 2));
    EXPECT_EQ(from_text.error().detail, "member " + member + " has the wrong type");
    EXPECT_EQ(outer_codec().decode(*parse_json(text)).error().detail, from_text.error().detail);
  }
  for (const std::string_view text :
       {"[", "[]", "1", "", "{} {}", "{\"name\":\"\xff\"}", "{\"a\"}", "{\"share\":1e400}"})
    EXPECT_EQ(outer_codec().decode_text(text).error().code, ErrorCode::kCorrupted) << text;
  const std::string deep = R"({"extra":)" + std::string(600, '[') + std::string(600, ']') + "}";
  EXPECT_EQ(outer_codec().decode_text(deep).error().code, ErrorCode::kCorrupted);
}

}  // namespace
}  // namespace holdfast
