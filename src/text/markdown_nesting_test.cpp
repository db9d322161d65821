// Lists and quotes within each other: 32 levels are elements, what is deeper is text.
#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "text/markdown_html.h"

namespace holdfast::text {
namespace {

constexpr int kDeepest = 32;

std::string repeated(std::string_view piece, int times) {
  std::string out;
  for (; times > 0; --times) out += piece;
  return out;
}

// What stands within the innermost element of 32, for texts with one way down.
std::string innermost(const std::string& html) {
  constexpr std::array<std::string_view, 5> kTags = {"<ul>", "<ol>", "<li>", "<blockquote>", "\n"};
  std::string_view rest = html;
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view tag : kTags) {
      if (!rest.starts_with(tag)) continue;
      rest.remove_prefix(tag.size());
      found = true;
    }
  }
  size_t end = rest.size();
  for (const std::string_view tag : {"</li>", "</blockquote>"}) end = std::min(end, rest.find(tag));
  return std::string(rest.substr(0, end));
}

// The most lists and quotes that are open at once.
int deepest(std::string_view html) {
  int depth = 0;
  int most = 0;
  for (; !html.empty(); html.remove_prefix(1)) {
    const auto starts = [&](std::string_view tag) { return html.starts_with(tag); };
    if (starts("<ul>") || starts("<ol>") || starts("<blockquote>")) most = std::max(most, ++depth);
    if (starts("</ul>") || starts("</ol>") || starts("</blockquote>")) --depth;
  }
  return most;
}

TEST(MarkdownNesting, WhatIsTooDeepIsTheSourceItself) {
  const std::string quotes = repeated("> ", kDeepest);
  const std::pair<std::string, std::string> cases[] = {
      {repeated("1. ", 33) + "deepest words", "<p>1. deepest words</p>\n"},
      {repeated("7) ", 33) + "deepest words", "<p>7) deepest words</p>\n"},
      {repeated("* ", 33) + "star words", "<p>* star words</p>\n"},
      {repeated("+ ", 150) + "plus", "<p>" + repeated("+ ", 118) + "plus</p>\n"},
      {quotes + "> # heading words", "<p>&gt; # heading words</p>\n"},
      {quotes + "> one\n" + quotes + "> two", "<p>&gt; one\n&gt; two</p>\n"},
      {quotes + "> one\nlazy", "<p>&gt; one\nlazy</p>\n"},
      {quotes + "> one\n     > lazy", "<p>&gt; one\n&gt; lazy</p>\n"},
      {quotes + "> ~~~ c\n" + quotes + ">   a<b>\n" + quotes + "> ~~~",
       "<p>&gt; ~~~ c\n&gt;   a&lt;b&gt;\n&gt; ~~~</p>\n"},
      {repeated(">", 34) + "tight words", "<p>&gt;&gt;tight words</p>\n"},
      {quotes + "> *a* [b](/c) `d` &amp; \\* <e> https://f  ",
       "<p>&gt; *a* [b](/c) `d` &amp;amp; \\* &lt;e&gt; https://f</p>\n"},
      {quotes + "> a\n" + quotes + "> ---\n" + quotes + "> [x]: /y",
       "<p>&gt; a\n&gt; ---\n&gt; [x]: /y</p>\n"},
      {quotes + "- a\n" + quotes + "\n" + quotes + "  b\n" + quotes + "- c",
       "<p>- a</p>\n<p>b\n- c</p>\n"},
      {quotes + "- a\r" + quotes + "- b\r\n" + quotes + "- c", "<p>- a\n- b\n- c</p>\n"},
      {"\xEF\xBB\xBF" + quotes + "> mark", "<p>&gt; mark</p>\n"},
      {quotes + "> a" + std::string(1, '\0') + "b",
       "<p>&gt; a\xEF\xBF\xBD"
       "b</p>\n"},
      {repeated("- ", 16) + repeated("> ", 17) + "a\n" + repeated("  ", 16) + repeated("> ", 17) +
           "b",
       "<p>&gt; a\n&gt; b</p>\n"},
      {repeated("> 10. ", 16) + "- a\n" + repeated(">     ", 16) + "  b\n" +
           repeated(">     ", 16) + "- c",
       "<p>- a\nb\n- c</p>\n"},
      {repeated("-\t", 32) + "> a\n" + repeated("\t", 32) + "> b", "<p>&gt; a\n&gt; b</p>\n"},
  };
  for (const auto& [markdown, text] : cases) {
    const std::string html = markdown_to_html(markdown);
    EXPECT_EQ(innermost(html), text) << markdown;
    EXPECT_EQ(deepest(html), kDeepest) << markdown;
  }
}

