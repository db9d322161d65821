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

}  // namespace
}  // namespace holdfast::search
