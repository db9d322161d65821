// inside_words over a part that is large enough to have aids, beside a look at every text.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "search/index.h"
#include "search/source_fake.h"

namespace holdfast::search {
namespace {

constexpr size_t kDocuments = 17'000;  // the smallest part with aids has 16,384
// Words that share stems, and some that are also tags.
constexpr const char* kWords[] = {"run",    "runs",   "running", "walk",    "walked", "talk",
                                  "talked", "orange", "range",   "strange", "tea"};
constexpr const char* kInfixes[] = {"run", "runn", "walk", "alk", "alked", "range", "tra", "ea"};

struct Made {
  std::vector<std::string> prose;
  std::string tag;
};

Made make(std::mt19937& random) {
  Made made;
  // "strange" is never a tag, "tea" always is: neither alone tells whether it stands in prose.
  for (auto left = random() % 3; left > 0; --left)
    made.prose.emplace_back(kWords[random() % std::size(kWords)]);
  if (random() % 4 == 0) made.tag = random() % 2 == 0 ? "tea" : "orange";
  return made;
}

bool has(const Made& made, std::string_view infix) {
  return std::ranges::any_of(
      made.prose, [&](const std::string& word) { return word.find(infix) != std::string::npos; });
}

TEST(InsideWordsTest, ALargePartGivesWhatALookAtEveryTextGives) {
  FakeSource source;
  Index index({.flush_documents = kDocuments, .background = false});
  std::mt19937 random(3);
  std::vector<Made> all;
  for (size_t i = 0; i < kDocuments + 100; ++i) {
    all.push_back(make(random));
    Projection projection;
    for (const std::string& word : all.back().prose) projection.text.summary += word + " ";
    if (!all.back().tag.empty()) projection.text.tags = {all.back().tag};
    index.on_commit({source.put(kDefaultSpace, "note", "n" + std::to_string(i), {}, projection)});
  }
  index.settle();
  ASSERT_EQ(index.sizes().at(kDefaultSpace).segments, 1U);

  for (const std::string first : kInfixes) {
    for (const std::string second : kInfixes) {
      const auto listed =
          index.list(owner_access(), {.filter = {.inside_words = {first, second}}, .limit = 1});
      const auto expected = std::ranges::count_if(
          all, [&](const Made& made) { return has(made, first) && has(made, second); });
      EXPECT_EQ(listed->total, static_cast<size_t>(expected)) << first << " " << second;
    }
  }
}

// Enough different words that their blocks are looked up, and pieces that lie across two words.
TEST(InsideWordsTest, PiecesAreFoundAmongManyWords) {
  constexpr int kDifferent = 20'000;
  FakeSource source;
  Index index({.flush_documents = kDifferent, .background = false});
  std::vector<std::string> words;
  for (int i = 0; i < kDifferent; ++i) {
    words.push_back("w" + std::to_string(i * 7919LL % 1'000'003) + "x");
    index.on_commit({source.put(kDefaultSpace, "note", "n" + std::to_string(i), {},
                                {.text = {.summary = words.back()}})});
  }
  index.settle();
  ASSERT_EQ(index.sizes().at(kDefaultSpace).segments, 1U);

  for (const std::string piece :
       {"w1", "123", "xw", "77x", "w7919x", "9999", "x", "00000", "q12"}) {
    const auto listed =
        index.list(owner_access(), {.filter = {.inside_words = {piece}}, .limit = 1});
    const auto expected = std::ranges::count_if(
        words, [&](const std::string& word) { return word.find(piece) != std::string::npos; });
    EXPECT_EQ(listed->total, static_cast<size_t>(expected)) << piece;
  }
}

}  // namespace
}  // namespace holdfast::search
