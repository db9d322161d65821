#include "model/pretty_json.h"

#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/json_text.h"

namespace holdfast {
namespace {

std::string slow_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    constexpr std::string_view kShort = "\"\\\n\r\t\b\f";
    const size_t found = kShort.find(c);
    if (found != std::string_view::npos) {
      out += '\\';
      out += "\"\\nrtbf"[found];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string slow_pretty(const Value& value, size_t indent) {
  const std::string line = "\n" + std::string(indent + 2, ' ');
  std::string inside;
  if (const auto* elements = value.if_array()) {
    for (const Value& element : *elements)
      inside += (inside.empty() ? "" : ",") + line + slow_pretty(element, indent + 2);
  } else if (const auto* members = value.if_object()) {
    for (const auto& [name, member] : *members) {
      inside += (inside.empty() ? "" : ",") + line + slow_text(name) + ": " +
                slow_pretty(member, indent + 2);
    }
  } else {
    return value.is_string() ? slow_text(*value.if_string()) : to_json(value);
  }
  if (!inside.empty()) inside += "\n" + std::string(indent, ' ');
  return value.is_array() ? "[" + inside + "]" : "{" + inside + "}";
}

TEST(JsonEscapeTest, EveryCharacterEverywhere) {
  for (size_t size = 1; size < 50; ++size) {
    for (size_t at = 0; at < size; ++at) {
      for (int c = 0; c < 256; ++c) {
        std::string text(size, '~');
        text[at] = static_cast<char>(c);
        std::string written;
        append_json_string(written, text);
        ASSERT_EQ(written, slow_text(text));
      }
    }
  }
}

TEST(JsonEscapeTest, TextsOfAnySizeWithAnythingInThem) {
  std::mt19937 random(5);
  for (int round = 0; round < 3000; ++round) {
    std::string text(random() % 3000, '\0');
    const unsigned range = round % 2 == 0 ? 256 : 40;
    for (char& c : text) c = static_cast<char>(random() % range);
    std::string written;
    append_json_string(written, text);
    ASSERT_EQ(written, slow_text(text));
  }
}

Value any_value(std::mt19937& random, size_t depth) {
  const auto text = [&] {
    std::string out(random() % 40, '\0');
    for (char& c : out) c = static_cast<char>(random() % 128);
    return out;
  };
  switch (random() % (depth < 14 ? 8 : 5)) {
    case 0: return Value(static_cast<int64_t>(random()) - 1'000'000);
    case 1: return Value(static_cast<double>(random()) / 7);
    case 2: return Value(random() % 2 == 0);
    case 3: return Value();
    case 4: return Value(text());
    case 5:
    case 6: {
      Value list = Value::array();
      for (size_t i = random() % 4; i > 0; --i) list.push(any_value(random, depth + 1));
      return list;
    }
    default: {
      Value object = Value::object();
      for (size_t i = random() % 4; i > 0; --i) object.set(text(), any_value(random, depth + 1));
      return object;
    }
  }
}

TEST(PrettyJsonTest, LooksAsIfItWereWrittenLineByLine) {
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    const Value value = any_value(random, 0);
    EXPECT_EQ(to_pretty_json(value), slow_pretty(value, 0));
  }
  Value deep = Value(1);
  for (int i = 0; i < 60; ++i) deep = Value::object({{"a", Value::array({deep, "x"})}});
  EXPECT_EQ(to_pretty_json(deep), slow_pretty(deep, 0));
}

TEST(PrettyJsonTest, PiecesMakeWhatTheWholeDoes) {
  const std::string hostile = "a \"b\"\n" + std::string(5000, '\x01');
  PrettyJson json(0);
  json.begin_object().member("text", hostile).member("number", int64_t{-5});
  json.name("none").begin_array().end_array().name("empty").begin_object().end_object();
  json.member("texts", std::vector<std::string>{"x", "y"});
  json.any_name("any \"name\"").value(Value::object({{"inner", Value::array({1, 2.5, nullptr})}}));
  json.name("list").begin_array().begin_object().end_object().value("last").end_array();
  json.end_object();

  const Value whole =
      Value::object({{"text", hostile},
                     {"number", -5},
                     {"none", Value::array()},
                     {"empty", Value::object()},
                     {"texts", Value::array({"x", "y"})},
                     {"any \"name\"", Value::object({{"inner", Value::array({1, 2.5, nullptr})}})},
                     {"list", Value::array({Value::object(), "last"})}});
  EXPECT_EQ(json.take(), slow_pretty(whole, 0));
}

}  // namespace
}  // namespace holdfast
