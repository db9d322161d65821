// Lines, decoding, HTML and patterns.
#include <gtest/gtest.h>

#include "base/utf8.h"
#include "text/glob.h"
#include "text/html_text.h"
#include "text/lines.h"

namespace holdfast::text {
namespace {

using namespace std::string_literals;

TEST(LinesTest, AnEndAtTheEndOpensNoLine) {
  EXPECT_EQ(split_lines("a\nb\n").size(), 2U);
  EXPECT_EQ(split_lines("a\n\nb").size(), 3U);
  EXPECT_EQ(split_lines("").size(), 0U);
  EXPECT_EQ(split_lines("\n").size(), 1U);
}

TEST(LinesTest, CountingAgreesWithSplitting) {
  for (const auto& text :
       {"a\r\nb"s, "a\rb\r"s, "x\x1cy\x85z"s, "\xc2\x85"s, "\xe2\x80\xa9q"s, "\xe2\x80\xaa"s}) {
    EXPECT_EQ(count_lines(text), split_lines(text).size());
  }
}

TEST(DecodeTest, BrokenPartsAreReplacedOnceEach) {
  EXPECT_EQ(decode_utf8("ok \xff end", BadBytes::kReplace), "ok \xEF\xBF\xBD end");
  EXPECT_EQ(decode_utf8("\xf0\x9f\x98", BadBytes::kReplace), "\xEF\xBF\xBD");
  EXPECT_EQ(decode_utf8("\xed\xa0\x80", BadBytes::kReplace),
            "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(decode_utf8("a\xc0\xaf\x62", BadBytes::kDrop), "ab");
}

TEST(DecodeTest, EveryByteStringBecomesUtf8AndTextStaysAsItIs) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string bytes = {static_cast<char>(first), static_cast<char>(second), 'x'};
      const std::string text = decode_utf8(bytes, BadBytes::kReplace);
      EXPECT_TRUE(is_valid_utf8(text));
      EXPECT_TRUE(text == bytes || !is_valid_utf8(bytes));
    }
  }
}

TEST(HtmlTest, TagsBecomeLineEnds) {
  EXPECT_EQ(html_to_text("<html><body><h1>A</h1><p>b &amp; c</p></body></html>"), "A\n\nb &amp; c");
}

TEST(HtmlTest, ScriptsAndStylesVanish) {
  EXPECT_EQ(html_to_text("a<SCRIPT src=x>if (1 < 2) y()</Script >b<style>p{}</style>c"), "a b c");
  EXPECT_EQ(html_to_text("<scripture>kept</scripture>"), "kept");
}

TEST(HtmlTest, WhatNeverEndsIsText) {
  EXPECT_EQ(html_to_text("a <b"), "a <b");
  EXPECT_EQ(html_to_text("x<script>y"), "x\ny");
  EXPECT_EQ(html_to_text("1 <> 2"), "1 <> 2");
}

TEST(HtmlTest, IsRecognisedByTypeOrTag) {
  EXPECT_TRUE(looks_like_html("Text/HTML; charset=x", ""));
  EXPECT_TRUE(looks_like_html("", "  <HTML>"));
  EXPECT_FALSE(looks_like_html("text/plain", "plain <b>text</b>"));
}

TEST(GlobTest, StarsCrossSlashes) {
  EXPECT_TRUE(glob_match("*.py", "a/b/c.py"));
  EXPECT_TRUE(glob_match("src/*", "src/a/b"));
  EXPECT_TRUE(glob_match("a*b*c", "aXbXbXc"));
  EXPECT_FALSE(glob_match("a*b*c", "aXbXbX"));
  EXPECT_TRUE(glob_match("*", ""));
}

TEST(GlobTest, QuestionMarksAndSetsAreOneCharacter) {
  EXPECT_TRUE(glob_match("?", "é"));
  EXPECT_FALSE(glob_match("?", ""));
  EXPECT_TRUE(glob_match("[a-c]x", "bx"));
  EXPECT_FALSE(glob_match("[!a-c]x", "bx"));
  EXPECT_TRUE(glob_match("[!a-c]x", "dx"));
  EXPECT_TRUE(glob_match("[]]", "]"));
  EXPECT_TRUE(glob_match("[ab", "[ab"));
}

TEST(GlobTest, ManyStarsEndSoon) {
  const std::string pattern(2000, '*');

  EXPECT_FALSE(glob_match(pattern + "b", std::string(2000, 'a')));
}

}  // namespace
}  // namespace holdfast::text
