#include "search/numbering.h"

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace holdfast::search {
namespace {

// Many have a beginning in common, of all lengths; some end in zeros that others have not.
std::set<std::string> alike_texts() {
  std::mt19937_64 random{11};
  std::set<std::string> texts = {"", std::string(1, '\0'), "\xff", "\xff\xff"};
  for (size_t i = 0; i < 5000; ++i) {
    std::string text(random() % 4 == 0 ? random() % 400 : random() % 20, 'a');
    for (size_t left = random() % 4; left > 0; --left) text.push_back("\0ab\xe9"[random() % 4]);
    texts.insert(text);
  }
  return texts;
}

std::vector<std::string> shuffled(const std::set<std::string>& texts) {
  std::vector<std::string> out(texts.begin(), texts.end());
  std::shuffle(out.begin(), out.end(), std::mt19937_64{3});
  return out;
}

std::vector<std::string> in_final_order(const Numbering& numbering) {
  std::vector<std::string> out;
  for (uint32_t i = 0; i < numbering.size(); ++i) {
    EXPECT_EQ(numbering.final_id(numbering.gathered_at(i)), i);
    out.emplace_back(numbering.gathered_text(numbering.gathered_at(i)));
  }
  return out;
}

TEST(NumberingTest, NumbersByTextAsTextsCompare) {
  const auto texts = alike_texts();
  const auto gathered = shuffled(texts);
  Numbering numbering(1, true);
  for (const std::string& text : gathered) numbering.add(text);

  numbering.number_by_text();

  EXPECT_EQ(in_final_order(numbering), std::vector<std::string>(texts.begin(), texts.end()));
}

TEST(NumberingTest, NumbersByCountThenByText) {
  const auto texts = alike_texts();
  const auto gathered = shuffled(texts);
  Numbering numbering(2);
  for (const std::string& text : gathered) numbering.add(text);
  const auto count_of = [](std::string_view text) {
    return static_cast<uint32_t>(text.size() % 3);
  };
  std::vector<std::string> expected(texts.begin(), texts.end());
  std::ranges::stable_sort(expected, std::greater<>(), count_of);

  numbering.number_by_count([&](uint32_t id) { return count_of(gathered[id]); });

  EXPECT_EQ(in_final_order(numbering), expected);
}

}  // namespace
}  // namespace holdfast::search
