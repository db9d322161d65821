#include "text/analyzer.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "text/query.h"
#include "text/snippet.h"
#include "text/stemmer.h"

namespace holdfast::text {
namespace {

// Plain tokens as they are, overlays in brackets.
std::string tokens_of(std::string_view source) {
  TokenList list;
  analyze(source, list);
  std::string out;
  for (const Token& token : list.tokens) {
    if (!out.empty()) out += ' ';
    const std::string text(list.text(token));
    out += token.overlay ? "[" + text + "]" : text;
  }
  return out;
}

struct Case {
  std::string_view source;
  std::string_view tokens;
};

void expect_all(const std::vector<Case>& cases) {
  for (const Case& one : cases) EXPECT_EQ(tokens_of(one.source), one.tokens) << one.source;
}

TEST(AnalyzerTest, KeepsIdentifiersWholeAndSplit) {
  expect_all({
      {"parse_query", "parse query [parse_query]"},
      {"parseQuery", "parse query [parsequery]"},
      {"HTTPServer", "http server [httpserver]"},
      {"Utf8Decoder", "utf8 decoder [utf8decoder]"},
      {"UTF8", "utf8"},
      {"kebab-case-name", "kebab case name [kebab-case-name]"},
      {"PROJ-123", "proj 123 [proj-123]"},
      {"v1.2.3", "v1 2 3 [v1.2.3]"},
      {"a.b.c", "a b c [a.b.c]"},
      {"src/text/analyzer.cpp", "src text analyzer cpp [analyzer.cpp] [src/text/analyzer.cpp]"},
      {"src/queryParser.h", "src query parser h [queryparser] [queryparser.h] [src/queryparser.h]"},
      {"std::vector", "std vector [std::vector]"},
      {"me@example.org", "me example org [me@example.org]"},
      {"https://example.org/a", "https example org a [example.org] [example.org/a]"},
      {"C++ and C#", "c [c++] and c [c#]"},
      {"a #tag, -flag", "a tag flag"},
  });
}

TEST(AnalyzerTest, FoldsCaseAccentsAndCompatibilityForms) {
  expect_all({
      {"Crème BRÛLÉE", "creme brulee"},
      {"Straße", "strasse"},
      {"ＦＵＬＬ ｗｉｄｔｈ", "full width"},
      {"ﬁle №5", "file no5"},
      {"Ελλάδα ΟΔΟΣ", "ελλαδα οδοσ"},
      {"Ёлка", "елка"},
      {"שָׁלוֹם עולם", "שלום עולם"},
      {"مُحَمَّد", "محمد"},
      {"soft\xc2\xadhyphen", "softhyphen"},
  });
}

TEST(AnalyzerTest, TreatsApostrophesAsEnglishDoes) {
  expect_all({
      {"Caroline's dog", "caroline dog"},
      {"Caroline\u2019s dog", "caroline dog"},
      {"don't", "don't"},
      {"O'Brien", "o brien [o'brien]"},
      {"the dogs' bowl 'quoted'", "the dogs bowl quoted"},
  });
}

TEST(AnalyzerTest, MakesBigramsOfScriptsWithoutSpaces) {
  expect_all({
      {"東京都", "東京 [東] 京都 [京] [都]"},
      {"雨", "雨"},
      {"서울에서", "서울 [서] 울에 [울] 에서 [에] [서]"},
      {"iPhone手机", "i phone [iphone] 手机 [手] [机]"},
  });
}

TEST(AnalyzerTest, CutsLongTokensBetweenCodePoints) {
  const std::string ascii(5000, 'x');
  const std::string greek = [] {
    std::string text = "x";
    for (int i = 0; i < 500; ++i) text += "α";
    return text;
  }();

  EXPECT_EQ(tokens_of(ascii), std::string(kMaxTokenBytes, 'x'));
  EXPECT_TRUE(is_valid_utf8(tokens_of(greek)));
  EXPECT_LE(tokens_of(greek).size(), kMaxTokenBytes);
}

TEST(AnalyzerTest, WordsOfEveryLengthAreFoundWhateverFollows) {
  const std::string letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  for (size_t size = 1; size <= 2 * kMaxTokenBytes; ++size) {
    std::string word;
    while (word.size() < size) word += letters[word.size() % letters.size()];
    const std::string kept = word.substr(0, kMaxTokenBytes);
    for (const char* after : {"", " ", "\n", " b", " of sixteen letters and more", ", b"}) {
      const std::string tokens = tokens_of(word + after);
      EXPECT_EQ(tokens.substr(0, tokens.find(' ')), kept) << size << after;
    }
  }
}

TEST(AnalyzerTest, SourceRangesNameTheBytesOfEachToken) {
  const std::string source = "Visit the café-bar, Zoë!";
  TokenList list;
  analyze(source, list);

  std::vector<std::string> pieces;
  for (const Token& token : list.tokens) {
    pieces.push_back(source.substr(token.source_begin, token.source_end - token.source_begin));
  }

  EXPECT_EQ(pieces, (std::vector<std::string>{"Visit", "the", "café", "bar", "café-bar", "Zoë"}));
}

TEST(AnalyzerTest, AnyBytesGiveValidBoundedTokens) {
  std::mt19937 random(7);
  const std::string alphabet = "aZ9_-./:'\"#+ \n\x80\xc3\xa9\xe6\x9d\xb1\xf0\x9f\x98\xed\xa0\xff";
  for (int round = 0; round < 3000; ++round) {
    std::string source;
    const size_t size = random() % 200;
    for (size_t i = 0; i < size; ++i) {
      source.push_back(round % 2 == 0 ? static_cast<char>(random())
                                      : alphabet[random() % alphabet.size()]);
    }
    TokenList list;
    analyze(source, list);

    for (const Token& token : list.tokens) {
      ASSERT_GT(token.size, 0U);
      ASSERT_LE(token.size, kMaxTokenBytes + 4);
      ASSERT_TRUE(is_valid_utf8(list.text(token)));
      ASSERT_LE(token.source_begin, token.source_end);
      ASSERT_LE(token.source_end, source.size());
    }
    ASSERT_LE(parse_query(source).words.size(), kMaxQueryTerms);
    make_snippet(source, parse_query(source), 40);
  }
}

TEST(AnalyzerTest, EndlessIdentifiersStayCheap) {
  std::string source;
  for (int i = 0; i < 100'000; ++i) source += "a.";
  TokenList list;

  analyze(source, list);

  EXPECT_LT(list.tokens.size(), 120'000U);
}

TEST(StemmerTest, StemsWordsAndLeavesIdentifiersAlone) {
  EXPECT_EQ(stem("deployments"), stem("deployed"));
  EXPECT_EQ(stem("proj-123s"), "proj-123s");
  EXPECT_EQ(stem("שלום"), "שלום");
}

TEST(QueryTest, ReadsWordsPhrasesAndExclusions) {
  const ParsedQuery query = parse_query("deploy \"Blue green\" -staging -\"on hold\" deployed");

  ASSERT_EQ(query.words.size(), 3U);
  EXPECT_EQ(query.words[0].form, "deploy");
  EXPECT_EQ(query.words[1].form, "blue");
  ASSERT_EQ(query.phrases.size(), 1U);
  EXPECT_EQ(query.phrases[0].size(), 2U);
  ASSERT_EQ(query.excluded.size(), 2U);
  EXPECT_EQ(query.excluded[0][0].form, "staging");
  EXPECT_EQ(query.excluded[1].size(), 2U);
}

TEST(QueryTest, OddInputIsReadAsFarAsItMakesSense) {
  EXPECT_TRUE(parse_query("").empty());
  EXPECT_TRUE(parse_query(" \"\" - -\" ?! ").empty());
  EXPECT_EQ(parse_query("\"open end").phrases.size(), 1U);
  EXPECT_EQ(parse_query("well-known").excluded.size(), 0U);
  EXPECT_EQ(parse_query("-").words.size(), 0U);
  EXPECT_FALSE(parse_query("who is it").has_content());
  EXPECT_EQ(plain_query("a \"b -c").words.size(), 3U);
  EXPECT_TRUE(parse_query(std::string(100'000, 'x')).truncated);
  std::string many;
  for (int i = 0; i < 500; ++i) many += "w" + std::to_string(i) + " ";
  EXPECT_EQ(parse_query(many).words.size(), kMaxQueryTerms);
  EXPECT_TRUE(parse_query(many).truncated);
}

// A word alone is not taken apart, but becomes what it would among others.
TEST(QueryTest, AWordAloneIsReadAsAmongOthers) {
  for (const std::string& word :
       {std::string("depot"), std::string("running"), std::string("the"), std::string("a"),
        std::string(80, 'x'), std::string(81, 'x'), std::string("v2"), std::string("Depot")}) {
    EXPECT_EQ(plain_query(word).words, plain_query(word + " ").words) << word;
    EXPECT_EQ(plain_query(word).words.size(), 1U) << word;
  }
}

// Quadratic work would take this test's whole time limit.
TEST(AnalyzerTest, ARunOfMegabytesIsReadOnce) {
  for (const char letter : {'z', '7', 'Z'}) {
    TokenList list;
    analyze(std::string(size_t{4} << 20, letter) + " end", list);
    EXPECT_EQ(list.text(list.tokens.front()).size(), kMaxTokenBytes);
    EXPECT_EQ(list.text(list.tokens.back()), "end");
  }
}

TEST(SnippetTest, ShowsTheWindowWithMostOfTheQuery) {
  const std::string source = "Deploy notes. " + std::string(300, '.') +
                             " The rollback of the deployment went well after the second deploy. " +
                             std::string(300, '.');

  const Snippet snippet = make_snippet(source, parse_query("deploy rollback"), 80);

  EXPECT_LE(snippet.text.size(), 80U);
  EXPECT_TRUE(snippet.cut_before);
  EXPECT_TRUE(snippet.cut_after);
  ASSERT_EQ(snippet.matches.size(), 3U);
  EXPECT_EQ(snippet.text.substr(snippet.matches[0].begin, 8), "rollback");
  EXPECT_EQ(source.substr(snippet.source_begin, snippet.text.size()), snippet.text);
}

TEST(SnippetTest, WithoutAMatchShowsTheBeginning) {
  const Snippet snippet = make_snippet("one two three", parse_query("zebra"), 8);

  EXPECT_EQ(snippet.text, "one two");
  EXPECT_TRUE(snippet.matches.empty());
}

}  // namespace
}  // namespace holdfast::text
