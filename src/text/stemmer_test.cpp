#include "text/stemmer.h"

#include <memory>

#include <gtest/gtest.h>
#include <libstemmer.h>

namespace holdfast::text {
namespace {

// What the library says of it.
std::string library_stem(const std::string& word) {
  using Stemmer = std::unique_ptr<sb_stemmer, decltype(&sb_stemmer_delete)>;
  static const Stemmer stemmer(sb_stemmer_new("english", "UTF_8"), &sb_stemmer_delete);
  const sb_symbol* stemmed =
      sb_stemmer_stem(stemmer.get(), reinterpret_cast<const sb_symbol*>(word.data()),
                      static_cast<int>(word.size()));
  return {reinterpret_cast<const char*>(stemmed),
          static_cast<size_t>(sb_stemmer_length(stemmer.get()))};
}

// Every ending of four letters, with an apostrophe among them.
template <typename Use>
void for_each_ending(Use&& use) {
  static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz'";
  std::string ending(4, ' ');
  for (ending[0] = 'a'; ending[0] <= 'z'; ++ending[0])
    for (const char second : kLetters)
      for (const char third : kLetters)
        for (const char last : kLetters) {
          ending[1] = second;
          ending[2] = third;
          ending[3] = last;
          use(ending);
        }
}

TEST(StemmerTest, IsTheLibrarysForEveryEnding) {
  for_each_ending([](const std::string& ending) {
    ASSERT_EQ(stem(ending), library_stem(ending));
    const std::string word = "yerat" + ending;  // far enough behind for every rule
    ASSERT_EQ(stem(word), library_stem(word));
  });
}

TEST(StemmerTest, IsTheLibrarysForWordsWithRulesOfTheirOwn) {
  for (const char* const word :
       {"skies",       "dying",           "idly",           "gently",      "news",
        "howe",        "inning",          "proceed",        "succeed",     "earring",
        "generations", "communism",       "arsenal",        "hopefully",   "'tis",
        "dog's'",      "nationalization", "relational",     "sensibility", "geologists",
        "cheerful",    "theology",        "vietnamization", "youthfulness"}) {
    EXPECT_EQ(stem(word), library_stem(word)) << word;
    EXPECT_EQ(stem(word), library_stem(word)) << word << ", the second time";
  }
}

TEST(StemmerTest, LeavesWhatIsNoPlainWord) {
  for (const char* const word : {"", "as", "v2s", "running2", "queryparser.h", "läufers"}) {
    EXPECT_EQ(stem(word), word);
    EXPECT_FALSE(may_have_another_stem(word)) << word;
  }
}

TEST(StemmerTest, KnowsMostWordsThatStayAsTheyAre) {
  for (const char* const word : {"what", "world", "about", "from", "row", "problem"})
    EXPECT_FALSE(may_have_another_stem(word)) << word;
  for (const char* const word : {"deployed", "runs", "happy", "national"})
    EXPECT_TRUE(may_have_another_stem(word)) << word;
}

}  // namespace
}  // namespace holdfast::text
