#include "text/markdown_html.h"

#include <gtest/gtest.h>

namespace holdfast::text {
namespace {

TEST(MarkdownHtml, Constructs) {
  const std::pair<const char*, const char*> cases[] = {
      {"# One", "<h1>One</h1>\n"},
      {"a *b* **c** `d<e>`", "<p>a <em>b</em> <strong>c</strong> <code>d&lt;e&gt;</code></p>\n"},
      {"3. x\n4. y", "<ol>\n<li>x</li>\n<li>y</li>\n</ol>\n"},
      {"- x\n\n- y", "<ul>\n<li><p>x</p>\n</li>\n<li><p>y</p>\n</li>\n</ul>\n"},
      {"> q", "<blockquote>\n<p>q</p>\n</blockquote>\n"},
      {"```c++\na<b\n```", "<pre><code class=\"language-c++\">a&lt;b\n</code></pre>\n"},
      {"```a\"b\nx\n```", "<pre><code>x\n</code></pre>\n"},
      {"a\n\n---\n\nb", "<p>a</p>\n<p>b</p>\n"},
      {"![alt *x*](http://e.org)", "<p>alt x</p>\n"},
      {"a  \nb", "<p>a<br />\nb</p>\n"},
      {"&lt;b&gt; &copy;", "<p>&lt;b&gt; ©</p>\n"},
      {"~~a~~ | b", "<p>~~a~~ | b</p>\n"},
  };
  for (const auto& [markdown, html] : cases) EXPECT_EQ(markdown_to_html(markdown), html);
}

TEST(MarkdownHtml, RawHtmlIsText) {
  EXPECT_EQ(markdown_to_html("<div>\n**b**\n</div>"),
            "<p>&lt;div&gt;\n<strong>b</strong>\n&lt;/div&gt;</p>\n")
      << "not even the start of a block";
  EXPECT_EQ(markdown_to_html("x <!-- y --> z"), "<p>x &lt;!-- y --&gt; z</p>\n");
  EXPECT_EQ(markdown_to_html("[a](<script>)"), "<p><a href=\"script\">a</a></p>\n");
  EXPECT_EQ(markdown_to_html("](<b>x"), "<p>](&lt;b&gt;x</p>\n");
  EXPECT_EQ(markdown_to_html("\\<b> `\\<b>` \\\\<b>"),
            "<p>&lt;b&gt; <code>\\&lt;b&gt;</code> \\&lt;b&gt;</p>\n")
      << "a backslash escapes it";
  for (const char* begin : {"<?a@b.c>", "<!a@b.c>", "<!--@b.c>"}) {
    EXPECT_NE(
        markdown_to_html(std::string(begin) + " **x**\n\n# y").find("</strong></p>\n<h1>y</h1>"),
        std::string::npos)
        << begin;
  }
  // A text that uses the stand-ins of `<` itself.
  const std::string marks = "⸱⸲⸳⸴⸵⸶⸷⸸<b>";
  EXPECT_EQ(markdown_to_html(marks).find("<b>"), std::string::npos);
}

// CommonMark allows seven decimal digits and six hexadecimal ones.
TEST(MarkdownHtml, NumericReferencesThatAreTooLongAreText) {
  const std::pair<const char*, const char*> cases[] = {
      {"&#87654321; and &#x1234567; here", "<p>&amp;#87654321; and &amp;#x1234567; here</p>\n"},
      {"&#X12345678; &#00000065; &#x0000041;",
       "<p>&amp;#X12345678; &amp;#00000065; &amp;#x0000041;</p>\n"},
      {"&#0000065; &#x000041; &#X41; &#9999999;", "<p>A A A \xEF\xBF\xBD</p>\n"},
      {"&#87654321 &#x1234567g; &#876543210; &#x; &#;",
       "<p>&amp;#87654321 &amp;#x1234567g; &amp;#876543210; &amp;#x; &amp;#;</p>\n"},
      {"&#87654321", "<p>&amp;#87654321</p>\n"},
      {"\\&#87654321; \\\\&#87654321; &amp;#87654321;",
       "<p>&amp;#87654321; \\&amp;#87654321; &amp;#87654321;</p>\n"},
      {"`&#87654321; \\&#87654321;`", "<p><code>&amp;#87654321; \\&amp;#87654321;</code></p>\n"},
      {"    &#87654321;", "<pre><code>&amp;#87654321;\n</code></pre>\n"},
      {"[a](/&#87654321; \"&#x1234567;\")",
       "<p><a href=\"/&amp;#87654321;\" title=\"&amp;#x1234567;\">a</a></p>\n"},
      {"<http://e.org/&#87654321;>",
       "<p><a href=\"http://e.org/&amp;#87654321;\">http://e.org/&amp;#87654321;</a></p>\n"},
      {"[&#87654321;]\n\n[&#87654321;]: /a", "<p><a href=\"/a\">&amp;#87654321;</a></p>\n"},
      {"a*&#87654321;* <b>", "<p>a*&amp;#87654321;* &lt;b&gt;</p>\n"},
  };
  for (const auto& [markdown, html] : cases) EXPECT_EQ(markdown_to_html(markdown), html);
}

TEST(MarkdownHtml, LinksLeadToTheWebOrStayInside) {
  for (const char* good : {"https://e.org/?a=1", "HTTP://e.org", "../x.md", "#part", "/a:b", ""}) {
    EXPECT_TRUE(is_safe_link(good)) << good;
  }
  for (const char* bad : {"javascript:alert(1)", "java\tscript:x", " data:x", "//e.org",
                          "https://u@e.org", "https://u:p@e.org/", "https:\\\\e.org",
                          "mailto:a@b.c", "vbscript:x", "\x01javascript:x"}) {
    EXPECT_FALSE(is_safe_link(bad)) << bad;
  }
  EXPECT_EQ(markdown_to_html("[go](javascript:x) <mailto:a@b.c> <a@b.c>"),
            "<p>go mailto:a@b.c a@b.c</p>\n");
  EXPECT_EQ(markdown_to_html("[k](https://e.org/ä\"b \"t<\")"),
            "<p><a href=\"https://e.org/%C3%A4%22b\" title=\"t&lt;\">k</a></p>\n");
  // What was judged without gaps is written without them, or a browser would see no scheme.
  EXPECT_EQ(markdown_to_html("[k](<ht tp://e.org/a b>) [k](&#9;HTTPS://e.org)"),
            "<p><a href=\"http://e.org/a%20b\">k</a> <a href=\"HTTPS://e.org\">k</a></p>\n");
}

TEST(MarkdownHtml, TargetsMayBeginALine) {
  EXPECT_EQ(markdown_to_html("[a b]:\n<my url>\n'title'\n\n[a b]"),
            "<p><a href=\"my%20url\" title=\"title\">a b</a></p>\n");
  EXPECT_EQ(markdown_to_html("[a](\n<https://e.org/a b>) b"),
            "<p><a href=\"https://e.org/a%20b\">a</a> b</p>\n");
  EXPECT_EQ(markdown_to_html("a](\n<div>*b*"), "<p>a](\n&lt;div&gt;<em>b</em></p>\n");
  EXPECT_EQ(markdown_to_html("a]:\n  <!-- *b* -->"), "<p>a]:\n&lt;!-- <em>b</em> --&gt;</p>\n");
}

TEST(MarkdownHtml, AnyBytesAreFine) {
  for (const char* piece : {"[", "*", "`", ">", "<", "![", "](", "\xff", "&#"}) {
    std::string text;
    while (text.size() < 10'000) text += piece;
    EXPECT_EQ(markdown_to_html(text), markdown_to_html(text));
  }
}

}  // namespace
}  // namespace holdfast::text
