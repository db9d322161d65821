#include "text/document_chunker.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace holdfast::text {
namespace {

struct Seen {
  std::string kind;
  std::string title;
  int64_t begin;
  int64_t end;
  std::vector<std::string> path;
  bool operator==(const Seen&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Seen& seen) {
  return out << seen.kind << " '" << seen.title << "' " << seen.begin << "-" << seen.end << " /"
             << seen.path.size();
}

std::vector<Seen> chunks(std::string_view text, DocumentForm form) {
  std::vector<Seen> seen;
  for (const auto& chunk : chunk_document(text, form, 100)) {
    seen.push_back({std::string(chunk.kind), chunk.title, chunk.line_start, chunk.line_end,
                    chunk.heading_path});
  }
  return seen;
}

using Path = std::vector<std::string>;

TEST(DocumentChunkerTest, TextIsCutAtBlankLines) {
  const auto seen = chunks("one\ntwo\n \t\n\nthree\n", DocumentForm::kText);

  EXPECT_EQ(seen,
            (std::vector<Seen>{{"paragraph", "one", 1, 2, {}}, {"paragraph", "three", 5, 5, {}}}));
}

TEST(DocumentChunkerTest, AParagraphIsNamedByItsFirstLineCutToEightyCharacters) {
  std::string line;
  for (int i = 0; i < 90; ++i) line += "é";

  const auto chunk = chunk_document("  " + line + "  \nrest", DocumentForm::kText, 10).at(0);

  EXPECT_EQ(count_code_points(chunk.title), 80U);
  EXPECT_EQ(chunk.text, line + "  \nrest");
}

TEST(DocumentChunkerTest, MarkdownIsCutAtHeadingsOutsideFences) {
  const auto seen =
      chunks("---\nk: v\n...\n\nintro\n# A\ntext\n```\n# code\n~~~\n## B ##\n### C\n## D\n",
             DocumentForm::kMarkdown);

  EXPECT_EQ(seen, (std::vector<Seen>{{"frontmatter", "Frontmatter", 1, 3, {}},
                                     {"preamble", "Preamble", 4, 5, {}},
                                     {"section", "A", 6, 10, Path{"A"}},
                                     {"section", "B", 11, 11, Path{"A", "B"}},
                                     {"section", "C", 12, 12, Path{"A", "B", "C"}},
                                     {"section", "D", 13, 13, Path{"A", "D"}}}));
}

TEST(DocumentChunkerTest, LinesThatOnlyLookLikeHeadingsAreText) {
  const auto seen = chunks("#none\n####### seven\n#\n# #\n", DocumentForm::kMarkdown);

  EXPECT_EQ(seen, (std::vector<Seen>{{"section", "Document", 1, 4, {}}}));
}

TEST(DocumentChunkerTest, FrontMatterMustCloseWithinTwoHundredLines) {
  std::string text = "---\n";
  for (int i = 0; i < 200; ++i) text += "k: v\n";

  const auto seen = chunks(text + "---\n# H\n", DocumentForm::kMarkdown);

  EXPECT_EQ(seen, (std::vector<Seen>{{"preamble", "Preamble", 1, 202, {}},
                                     {"section", "H", 203, 203, Path{"H"}}}));
}

TEST(DocumentChunkerTest, LongSectionsOverlapByTwoLines) {
  std::string text = "# Long\n";
  for (int i = 0; i < 45; ++i) text += std::string(80, 'x') + "\n";

  const auto seen = chunks(text, DocumentForm::kMarkdown);

  EXPECT_EQ(seen, (std::vector<Seen>{{"section", "Long", 1, 21, Path{"Long"}},
                                     {"section", "Long", 20, 39, Path{"Long"}},
                                     {"section", "Long", 38, 46, Path{"Long"}}}));
}

TEST(DocumentChunkerTest, AFenceIsNeverCut) {
  std::string text = "# F\n```\n";
  for (int i = 0; i < 40; ++i) text += std::string(99, 'q') + "\n";
  text += "```\ntail\n";

  const auto seen = chunks(text, DocumentForm::kMarkdown);

  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].end, 43);
  EXPECT_EQ(seen[1].begin, 42);
}

TEST(DocumentChunkerTest, BlankTextHasNoChunks) {
  EXPECT_TRUE(chunks("", DocumentForm::kMarkdown).empty());
  EXPECT_TRUE(chunks(" \n\n\t\n", DocumentForm::kMarkdown).empty());
  EXPECT_TRUE(chunks("\n\n", DocumentForm::kText).empty());
}

TEST(DocumentChunkerTest, OnlySoManyChunksAreMade) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "word\n\n";

  EXPECT_EQ(chunk_document(text, DocumentForm::kText, 7).size(), 7U);
}

TEST(DocumentChunkerTest, EveryKindOfLineEndCounts) {
  const auto seen = chunks("# A\r\nx\r# B\ny\x0b# C\xe2\x80\xa8# D", DocumentForm::kMarkdown);

  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen[1].begin, 3);
  EXPECT_EQ(seen[3].begin, 6);
}

}  // namespace
}  // namespace holdfast::text