TEST(MarkdownNesting, ThirtyTwoLevelsAreElements) {
  EXPECT_EQ(innermost(markdown_to_html(repeated("> ", kDeepest) + "# *a*")),
            "<h1><em>a</em></h1>\n");
  EXPECT_EQ(innermost(markdown_to_html(repeated("- ", kDeepest) + "*a*")), "<em>a</em>");
}

TEST(MarkdownNesting, WhatFollowsDeepTextIsMarkdownAgain) {
  const std::string quotes = repeated("> ", kDeepest);

  const std::string html =
      markdown_to_html(quotes + "> # deep\n" + quotes + "\n" + quotes + "*shallow*\n\n# out");

  EXPECT_NE(html.find("<p>&gt; # deep</p>\n<p><em>shallow</em></p>\n</blockquote>"),
            std::string::npos)
      << html;
  EXPECT_TRUE(html.ends_with("</blockquote>\n<h1>out</h1>\n")) << html;
}

// Every line of deep text begins where the 32 containers around it end, whichever they are.
TEST(MarkdownNesting, ContainersAroundDeepTextMayBeMixed) {
  struct Container {
    std::string_view opens, goes_on;
  };
  constexpr std::array<Container, 8> kContainers = {{{"> ", "> "},
                                                     {">", "> "},
                                                     {" > ", "  > "},
                                                     {"- ", "  "},
                                                     {"+   ", "    "},
                                                     {" * ", "   "},
                                                     {"10. ", "    "},
                                                     {"123456789) ", "           "}}};
  std::mt19937_64 random(3);
  for (int round = 0; round < 500; ++round) {
    std::string opens;
    std::string goes_on;
    for (int level = 0; level < kDeepest; ++level) {
      const Container& container = kContainers[random() % kContainers.size()];
      opens += container.opens;
      goes_on += container.goes_on;
    }

    const std::string html = markdown_to_html(opens + "> a\n" + goes_on + "> # b\n" + goes_on +
                                              ">> c\nlazy\n" + goes_on + ">");

    EXPECT_EQ(innermost(html), "<p>&gt; a\n&gt; # b\n&gt;&gt; c\nlazy\n&gt;</p>\n") << opens;
    EXPECT_EQ(deepest(html), kDeepest) << opens;
  }
}

struct Nested {
  std::string markdown;
  std::vector<std::string> words = {};  // in the order of the text
};

Nested random_nesting(std::mt19937_64& random) {
  constexpr std::array<std::string_view, 12> kMarks = {"> ", ">",   "- ", "* ",  "+ ",   "1. ",
                                                       "7)", "   ", "\t", "-\t", "    ", "# "};
  Nested nested;
  std::string marks;
  for (size_t lines = 1 + random() % 8; lines > 0; --lines) {
    // Often the marks of the line before it go on, so that its blocks do.
    if (random() % 3 == 0) marks.clear();
    if (random() % 3 == 0)
      std::ranges::replace_if(
          marks, [](char c) { return c != '>'; }, ' ');
    const std::string_view favourite = kMarks[random() % kMarks.size()];
    for (size_t left = random() % 70; left > 0; --left)
      marks += random() % 4 == 0 ? kMarks[random() % kMarks.size()] : favourite;
    nested.markdown += marks;
    if (random() % 8 == 0) {
      nested.markdown += random() % 2 == 0 ? "~~~" : "---";
    } else {
      nested.words.push_back("w" + std::to_string(nested.words.size()) + "w");
      nested.markdown += nested.words.back();
    }
    nested.markdown += random() % 4 == 0 ? "\n\n" : "\n";
  }
  return nested;
}

TEST(MarkdownNesting, NothingIsLostAndNothingIsTooDeep) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    const Nested nested = random_nesting(random);

    const std::string html = markdown_to_html(nested.markdown);

    EXPECT_LE(deepest(html), kDeepest) << nested.markdown;
    size_t at = 0;
    for (const std::string& word : nested.words) {
      at = html.find(word, at);
      ASSERT_NE(at, std::string::npos) << word << " of\n" << nested.markdown << "\nin\n" << html;
    }
  }
}

}  // namespace
}  // namespace holdfast::text
