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

TEST(MarkdownHtml, AnyBytesAreFine) {
  for (const char* piece : {"[", "*", "`", ">", "<", "![", "](", "\xff", "&#"}) {
    std::string text;
    while (text.size() < 10'000) text += piece;
    EXPECT_EQ(markdown_to_html(text), markdown_to_html(text));
  }
}

}  // namespace
}  // namespace holdfast::text
